package io.lifeguard.pool.micrometer;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.TimeUnit;

/** Waits until a {@link ScrapeReader} reads its pool again. */
final class Freshness {

    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(ScrapeReader.FRESH_MILLIS);

    private Freshness() {}

    /** Returns when the next reading will be a new one. */
    static void end() {
        long start = System.nanoTime();
        await().until(() -> System.nanoTime() - start > NANOS);
    }
}
