package io.lifeguard.pool.benchmarks.rivals;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Makes the submitter wait in {@code queue.put}. Thread-safe. For benchmarks only: if the pool is shut down in the
 * meantime, the task never runs.
 */
final class PutWhenFull implements RejectedExecutionHandler {
    static final String DESCRIPTION = "queue.put in the rejection handler";

    @Override
    public void rejectedExecution(Runnable task, ThreadPoolExecutor pool) {
        try {
            pool.getQueue().put(task);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RejectedExecutionException("interrupted while waiting for room", e);
        }
    }
}
