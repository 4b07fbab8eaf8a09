package io.lifeguard.pool.benchmarks.harness;

import java.time.Duration;
import java.util.Optional;

/**
 * How long and how often to measure. Immutable.
 *
 * @param warmUp shortest warm-up of each fork
 * @param measured measuring time of each fork
 * @param memoryTasks tasks to run before memory is measured
 * @param repeats largest number of repeats of a disturbed fork
 * @param pause pause before a repeat, in which the disturbance may pass
 * @param budget after this time only the first round is finished; after half of it no fork is repeated
 */
public record Effort(
        Duration warmUp, Duration measured, long memoryTasks, int repeats, Duration pause, Optional<Duration> budget) {
    private static final Effort FULL = new Effort(
            Duration.ofSeconds(2), Duration.ofSeconds(2), 100_000_000, 5, Duration.ofSeconds(3), Optional.empty());
    private static final Effort QUICK = new Effort(
            Duration.ofMillis(800),
            Duration.ofMillis(600),
            1_000_000,
            1,
            Duration.ofMillis(500),
            Optional.of(Duration.ofSeconds(150)));

    public static Effort of(Options options) {
        return options.quick() ? QUICK : FULL;
    }
}
