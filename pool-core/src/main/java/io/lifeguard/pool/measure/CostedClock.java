package io.lifeguard.pool.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A CPU clock that one worker reads, and that learns what a read costs there. One reader of the clock; any thread may ask how
 * often it was read.
 *
 * <p>Between tasks the caches are cold, and a read costs up to twice what a calibration in a loop has found. So now and then it is
 * read twice in a row, and the difference is the cost.
 */
final class CostedClock {

    private static final int LEARN_EVERY = 32;
    private static final int MEMORY = 8;
    private static final VarHandle READS;

    static {
        try {
            READS = MethodHandles.lookup().findVarHandle(CostedClock.class, "reads", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CpuClock clock;
    private final long calibratedCost;

    // single writer: the worker; readers may lag by one read
    private long reads;

    // single writer: the worker; from true to false once. A stale read calls a time known that is only partly so
    private volatile boolean known;

    // the rest is touched by the worker only
    private long cost;
    private long last;
    private long lasted;

    CostedClock(CpuClock clock) {
        this.clock = clock;
        this.calibratedCost = clock.costNanos();
        this.cost = calibratedCost;
        this.known = clock.isSupported();
    }

    /** Whether the clock has answered whenever it was asked. */
    boolean isKnown() {
        return known;
    }

    long reads() {
        return (long) READS.getOpaque(this);
    }

    /** The thread's CPU time, or a negative number if the clock does not know it; it should not be asked again then. */
    long read() {
        long nanos = clock.nanos();
        long count = reads + 1;
        last = nanos;
        lasted = cost;
        if (nanos < 0) {
            known = false;
            lasted = 0;
        } else if (count % LEARN_EVERY == 0 || (count & (count - 1)) == 0) {
            count++;
            learn(clock.nanos());
        }
        READS.setOpaque(this, count);
        return nanos;
    }

    /** What the clock would have shown when the last read was over: what tasks burn from then on is above this. */
    long base() {
        return last + cost;
    }

    /** How long the last read took, in wall time too. */
    long lasted() {
        return lasted;
    }

    /** What a read costs here, as far as it is known. */
    long cost() {
        return cost;
    }

    private void learn(long again) {
        if (again >= last) {
            // an interrupt may fall between the two
            long sample = Math.max(calibratedCost / 4, Math.min(4 * calibratedCost, again - last));
            cost += (sample - cost) / MEMORY;
            last = again;
            lasted += cost;
        }
    }
}
