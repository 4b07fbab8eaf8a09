package io.lifeguard.pool.measure;

import java.util.function.LongSupplier;

/**
 * Measures what measuring costs. Stateless.
 *
 * <p>The cheapest of many short batches is taken: other threads, interrupts and code that is not compiled yet can only
 * make a batch slower.
 */
final class Calibration {

    private static final long BUDGET_NANOS = 2_500_000;
    private static final long BATCH_NANOS = 30_000;
    private static final int LONGEST_BATCH = 128;
    private static final int WARM_UP = 16;

    private Calibration() {}

    /** What one call costs in nanoseconds, at best; takes about 2.5 ms, or a few calls if these are slower than that. */
    static double cheapest(LongSupplier call) {
        return cheapest(call, System::nanoTime);
    }

    static double cheapest(LongSupplier call, LongSupplier ticker) {
        long sink = 0;
        long begin = ticker.getAsLong();
        long slowest = 1;
        for (int i = 0; i < WARM_UP && ticker.getAsLong() - begin < BUDGET_NANOS; i++) {
            long before = ticker.getAsLong();
            sink += call.getAsLong();
            slowest = Math.max(1, ticker.getAsLong() - before);
        }
        int batch = (int) Math.max(1, Math.min(LONGEST_BATCH, BATCH_NANOS / slowest));
        double cheapest = slowest;
        while (ticker.getAsLong() - begin < BUDGET_NANOS) {
            long before = ticker.getAsLong();
            for (int i = 0; i < batch; i++) {
                sink += call.getAsLong();
            }
            long after = ticker.getAsLong();
            cheapest = Math.min(cheapest, (double) (after - before) / batch);
        }
        return sink == Long.MIN_VALUE ? cheapest + Double.MIN_VALUE : cheapest;
    }
}
