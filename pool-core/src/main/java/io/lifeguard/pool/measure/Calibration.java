package io.lifeguard.pool.measure;

import java.util.function.LongSupplier;

/**
 * Measures what a call costs. Stateless.
 *
 * <p>The cheapest of many short batches is taken: other threads, interrupts and code that is not compiled yet can only
 * make a batch slower.
 */
final class Calibration {

    private static final long BATCH_NANOS = 30_000;
    private static final int LONGEST_BATCH = 128;
    private static final int WARM_UP = 4;

    /** Takes the results of the calls, lest the compiler drop them. A stale read means nothing, nobody reads it. */
    @SuppressWarnings("unused")
    private static volatile long sink;

    private Calibration() {}

    /** What one call costs in nanoseconds, at best; takes {@code budgetNanos}, or a few calls if these are slower. */
    static double cheapest(LongSupplier call, long budgetNanos) {
        return cheapest(call, budgetNanos, System::nanoTime);
    }

    static double cheapest(LongSupplier call, long budgetNanos, LongSupplier ticker) {
        long results = 0;
        long cheapest = Long.MAX_VALUE;
        for (int i = 0; i < WARM_UP; i++) {
            long before = ticker.getAsLong();
            results += call.getAsLong();
            cheapest = Math.min(cheapest, ticker.getAsLong() - before);
        }
        int batch = (int) Math.max(1, Math.min(LONGEST_BATCH, BATCH_NANOS / Math.max(1, cheapest)));
        double perCall = cheapest;
        long begin = ticker.getAsLong();
        long after = begin;
        while (after - begin < budgetNanos) {
            long before = ticker.getAsLong();
            for (int i = 0; i < batch; i++) {
                results += call.getAsLong();
            }
            after = ticker.getAsLong();
            perCall = Math.min(perCall, (double) (after - before) / batch);
        }
        sink = results;
        return perCall;
    }
}
