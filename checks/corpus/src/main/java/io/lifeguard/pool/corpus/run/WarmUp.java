package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.workbench.Hashing;
import io.lifeguard.workbench.Waiting;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Lets the monitor make some short rounds over another pool before the workload begins, as it has in a service that has
 * been up for some seconds. Stateless. A monitor needs up to 0.15 s of CPU for its first finding, because half of its
 * code is not yet linked. Where 24 threads compete for two CPUs, that takes two seconds. These are two of a user's
 * windows, but eight of the corpus's, which are shorter.
 */
final class WarmUp {

    static final String POOL = "warm-up";

    private static final Duration WINDOW = Duration.ofMillis(20);

    /** A number of rounds rather than a time, because a slow machine needs as many as a fast one. */
    private static final int WINDOWS = 40;

    private static final Duration AT_MOST = Duration.ofSeconds(5);
    private static final int WORKERS = 6;

    private WarmUp() {}

    /** Returns when the monitor is warm and the other pool has ended. The windows then have the given length. */
    static void of(PoolMonitor monitor, Duration windowAfter) throws InterruptedException {
        monitor.window(WINDOW);
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named(POOL)
                .size(WORKERS)
                .queueCapacity(64)
                .build();
        long begin = System.nanoTime();
        try {
            while (monitor.windows(POOL).size() < WINDOWS && System.nanoTime() - begin < AT_MOST.toNanos()) {
                pool.execute(() -> {
                    Hashing.micros(100);
                    Waiting.millis(1); // waiting workers are suspect, and leave the CPU to the monitor
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
