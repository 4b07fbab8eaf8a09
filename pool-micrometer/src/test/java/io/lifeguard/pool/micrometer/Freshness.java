package io.lifeguard.pool.micrometer;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.TimeUnit;

/** For how long a {@link ScrapeReader} answers with what it has read. */
final class Freshness {

    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(ScrapeReader.FRESH_MILLIS);

    private Freshness() {}

    /** Returns when what is read next is not what was read a moment ago. */
    static void end() {
        long start = System.nanoTime();
        await().until(() -> System.nanoTime() - start > NANOS);
    }
}
