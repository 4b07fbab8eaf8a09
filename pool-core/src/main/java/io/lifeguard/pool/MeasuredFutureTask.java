package io.lifeguard.pool;

import io.lifeguard.pool.measure.KindNames;
import io.lifeguard.pool.os.Unknown;
import io.lifeguard.pool.queue.PostponedTasks;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The future that {@code submit} makes in an instrumented pool. It knows the kind of its task, tells the worker when
 * the task failed, and knows whether a caller has seen the failure. Thread-safe as {@link FutureTask} is.
 */
final class MeasuredFutureTask<T> extends FutureTask<T> {

    // A class, or a name. Replaced by the name when the future is done, because a user may keep the future for long,
    // and it must not pin the class. Written by the thread that completes the future; a stale read is the class.
    private Object kind;
    private final UnseenFailures failures;

    // Written by the thread that runs the task, before the future shows the failure. A thread that sees the failure
    // also sees this entry.
    private UnseenFailures.@Nullable Followed failure;

    // Written by a submitter before a user's handler gets the task, and so before any queue publishes it. Usually null.
    Submission.@Nullable Handling handling;

    // Written by the submitter before a queue without times publishes the task, and read by the worker. 0 in a queue
    // with times.
    long enqueuedNanos;

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

    /** Whether this is a future of the pool that has these failures. */
    boolean isOf(UnseenFailures poolFailures) {
        return failures == poolFailures;
    }

    Object kind() {
        return kind;
    }

    @Override
    public void run() {
        PoolWorker worker = PoolWorker.current();
        if (worker == null || !begins(worker)) {
            runHandled();
            return;
        }
        try {
            runHandled();
        } finally {
            ended(worker);
        }
    }

    /** Does not throw: the task would be lost, and its future would never be done. */
    private boolean begins(PoolWorker worker) {
        try {
            return worker.futureBegins(this);
        } catch (Error e) {
            worker.instruments.missesTasks();
            return false;
        }
    }

    private static void ended(PoolWorker worker) {
        try {
            worker.endedAt(System.nanoTime(), null);
        } catch (Error e) {
            worker.instruments.missesTasks();
        }
    }

    private void runHandled() {
        Submission.Handling current = handling;
        if (current == null) {
            super.run();
        } else {
            current.run(super::run);
        }
    }

    /** The queue wait of a task that begins at {@code now}, or {@link Unknown#NUMBER}. */
    long waitedUntil(long now) {
        return enqueuedNanos == 0 ? Unknown.NUMBER : now - enqueuedNanos;
    }

    /** Begins with the name of the JDK's class, because messages about rejected tasks quote this text. */
    @Override
    public String toString() {
        return FutureTask.class.getName()
                + super.toString().substring(getClass().getName().length());
    }

    @Override
    protected void done() {
        try {
            if (kind instanceof Class<?> type) {
                kind = KindNames.of(type);
            }
        } catch (Error ignored) { // the class stays
            return;
        }
    }

    /** Whether the task threw. Only the thread that ran the task may call this. */
    boolean hasFailed() {
        return failure != null;
    }

    /** Called only on the thread that ran the task, so the failure belongs to the current task of that worker. */
    @Override
    protected void setException(Throwable thrown) {
        UnseenFailures.Followed followed = follow(thrown);
        super.setException(thrown);
        if (followed != null && isCancelled()) {
            followed.seen(); // a cancelled future cannot show its failure, and its owner does not want it
        }
    }

    /** Does not throw: the future would never be done, and threads that wait for it would wait forever. */
    private UnseenFailures.@Nullable Followed follow(Throwable thrown) {
        try {
            PoolWorker worker = PoolWorker.current();
            if (worker != null) {
                worker.taskFailed();
            }
            UnseenFailures.Followed followed = failures.failed(this, kind, thrown);
            failure = followed;
            return followed;
        } catch (Error ignored) { // the failure is not followed
            return null;
        }
    }

    // ---- asking for the result ----

    @Override
    public T get() throws InterruptedException, ExecutionException {
        if (!isDone()) {
            PostponedTasks.runBeforeWaitingFor(this);
        }
        try {
            return super.get();
        } catch (ExecutionException e) {
            seen();
            throw e;
        }
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (!isDone()) {
            PostponedTasks.runBeforeWaitingFor(this);
        }
        try {
            return super.get(timeout, unit);
        } catch (ExecutionException e) {
            seen();
            throw e;
        }
    }

    /** Overrides a method of Java 19. The failure counts as seen. */
    @SuppressWarnings("MissingOverride")
    public Throwable exceptionNow() {
        try {
            getNow();
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
        throw new IllegalStateException("Task completed with a result");
    }

    /** Overrides a method of Java 19. The failure counts as seen, because this method throws. */
    @SuppressWarnings("MissingOverride")
    public T resultNow() {
        try {
            return getNow();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Task completed with exception");
        }
    }

    private T getNow() throws ExecutionException {
        if (!isDone()) {
            throw new IllegalStateException("Task has not completed");
        }
        try {
            return get();
        } catch (CancellationException e) {
            throw new IllegalStateException("Task was cancelled");
        } catch (InterruptedException e) {
            throw new AssertionError("a future that is done does not wait", e);
        }
    }

    private void seen() {
        try {
            UnseenFailures.Followed followed = failure;
            if (followed != null) {
                followed.seen();
            }
        } finally {
            Reference.reachabilityFence(this); // so that the future is not collected before its entry is marked
        }
    }
}
