package io.lifeguard.pool.diagnosis.window;

import java.time.Duration;

/**
 * What the operating system says of one worker, or of several in sum, within a window. Immutable.
 *
 * @param cpu CPU time, user and system
 * @param runQueueDelay how long it was ready to run and had no CPU
 * @param voluntarySwitches how often it gave the CPU away to wait for something
 * @param involuntarySwitches how often the CPU was taken from it
 */
public record ThreadTimes(Duration cpu, Duration runQueueDelay, long voluntarySwitches, long involuntarySwitches) {

    /** Nothing. */
    public static final ThreadTimes NONE = new ThreadTimes(Duration.ZERO, Duration.ZERO, 0, 0);

    /**
     * Both together.
     *
     * @param other what to add, not null
     * @return the sum
     */
    public ThreadTimes plus(ThreadTimes other) {
        return new ThreadTimes(
                cpu.plus(other.cpu),
                runQueueDelay.plus(other.runQueueDelay),
                voluntarySwitches + other.voluntarySwitches,
                involuntarySwitches + other.involuntarySwitches);
    }

    /**
     * Scales all parts.
     *
     * @param factor not negative
     * @return the product, rounded
     */
    public ThreadTimes times(double factor) {
        return new ThreadTimes(
                Duration.ofNanos(Math.round(cpu.toNanos() * factor)),
                Duration.ofNanos(Math.round(runQueueDelay.toNanos() * factor)),
                Math.round(voluntarySwitches * factor),
                Math.round(involuntarySwitches * factor));
    }
}
