/** Forks, rounds, statistics and tables. All classes except {@code ForkMain} run in the parent. */
@NullMarked
package io.lifeguard.pool.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
