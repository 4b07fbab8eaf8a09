package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.os.ThreadCpuTime;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits how much of a CPU the monitor uses while it investigates: {@link #SHARE} of one core, rounds included.
 * Confined to the monitor's thread.
 *
 * <p>If a round costs more than that, later rounds save it. The share is for windows of a second. Shorter windows mean
 * more rounds, and each round gets the same. {@link #WARM_UP} of CPU time is free once, because code that is not
 * compiled yet is slow. Otherwise a young program would not be investigated in its first half minute.
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

    /** 64 stacks of 60 µs. More time than that was a wait for a CPU. */
    private static final long MOST_OF_OTHERS = TimeUnit.MILLISECONDS.toNanos(4);

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

    /** How many times the share for windows of a second may be spent when they are shorter. */
    static double pace(Duration window) {
        return Math.max(1, (double) TimeUnit.SECONDS.toNanos(1) / window.toNanos());
    }

    /** Sets how long windows are. */
    void window(Duration length) {
        share = SHARE * pace(length);
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

    /** Runs work that makes other threads work, and counts its wall time: the JVM's own thread walks stacks. */
    public void spendWallTime(Runnable work) {
        settle();
        long start = nanos.getAsLong();
        work.run();
        long wall = nanos.getAsLong() - start;
        long own = cpuNanos.getAsLong() - spentUntil;
        left -= counted(Math.max(0, Math.min(MOST_OF_OTHERS, wall - own)));
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
