package io.lifeguard.pool;

import io.lifeguard.pool.queue.QueueWorker;
import io.lifeguard.pool.queue.QueueWorkers;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * What a queue of ours knows of its pool. It does not keep the pool: whoever keeps the queue, for a gauge perhaps, must not keep
 * the pool with it. Thread-safe.
 */
final class PoolWorkers implements QueueWorkers {

    private final WeakReference<Instruments> pool;

    PoolWorkers(Instruments pool) {
        this.pool = new WeakReference<>(pool);
    }

    @Override
    public @Nullable QueueWorker current() {
        PoolWorker worker = PoolWorker.current();
        return worker != null && worker.isOneOf(this) ? worker : null;
    }

    @Override
    public void draining() {
        Instruments instruments = pool.get();
        if (instruments != null) {
            instruments.draining();
        }
    }
}
