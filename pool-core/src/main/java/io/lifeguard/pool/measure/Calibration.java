package io.lifeguard.pool.measure;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Measures what a call costs on this machine. Thread-safe. Used by the first thread that needs the answer, and then by
 * threads that read a pool's figures, never by workers.
 */
final class Calibration {
    /*
     * Code that is not compiled yet is slower by a factor of 20 to 100, and the compiler takes its time. So each
     * question calibrates a little more, until 30,000 calls in a row were not cheaper, or 50 ms were spent. The last
     * compiler has seen 15,000 calls by then.
     *
     * The answer is the cost in the cheapest of many short batches. Other threads, interrupts and code that is not
     * compiled yet can only make a batch slower.
     */

    private static final long MOST_NANOS = 50_000_000;
    private static final int MOST_CALLS_IN_VAIN = 30_000;
    private static final double CHEAPER = 0.97;
    private static final long BATCH_NANOS = 30_000;
    private static final int LONGEST_BATCH = 128;
    private static final int WARM_UP = 4;

    private final LongSupplier call;
    private final LongSupplier ticker;
    private final ReentrantLock lock = new ReentrantLock();

    // written under the lock; a stale read is a higher cost
    private volatile double cheapest = Double.MAX_VALUE;
    // written under the lock; goes from false to true once. After a stale read the caller calibrates once more
    private volatile boolean settled;
    private long spentNanos; // guarded by the lock
    private int callsInVain; // guarded by the lock

    // written under the lock and never read: without it the compiler could drop the calls
    @SuppressWarnings("unused")
    private volatile long sink;

    Calibration(LongSupplier call) {
        this(call, SystemTicker.INSTANCE);
    }

    /** A calibration by a given clock, for tests. */
    Calibration(LongSupplier call, LongSupplier ticker) {
        this.call = call;
        this.ticker = ticker;
    }

    /**
     * The cost of one call in nanoseconds, as far as it is known. Takes up to {@code budgetNanos} to know it better.
     */
    double nanos(long budgetNanos) {
        if (cheapest == Double.MAX_VALUE) {
            lock.lock(); // nothing is known yet, so wait for the thread that calibrates
        } else if (settled || !lock.tryLock()) {
            return cheapest;
        }
        try {
            calibrate(budgetNanos);
        } finally {
            lock.unlock();
        }
        return cheapest;
    }

    private void calibrate(long budgetNanos) {
        long begin = ticker.getAsLong();
        for (int i = 0; i < WARM_UP; i++) {
            run(1);
        }
        int batch = (int) Math.max(1, Math.min(LONGEST_BATCH, BATCH_NANOS / cheapest));
        do {
            run(batch);
        } while (ticker.getAsLong() - begin < budgetNanos);
        spentNanos += ticker.getAsLong() - begin;
        settled = callsInVain >= MOST_CALLS_IN_VAIN || spentNanos >= MOST_NANOS;
    }

    private void run(int calls) {
        long results = 0;
        long begin = ticker.getAsLong();
        for (int i = 0; i < calls; i++) {
            results += call.getAsLong();
        }
        double perCall = (double) Math.max(1, ticker.getAsLong() - begin) / calls;
        callsInVain = perCall < CHEAPER * cheapest ? 0 : callsInVain + calls;
        cheapest = Math.min(cheapest, perCall);
        sink = results;
    }
}
