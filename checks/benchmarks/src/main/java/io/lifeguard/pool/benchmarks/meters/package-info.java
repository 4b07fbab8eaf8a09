/** Measures the cost of publishing a pool's meters. */
@NullMarked
package io.lifeguard.pool.benchmarks.meters;

import org.jspecify.annotations.NullMarked;
