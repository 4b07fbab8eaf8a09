/** Runs one workload in a virtual machine of its own, watched by a monitor, and learns what that found. */
@NullMarked
package io.lifeguard.pool.corpus.run;

import org.jspecify.annotations.NullMarked;
