package io.lifeguard.pool.diagnosis.outside;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.os.LiveThreads;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * An external {@link ForkJoinPool}.
 *
 * <p>Such a pool does not count completed tasks. Its steals are no such number: they count the tasks that workers took
 * from elsewhere than from their own stack, and depend on how many workers there are.
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
                PoolSnapshot.UNKNOWN,
                new Limits(parallelism, parallelism, Integer.MAX_VALUE));
    }

    @Override
    List<WorkerState> workers(ForkJoinPool executor) {
        int size = executor.getPoolSize();
        int active = executor.getActiveThreadCount();
        List<Thread> threads = LiveThreads.all().stream()
                .filter(thread -> thread instanceof ForkJoinWorkerThread worker && worker.getPool() == executor)
                .toList();
        return states(threads, active >= size, active == 0);
    }
}
