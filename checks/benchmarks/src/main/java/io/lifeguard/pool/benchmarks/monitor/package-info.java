/** Measures the cost of the monitor. */
@NullMarked
package io.lifeguard.pool.benchmarks.monitor;

import org.jspecify.annotations.NullMarked;
