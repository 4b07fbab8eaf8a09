package io.lifeguard.pool.benchmarks.harness;

import java.time.Duration;
import java.util.Optional;

/**
 * How much trouble to take. Immutable.
 *
 * @param warmUp of each fork, at least
 * @param measured of each fork
 * @param memoryTasks tasks before memory is weighed
 * @param repeats how often a disturbed fork is repeated at most
 * @param pause before a repeat, for the disturbance to pass
 * @param budget after that time the first round is finished and no other; after half of it nothing is repeated
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
            Optional.of(Duration.ofSeconds(200)));

    public static Effort of(Options options) {
        return options.quick() ? QUICK : FULL;
    }
}
