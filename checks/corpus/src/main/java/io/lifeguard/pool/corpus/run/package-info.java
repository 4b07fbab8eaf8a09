/** Runs one workload in a JVM of its own, and collects the findings of a monitor that watches it. */
@NullMarked
package io.lifeguard.pool.corpus.run;

import org.jspecify.annotations.NullMarked;
