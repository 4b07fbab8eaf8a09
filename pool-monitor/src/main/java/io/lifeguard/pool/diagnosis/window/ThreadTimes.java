package io.lifeguard.pool.diagnosis.window;

import java.time.Duration;

/**
 * The operating system's times of one worker, or the sum over several, within a window. Immutable.
 *
 * @param cpu CPU time, user and system
 * @param runQueueDelay how long it was ready to run and had no CPU
 * @param voluntarySwitches how often it gave the CPU away to wait for something
 * @param involuntarySwitches how often the system took the CPU from it
 */
public record ThreadTimes(Duration cpu, Duration runQueueDelay, long voluntarySwitches, long involuntarySwitches) {

    /** No times. */
    public static final ThreadTimes NONE = new ThreadTimes(Duration.ZERO, Duration.ZERO, 0, 0);

    /**
     * {@return the sum of both}
     *
     * @param other what to add, not null
     */
    public ThreadTimes plus(ThreadTimes other) {
        return new ThreadTimes(
                cpu.plus(other.cpu),
                runQueueDelay.plus(other.runQueueDelay),
                voluntarySwitches + other.voluntarySwitches,
                involuntarySwitches + other.involuntarySwitches);
    }

    /**
     * {@return all parts multiplied by a factor, rounded}
     *
     * @param factor not negative
     */
    public ThreadTimes times(double factor) {
        return new ThreadTimes(
                Duration.ofNanos(Math.round(cpu.toNanos() * factor)),
                Duration.ofNanos(Math.round(runQueueDelay.toNanos() * factor)),
                Math.round(voluntarySwitches * factor),
                Math.round(involuntarySwitches * factor));
    }
}
