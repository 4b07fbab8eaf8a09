package io.lifeguard.pool.diagnosis.evidence.cpu;

import io.lifeguard.pool.diagnosis.evidence.stack.StackSampler;
import io.lifeguard.pool.os.ThreadCpuTime;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits how much of a CPU the monitor uses for stacks and for the system's figures: {@link #SHARE} of one core, rounds
 * included. Confined to the monitor's thread.
 *
 * <p>The census asks nobody, and neither do the few stacks that name a new group ({@link StackSampler}). What is spent
 * above the share is forgotten after a second: a monitor whose code is being compiled costs more for some seconds, and
 * must see meanwhile.
 *
 * <p>What a stack costs is learnt from this process. The JVM's own thread walks the stacks, so the wall time of a look
 * counts, but no more than the cheapest looks of late took: the rest was a wait for a CPU. All other threads stand
 * still during a look, so the next one waits until the pause was at most {@link #PAUSE} of the time.
 */
public final class EvidenceBudget {

    /** Two percent are promised. The last step and waking up cost something on top of what is measured. */
    static final double SHARE = 0.018;

    /** Tasks lose at most so much of their time to looks, except to the few that name a new group. */
    static final double PAUSE = 0.05;

    /** However long a look took, the next one may come a second later: the machine may have been busy just then. */
    private static final long LONGEST_REST = TimeUnit.SECONDS.toNanos(1);

    /** At most the budget of two seconds is saved, so that a first look at a thousand workers is possible at once. */
    private static final long MOST_SAVED = (long) (SHARE * TimeUnit.SECONDS.toNanos(2));

    /** What is owed after a second of any expense: start-up, a pause, or a wait where CPU time cannot be measured. */
    private static final long MOST_OWED = (long) (-SHARE * TimeUnit.SECONDS.toNanos(1));

    /** Stacks leave so much for the system's times, which cost less and tell more in their absence. */
    private static final long RESERVE = MOST_SAVED / 4;

    /** At 10 to 25 µs, 64 a second take 0.16 % of a core. */
    private static final int TIMES_PER_SECOND = 64;

    /** Readings in one call: 0.4 ms at most, so that a round is not late. */
    private static final int TIMES_AT_ONCE = 16;

    /** Times are known after two readings. */
    private static final double MOST_TIMES = 2 * TIMES_PER_SECOND;

    /** The cheapest look is forgotten by a sixteenth with each dearer one: stacks may get deeper. */
    private static final int FORGETS = 16;

    private final LongSupplier cpuNanos; // of the calling thread
    private final LongSupplier nanos;
    private long left = MOST_SAVED; // in CPU time, when `spentUntil` had been spent and it was `earnedUntil`
    private long spentUntil;
    private long earnedUntil;
    private boolean begun;
    private double times = MOST_TIMES; // readings that are not paid from the budget, when it was `timesUntil`
    private long timesUntil; // 0 before the first
    private double share = SHARE;
    private long nanosPerStack; // of the cheapest looks of late; 0 before the first
    private long restsUntil; // no look before; says nothing while `rests` is false
    private boolean rests;

    public EvidenceBudget(LongSupplier cpuNanos, LongSupplier nanos) {
        this.cpuNanos = cpuNanos;
        this.nanos = nanos;
    }

    public static EvidenceBudget ofThisMachine() {
        return new EvidenceBudget(new OwnCpu(), MonitorClock.SYSTEM);
    }

    private static final class OwnCpu implements LongSupplier {
        @Override
        public long getAsLong() {
            return cpuOfThisThread();
        }
    }

    /** CPU time in nanoseconds; wall time, which is never less, where there is no such clock. */
    public static long cpuOfThisThread() {
        long cpu = ThreadCpuTime.ofCurrentThread();
        return cpu < 0 ? System.nanoTime() : cpu;
    }

    public void window(Duration usual) {
        share = SHARE * Math.max(1, (double) TimeUnit.SECONDS.toNanos(1) / usual.toNanos());
    }

    /** Begins to measure. Called at the beginning of the monitor's thread, because CPU time is counted per thread. */
    public void begin() {
        spentUntil = cpuNanos.getAsLong();
        earnedUntil = nanos.getAsLong();
        begun = true;
    }

    public boolean allows() {
        settle();
        return left > 0;
    }

    /**
     * {@return of how many workers the system's times may be read now} At most {@value #TIMES_AT_ONCE}, because each
     * may cost 25 µs: while some budget is left, and {@value #TIMES_PER_SECOND} a second whatever was spent. Without
     * them nothing tells which of the threads on a full machine wait for a CPU, and there the monitor's own code is
     * dearer than its budget allows for.
     */
    int grantTimes(int wanted) {
        long now = nanos.getAsLong();
        long since = timesUntil == 0 ? 0 : now - timesUntil;
        timesUntil = now;
        times = Math.min(MOST_TIMES, times + since / 1e9 * TIMES_PER_SECOND);
        int most = Math.min(wanted, TIMES_AT_ONCE);
        if (allows()) {
            return most;
        }
        int free = Math.min(most, (int) times);
        times -= free;
        return free;
    }

    /** Whether some budget is left for stacks, and the last look is long enough ago. */
    public boolean allowsStacks() {
        settle();
        rests &= nanos.getAsLong() - restsUntil < 0;
        return left > RESERVE && !rests;
    }

    /** Stacks are about to be taken. {@return when, for {@link #spendOnStacks}} */
    public long beginStacks() {
        settle();
        return nanos.getAsLong();
    }

    /**
     * Counts what stacks have cost this process.
     *
     * @param stacks how many were taken, at least 1
     * @param start what {@link #beginStacks} has told
     * @return the cost in nanoseconds
     */
    public long spendOnStacks(int stacks, long start) {
        long end = nanos.getAsLong();
        long wall = end - start;
        long each = wall / stacks;
        nanosPerStack = nanosPerStack == 0 ? each : Math.min(each, nanosPerStack + nanosPerStack / FORGETS);
        long own = cpuNanos.getAsLong() - spentUntil;
        long others = Math.max(0, Math.min(stacks * nanosPerStack, wall) - own);
        left -= others;
        restsUntil = end + Math.min(LONGEST_REST, (long) (wall / PAUSE));
        rests = true;
        return own + others;
    }

    private void settle() {
        if (!begun) {
            begin();
        }
        long spent = cpuNanos.getAsLong();
        long now = nanos.getAsLong();
        long earned = (long) (share * (now - earnedUntil));
        left = Math.max(MOST_OWED, Math.min(MOST_SAVED, left + earned) - (spent - spentUntil));
        spentUntil = spent;
        earnedUntil = now;
    }
}
