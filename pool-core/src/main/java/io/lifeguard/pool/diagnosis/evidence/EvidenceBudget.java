package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.os.ThreadCpuTime;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Limits how much of a CPU the monitor uses while it investigates: {@link #SHARE} of one core, rounds included.
 * Confined to the monitor's thread.
 *
 * <p>If a round costs more than that, later rounds save it. The share is for windows of a second. A user who sets
 * shorter ones wants more rounds, and each of them gets the same. {@link #WARM_UP} of CPU time is free once, because
 * code that is not compiled yet is slow. Otherwise a young program would not be investigated in its first half minute.
 */
public final class EvidenceBudget {

    /** Two percent are promised. The last step and waking up cost something on top of what is measured. */
    static final double SHARE = 0.018;

    /** At most the budget of two seconds is saved, so that a first look at a thousand workers is possible at once. */
    private static final long MOST_SAVED = (long) (SHARE * TimeUnit.SECONDS.toNanos(2));

    /**
     * The largest debt. Without a limit, a pause in a round could blind the monitor for an hour where CPU time cannot
     * be measured.
     */
    private static final long MOST_OWED = -10 * MOST_SAVED;

    /** What the JVM's own thread needs for a stack, and for each frame of it. More was a wait for a CPU. */
    private static final long STACK_NANOS = 25_000;

    private static final long FRAME_NANOS = 1_500;

    /** Stacks leave so much for the census and the system's times, which cost less and tell more in their absence. */
    private static final long RESERVE = MOST_SAVED / 4;

    /**
     * The cost of about 30 interpreted rounds over 100 workers, measured at 5 to 12 ms each. With half as much, 3 of 11
     * runs with 500 workers on Java 25 found their lock within five seconds; with this, 4 of 4.
     */
    private static final long WARM_UP = TimeUnit.MILLISECONDS.toNanos(600);

    private final LongSupplier cpuNanos; // of the calling thread
    private final LongSupplier nanos;
    private long left = MOST_SAVED; // in CPU time, when `spentUntil` had been spent and it was `earnedUntil`
    private long spentUntil;
    private long earnedUntil;
    private boolean begun;
    private long free; // what may still be spent without being counted
    private double share = SHARE;

    public EvidenceBudget(LongSupplier cpuNanos, LongSupplier nanos) {
        this(cpuNanos, nanos, 0);
    }

    public EvidenceBudget(LongSupplier cpuNanos, LongSupplier nanos, long warmUpNanos) {
        this.cpuNanos = cpuNanos;
        this.nanos = nanos;
        this.free = warmUpNanos;
    }

    /** A budget that measures the calling thread's CPU time. */
    public static EvidenceBudget ofThisMachine() {
        return new EvidenceBudget(EvidenceBudget::cpuOfThisThread, System::nanoTime, WARM_UP);
    }

    /** CPU time in nanoseconds; wall time, which is never less, where there is no such clock. */
    public static long cpuOfThisThread() {
        long cpu = ThreadCpuTime.ofCurrentThread();
        return cpu == ThreadCpuTime.UNKNOWN ? System.nanoTime() : cpu;
    }

    /** Sets how long windows are meant to be. */
    public void window(Duration usual) {
        share = SHARE * Math.max(1, (double) TimeUnit.SECONDS.toNanos(1) / usual.toNanos());
    }

    /** Begins to measure. Called at the beginning of the monitor's thread, because CPU time is counted per thread. */
    public void begin() {
        spentUntil = cpuNanos.getAsLong();
        earnedUntil = nanos.getAsLong();
        begun = true;
    }

    /** Whether some budget is left. */
    public boolean allows() {
        settle();
        return left > 0;
    }

    /** Whether some budget is left for stacks. */
    boolean allowsStacks() {
        settle();
        return left > RESERVE;
    }

    /** Whether the warm-up lasts. */
    boolean isFree() {
        return free > 0;
    }

    /**
     * Takes stacks, and counts their wall time: the JVM's own thread walks them.
     *
     * @param stacks how many
     * @param look takes them, and returns how many frames they have together
     * @return the cost in nanoseconds
     */
    long spendOnStacks(int stacks, IntSupplier look) {
        settle();
        long start = nanos.getAsLong();
        int frames = look.getAsInt();
        long wall = nanos.getAsLong() - start;
        long own = cpuNanos.getAsLong() - spentUntil;
        long others = Math.max(0, Math.min(stacks * STACK_NANOS + frames * FRAME_NANOS, wall - own));
        left -= counted(others);
        return own + others;
    }

    private void settle() {
        if (!begun) {
            begin();
        }
        long spent = cpuNanos.getAsLong();
        long now = nanos.getAsLong();
        long earned = (long) (share * (now - earnedUntil));
        left = Math.max(MOST_OWED, Math.min(MOST_SAVED, left + earned) - counted(spent - spentUntil));
        spentUntil = spent;
        earnedUntil = now;
    }

    private long counted(long spent) {
        long uncounted = Math.min(free, spent);
        free -= uncounted;
        return spent - uncounted;
    }
}
