package io.lifeguard.pool;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * What {@code submit} puts into our queues: a future that knows the kind of its task and tells the worker when the task
 * failed. Thread-safe as {@link FutureTask} is.
 */
class MeasuredFutureTask<T> extends FutureTask<T> {

    private final Object kind;

    /** Written by the thread that runs the task, and read by it. */
    private boolean failed;

    /** Written by a submitter before a user's handler gets the task, and so before any queue publishes it. Usually null. */
    private @Nullable HandlerWatch watch;

    MeasuredFutureTask(Callable<T> task) {
        super(task);
        this.kind = Tasks.kindOf(task);
    }

    MeasuredFutureTask(Runnable task, T result) {
        super(task, result);
        this.kind = Tasks.kindOf(task);
    }

    final Object kind() {
        return kind;
    }

    final void watch(@Nullable HandlerWatch newWatch) {
        watch = newWatch;
    }

    @Override
    public void run() {
        HandlerWatch watching = watch;
        if (watching == null) {
            super.run();
        } else {
            watching.run(super::run);
        }
    }

    /** Whether the task threw; to be asked by the thread that ran it. */
    final boolean hasFailed() {
        return failed;
    }

    /** Called on the thread that ran the task, and only there: the failure belongs to what that thread runs now. */
    @Override
    protected void setException(Throwable failure) {
        failed = true;
        PoolWorker worker = PoolWorker.current();
        if (worker != null) {
            worker.taskFailed();
        }
        super.setException(failure);
    }
}
