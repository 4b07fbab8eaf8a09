package io.lifeguard.examples.orders.sickness;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.workbench.Hashing;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** Each request creates a pool, uses it once and forgets it. The cure shuts all of them down. */
@Component
@Profile("clinic")
final class PoolLeaked extends Sickness {

    private static final int MAX_POOLS = 60; // so that the application does not run out of memory
    private static final int WORKERS = 2;

    private final Queue<ExecutorService> forgotten = new ConcurrentLinkedQueue<>();

    PoolLeaked() {
        super("pool-leaked", "PoolLeaked", "each request makes a pool of its own and never ends it");
    }

    @Override
    void outbreak(Traffic traffic) {
        traffic.arrivals(20, () -> {
            if (forgotten.size() < MAX_POOLS) {
                ExecutorService pool = InstrumentedExecutors.newFixedThreadPool(WORKERS);
                forgotten.add(pool);
                pool.execute(() -> Hashing.micros(200));
            }
        });
    }

    @Override
    void cure() {
        for (ExecutorService pool = forgotten.poll(); pool != null; pool = forgotten.poll()) {
            pool.shutdown();
        }
    }
}
