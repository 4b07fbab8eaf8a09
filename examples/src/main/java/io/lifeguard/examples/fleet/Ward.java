package io.lifeguard.examples.fleet;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** The pools of a fleet member with those who feed them. Confined to the thread that made it. */
final class Ward implements AutoCloseable {

    /** The pool that every member has, and that nothing is wrong with. */
    static final String HEALTHY = "web";

    private static final Duration GRACE = Duration.ofSeconds(2);

    private final List<ExecutorService> pools = new ArrayList<>();
    private final List<Feeder> feeders = new ArrayList<>();

    /** Opens with the healthy pool at work: two of its five workers are busy in the mean. */
    static Ward open() {
        Ward ward = new Ward();
        InstrumentedThreadPoolExecutor pool = ward.admit(InstrumentedThreadPoolExecutor.named(HEALTHY)
                .size(5)
                .queueCapacity(200)
                .build());
        ward.feed(pool, 100, new Errand(Duration.ofMillis(20)));
        return ward;
    }

    /** Keeps the pool until the end. */
    InstrumentedThreadPoolExecutor admit(InstrumentedThreadPoolExecutor pool) {
        pools.add(pool);
        return pool;
    }

    /** Lets one more thread feed the pool, so many times a second. */
    void feed(InstrumentedThreadPoolExecutor pool, double perSecond, Runnable task) {
        String name = pool.name() + "-dispatcher-" + (feeders.size() + 1);
        feeders.add(Feeder.start(name, perSecond, () -> pool.execute(task)));
    }

    @Override
    public void close() {
        feeders.forEach(Feeder::close);
        pools.forEach(ExecutorService::shutdownNow);
        try {
            for (ExecutorService pool : pools) {
                pool.awaitTermination(GRACE.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
    }
}
