package io.lifeguard.pool.os;

import java.util.OptionalLong;

/**
 * The times and context switches of one thread since it began, as counted by Linux. Immutable.
 *
 * @param cpuNanos CPU time in user mode and in the kernel
 * @param runQueueNanos how long the thread was ready to run and had no CPU, without a wait that goes on
 * @param voluntarySwitches how often the thread gave up the CPU to wait
 * @param involuntarySwitches how often the CPU was taken from the thread
 * @param readyAt when it was read, as {@link System#nanoTime()}, if it ran or was ready to run at that moment; empty if
 *     it waited, or the system does not say
 */
public record ThreadReading(
        long cpuNanos, long runQueueNanos, long voluntarySwitches, long involuntarySwitches, OptionalLong readyAt) {

    /** The scheduler updates the CPU time of a thread that runs at each tick, of which there are at least 100 a second. */
    private static final long TWO_TICKS = 20_000_000;

    /** A reading of a thread that waited, or may have waited. */
    public ThreadReading(long cpuNanos, long runQueueNanos, long voluntarySwitches, long involuntarySwitches) {
        this(cpuNanos, runQueueNanos, voluntarySwitches, involuntarySwitches, OptionalLong.empty());
    }

    /**
     * {@return for how many nanoseconds the thread was ready to run and had no CPU since an earlier reading}
     *
     * <p>The system adds a wait when it ends. A thread that was ready at both moments and gave up no CPU between was
     * ready all the time, so all that it did not run is such a wait, also one that goes on.
     *
     * @param before the earlier reading of the same thread, not null
     */
    public long runQueueNanosSince(ThreadReading before) {
        long counted = Math.max(0, runQueueNanos - before.runQueueNanos);
        if (readyAt.isEmpty() || before.readyAt.isEmpty() || voluntarySwitches != before.voluntarySwitches) {
            return counted;
        }
        long elapsed = readyAt.getAsLong() - before.readyAt.getAsLong();
        long missing = elapsed - (cpuNanos - before.cpuNanos) - counted;
        return missing > TWO_TICKS ? counted + missing : counted;
    }
}
