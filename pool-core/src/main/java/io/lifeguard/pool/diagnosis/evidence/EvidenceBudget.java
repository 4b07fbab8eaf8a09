package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.os.ThreadCpuTime;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How much of a CPU the monitor may use while it investigates: {@link #SHARE} of one core, rounds included. What a dear
 * round has cost beyond that, later ones save. That is for windows of a second: who asks for shorter ones asks for more
 * rounds, and gets the same for each. And it is for code that has been compiled: {@link #WARM_UP} of CPU time is free
 * once, or a young program would not be looked at for its first half minute. Confined to the monitor's thread.
 */
public final class EvidenceBudget {

    /** Two in a hundred are promised; what the last step costs, and waking up, comes on top of what is measured. */
    static final double SHARE = 0.018;

    /**
     * What may be saved up: the budget of two seconds, so that a first look at a thousand workers is possible at once.
     */
    private static final long MOST_SAVED = (long) (SHARE * TimeUnit.SECONDS.toNanos(2));

    /**
     * How deep in debt one can be: a pause in a round, where CPU time cannot be measured, must not blind the monitor
     * for an hour.
     */
    private static final long MOST_OWED = -10 * MOST_SAVED;

    /** More is not the work but a wait for a CPU: 64 stacks of 60 µs. */
    private static final long MOST_OF_OTHERS = TimeUnit.MILLISECONDS.toNanos(4);

    /**
     * What some 30 interpreted rounds over 100 workers cost: measured, 5 to 12 ms each; of 500 workers on Java 25 half
     * as much found their lock within five seconds in 3 of 11 runs, this in 4 of 4.
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

    /** Measures the calling thread's CPU time; wall time, which is never less, where there is no such clock. */
    public static EvidenceBudget ofThisMachine() {
        return new EvidenceBudget(EvidenceBudget::cpuOfThisThread, System::nanoTime, WARM_UP);
    }

    /** Wall time, which is never less, where there is no such clock. */
    public static long cpuOfThisThread() {
        long cpu = ThreadCpuTime.ofCurrentThread();
        return cpu == ThreadCpuTime.UNKNOWN ? System.nanoTime() : cpu;
    }

    /** How many times as much as with windows of a second it may be, when they are shorter. */
    static double pace(Duration window) {
        return Math.max(1, (double) TimeUnit.SECONDS.toNanos(1) / window.toNanos());
    }

    /** Sets how long windows are. */
    void window(Duration length) {
        share = SHARE * pace(length);
    }

    /** To be called at the begin of the monitor's thread, since CPU time is counted anew there. */
    public void begin() {
        spentUntil = cpuNanos.getAsLong();
        earnedUntil = nanos.getAsLong();
        begun = true;
    }

    /** Whether there is something left to spend. */
    public boolean allows() {
        settle();
        return left > 0;
    }

    /**
     * Runs what makes other threads work, so that its wall time counts and not only the CPU time of this one: the JVM's
     * own thread walks stacks.
     */
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
