package io.lifeguard.pool.diagnosis.system;

/**
 * The times and context switches of one thread since it began, as counted by Linux. Immutable.
 *
 * @param cpuNanos CPU time in user mode and in the kernel
 * @param runQueueNanos how long the thread was ready to run and had no CPU, without a wait that goes on
 * @param voluntarySwitches how often the thread gave up the CPU to wait
 * @param involuntarySwitches how often the CPU was taken from the thread
 * @param isReady whether it ran, or was ready to run, when it was read; false also where the system does not say
 * @param nanoTime when it was read, as {@link System#nanoTime()}
 */
public record ThreadReading(
        long cpuNanos,
        long runQueueNanos,
        long voluntarySwitches,
        long involuntarySwitches,
        boolean isReady,
        long nanoTime) {

    /**
     * The scheduler updates the CPU time of a thread that runs at each tick, of which there are at least 100 a second.
     */
    private static final long TWO_TICKS = 20_000_000;

    /**
     * {@return for how many nanoseconds the thread was ready to run and had no CPU since an earlier reading}
     *
     * <p>The system adds a wait when it ends, and then the whole wait. So what it counts is too little while a wait
     * goes on, and too much when a wait ends that began before the earlier reading. A thread that was ready at both
     * moments, and gave up no CPU between, was ready all the time: all that it did not run is a wait. In any other case
     * the wait is at most that.
     */
    public long runQueueNanosSince(ThreadReading before) {
        long counted = Math.max(0, runQueueNanos - before.runQueueNanos);
        long elapsed = Math.max(0, nanoTime - before.nanoTime);
        long notRun = Math.max(0, elapsed - Math.max(0, cpuNanos - before.cpuNanos));
        boolean wasReady = isReady && before.isReady && voluntarySwitches == before.voluntarySwitches;
        return wasReady && notRun > counted + TWO_TICKS ? notRun : Math.min(counted, notRun);
    }
}
