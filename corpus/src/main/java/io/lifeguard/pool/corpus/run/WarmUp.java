package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.workbench.Hashing;
import io.lifeguard.workbench.Waiting;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Lets the monitor make a dozen short rounds over another pool before the workload begins, as it has done in a service that has been up for
 * some seconds. A monitor of which no class is loaded yet needs 0.1 s of CPU for its first findings, and where 24 threads want two CPUs
 * that takes it a second: of a user's windows one, of the corpus's, which are shorter, four. Stateless.
 */
final class WarmUp {

    static final String POOL = "warm-up";

    private static final Duration WINDOW = Duration.ofMillis(40);
    private static final int WINDOWS = 12;
    private static final int WORKERS = 6;

    private WarmUp() {}

    /** Returns when the monitor is warm and the other pool is no more. The windows are then as long as given. */
    static void of(PoolMonitor monitor, Duration windowAfter) throws InterruptedException {
        monitor.window(WINDOW);
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named(POOL)
                .size(WORKERS)
                .queueCapacity(64)
                .build();
        long end = System.nanoTime() + WINDOWS * WINDOW.toNanos();
        try {
            while (System.nanoTime() < end) {
                pool.execute(() -> {
                    Hashing.micros(300);
                    Waiting.millis(0.1);
                });
            }
        } finally {
            pool.shutdownNow();
        }
        if (!pool.awaitTermination(10, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the warm-up does not end");
        }
        monitor.window(windowAfter);
    }
}
