package io.lifeguard.pool;

import java.lang.invoke.MethodHandles;
import java.lang.ref.Reference;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What {@code submit} puts into our queues: a future that knows the kind of its task, tells the worker when the task failed, and knows
 * whether anybody has asked for a failure. Thread-safe as {@link FutureTask} is.
 */
class MeasuredFutureTask<T> extends FutureTask<T> {

    private final Object kind;
    private final UnseenFailures failures;

    /** Written by the thread that runs the task, before the future shows the failure; so who sees that sees this. */
    private UnseenFailures.@Nullable Followed failure;

    /** Written by a submitter before a user's handler gets the task, and so before any queue publishes it. Usually null. */
    private @Nullable HandlerWatch watch;

    MeasuredFutureTask(UnseenFailures failures, Callable<T> task) {
        super(task);
        this.failures = failures;
        this.kind = Tasks.kindOf(task);
    }

    MeasuredFutureTask(UnseenFailures failures, Runnable task, T result) {
        super(task, result);
        this.failures = failures;
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
        PoolWorker worker = PoolWorker.current();
        if (worker != null) {
            worker.runsInside(kind);
        }
        HandlerWatch watching = watch;
        if (watching == null) {
            super.run();
        } else {
            watching.run(super::run);
        }
    }

    /** As the JDK's own futures describe themselves, since messages about rejected tasks quote it. */
    @Override
    public String toString() {
        return FutureTask.class.getName()
                + super.toString().substring(getClass().getName().length());
    }

    /** Whether the task threw; to be asked by the thread that ran it. */
    final boolean hasFailed() {
        return failure != null;
    }

    /** Called on the thread that ran the task, and only there: the failure belongs to what that thread runs now. */
    @Override
    protected void setException(Throwable thrown) {
        UnseenFailures.Followed followed = failures.failed(this, thrown);
        failure = followed;
        PoolWorker worker = PoolWorker.current();
        if (worker != null) {
            worker.taskFailed();
        }
        super.setException(thrown);
        if (isCancelled()) {
            followed.seen(); // nobody can see it any more, and nobody wanted to
        }
    }

    // ---- asking for the result ----

    @Override
    public T get() throws InterruptedException, ExecutionException {
        try {
            return super.get();
        } catch (ExecutionException e) {
            seen();
            throw e;
        }
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return super.get(timeout, unit);
        } catch (ExecutionException e) {
            seen();
            throw e;
        }
    }

    /** Java 19's, which cannot be named where 17 is the oldest: to see the exception is to ask for it. */
    @SuppressWarnings("MissingOverride")
    public Throwable exceptionNow() {
        Throwable thrown = FutureNow.exception(this);
        seen();
        return thrown;
    }

    /** Java 19's, too: of a failed task it says that there is no result. */
    @SuppressWarnings("MissingOverride")
    public T resultNow() {
        try {
            return FutureNow.result(this);
        } catch (IllegalStateException e) {
            if (isDone()) {
                seen();
            }
            throw e;
        }
    }

    /** To call what this class overrides without being able to name it. */
    static MethodHandles.Lookup superMethods() {
        return MethodHandles.lookup();
    }

    private void seen() {
        try {
            UnseenFailures.Followed followed = failure;
            if (followed != null) {
                followed.seen();
            }
        } finally {
            Reference.reachabilityFence(this); // not collected before it is marked
        }
    }
}
