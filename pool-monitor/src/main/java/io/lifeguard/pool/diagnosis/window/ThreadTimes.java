package io.lifeguard.pool.diagnosis.window;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

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

    /* Not generated: the JDK would link it, and its caches would keep the class loader of an agent that was taken off. */
    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof ThreadTimes other
                && cpu.equals(other.cpu)
                && runQueueDelay.equals(other.runQueueDelay)
                && voluntarySwitches == other.voluntarySwitches
                && involuntarySwitches == other.involuntarySwitches;
    }

    @Override
    public int hashCode() {
        return 31 * cpu.hashCode() + Long.hashCode(voluntarySwitches);
    }
}
