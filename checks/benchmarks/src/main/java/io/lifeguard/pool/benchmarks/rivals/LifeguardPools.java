package io.lifeguard.pool.benchmarks.rivals;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.benchmarks.rivals.RivalPool.Times;
import java.util.concurrent.ExecutorService;

/** Lifeguard's pools with their defaults, so that everything is measured. */
final class LifeguardPools {
    private LifeguardPools() {}

    static RivalPool start(int workers, int queueCapacity) {
        ExecutorService pool = queueCapacity == Rival.UNBOUNDED
                ? InstrumentedExecutors.newFixedThreadPool(workers)
                : InstrumentedThreadPoolExecutor.named("benchmark")
                        .size(workers)
                        .queueCapacity(queueCapacity)
                        .build();
        InstrumentedPool measured = (InstrumentedPool) pool;
        return new RivalPool(pool, () -> times(measured.snapshot()));
    }

    private static Times times(PoolSnapshot snapshot) {
        return new Times(
                snapshot.cpuTime().total().toNanos(),
                snapshot.overhead().idleCpuTime().toNanos(),
                snapshot.queueWait().total().toNanos(),
                snapshot.serviceTime().total().toNanos());
    }
}
