package io.lifeguard.pool;

import java.util.concurrent.Callable;

/**
 * What {@code submit} puts into a queue that is not ours: a measured future that carries its own enqueue time, and that measures
 * itself when a subclass of the pool overrides the hooks without calling {@code super}. Thread-safe as its superclass is.
 */
final class StampedFutureTask<T> extends MeasuredFutureTask<T> {

    /** Written by the submitter before the queue publishes the task, read by the worker. */
    private long enqueuedNanos = System.nanoTime();

    StampedFutureTask(UnseenFailures failures, Callable<T> task) {
        super(failures, task);
    }

    StampedFutureTask(UnseenFailures failures, Runnable task, T result) {
        super(failures, task, result);
    }

    void stamp(long nowNanos) {
        enqueuedNanos = nowNanos;
    }

    long enqueuedNanos() {
        return enqueuedNanos;
    }

    @Override
    public void run() {
        PoolWorker worker = PoolWorker.current();
        if (worker == null || !worker.endsWithItsFuture(this)) {
            super.run();
            return;
        }
        try {
            super.run();
        } finally {
            worker.after(null);
        }
    }
}
