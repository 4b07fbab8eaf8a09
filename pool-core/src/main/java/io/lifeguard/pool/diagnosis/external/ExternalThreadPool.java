package io.lifeguard.pool.diagnosis.external;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.WorkerState;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * An external {@link ThreadPoolExecutor}. Its getters take the lock that starting and ending workers take, and that no
 * task takes.
 */
final class ExternalThreadPool extends ExternalPool<ThreadPoolExecutor> {

    private final ExternalWorkers workers;

    ExternalThreadPool(ThreadPoolExecutor pool, String name) {
        super(pool, name);
        this.workers = new ExternalWorkers(name);
    }

    @Override
    PoolSnapshot read(ThreadPoolExecutor executor) {
        long completed = executor.getCompletedTaskCount(); // first: a task must not count as active and completed
        return snapshot(
                executor.getPoolSize(),
                executor.getActiveCount(),
                executor.getQueue().size(),
                completed,
                new Limits(
                        executor.getCorePoolSize(),
                        executor.getMaximumPoolSize(),
                        executor.getQueue().remainingCapacity()));
    }

    @Override
    List<WorkerState> workers(ThreadPoolExecutor executor) {
        int size = executor.getPoolSize();
        int active = executor.getActiveCount();
        return workers.find(size).stream()
                .map(thread -> worker(thread, active >= size, active == 0))
                .toList();
    }
}
