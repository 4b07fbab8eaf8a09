/** The workloads, by what they are about, each with its label: which findings it must produce, and which would be false. */
@NullMarked
package io.lifeguard.pool.corpus.workloads;

import org.jspecify.annotations.NullMarked;
