package io.lifeguard.examples.fleet;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** The pools of a fleet member and the threads that submit to them. Confined to the thread that creates it. */
final class Ward implements AutoCloseable {

    /** The name of the healthy pool, which every member has. */
    static final String HEALTHY = "web";

    private static final Duration GRACE = Duration.ofSeconds(2);

    private final List<ExecutorService> pools = new ArrayList<>();
    private final List<Feeder> feeders = new ArrayList<>();

    /** Starts with the healthy pool: on average two of its five workers are busy. */
    static Ward open() {
        Ward ward = new Ward();
        InstrumentedThreadPoolExecutor pool = ward.admit(InstrumentedThreadPoolExecutor.named(HEALTHY)
                .size(5)
                .queueCapacity(200)
                .build());
        ward.feed(pool, 100, new Errand(Duration.ofMillis(20)));
        return ward;
    }

    /** Adds a pool, which is shut down when this object is closed. */
    InstrumentedThreadPoolExecutor admit(InstrumentedThreadPoolExecutor pool) {
        pools.add(pool);
        return pool;
    }

    /** Starts one more thread that submits to the pool at that rate. */
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
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
