/** What the monitor costs. */
@NullMarked
package io.lifeguard.pool.benchmarks.monitor;

import org.jspecify.annotations.NullMarked;
