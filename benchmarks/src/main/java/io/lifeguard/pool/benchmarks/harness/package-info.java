/** Forks, rounds, statistics and tables. Everything but {@code ForkMain} runs in the parent. */
@NullMarked
package io.lifeguard.pool.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
