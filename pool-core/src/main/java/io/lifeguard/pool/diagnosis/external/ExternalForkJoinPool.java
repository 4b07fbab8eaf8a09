package io.lifeguard.pool.diagnosis.external;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.WorkerState;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * A {@link ForkJoinPool} that is not ours. It does not count what it has completed; its steals, which are the tasks
 * that workers took from elsewhere than from their own stack, come closest: one for each task submitted from outside.
 */
public final class ExternalForkJoinPool extends ExternalPool<ForkJoinPool> {

    public ExternalForkJoinPool(ForkJoinPool pool, String name) {
        super(pool, name);
    }

    @Override
    PoolSnapshot read(ForkJoinPool executor) {
        int parallelism = executor.getParallelism();
        long queued = executor.getQueuedTaskCount() + executor.getQueuedSubmissionCount();
        return snapshot(
                executor.getPoolSize(),
                Math.min(executor.getPoolSize(), executor.getActiveThreadCount()),
                (int) Math.min(Integer.MAX_VALUE, queued),
                executor.getStealCount(),
                new Limits(parallelism, parallelism, Integer.MAX_VALUE));
    }

    @Override
    List<WorkerState> workers(ForkJoinPool executor) {
        int size = executor.getPoolSize();
        int active = executor.getActiveThreadCount();
        return ExternalWorkers.allThreads().stream()
                .filter(thread -> thread instanceof ForkJoinWorkerThread worker && worker.getPool() == executor)
                .map(thread -> worker(thread, active >= size, active == 0))
                .toList();
    }
}
