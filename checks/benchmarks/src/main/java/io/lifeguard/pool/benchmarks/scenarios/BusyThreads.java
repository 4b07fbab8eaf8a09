package io.lifeguard.pool.benchmarks.scenarios;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Another pool of the same JVM, whose workers compute until this is closed. Used by one thread. */
final class BusyThreads implements AutoCloseable {
    private static final int STEPS = 10_000;

    private final ThreadPoolExecutor pool;

    private BusyThreads(ThreadPoolExecutor pool) {
        this.pool = pool;
    }

    /** Starts so many threads, which may be none. */
    static BusyThreads start(int threads) {
        int size = Math.max(1, threads);
        ThreadPoolExecutor pool = new ThreadPoolExecutor(size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        for (int i = 0; i < threads; i++) {
            pool.execute(() -> {
                while (!pool.isShutdown()) {
                    Spin.spin(STEPS);
                }
            });
        }
        return new BusyThreads(pool);
    }

    @Override
    public void close() {
        pool.shutdown();
        try {
            if (!pool.awaitTermination(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the busy threads have not ended within 10 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the busy threads ended", e);
        }
    }
}
