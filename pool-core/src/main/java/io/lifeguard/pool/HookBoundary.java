package io.lifeguard.pool;

import io.lifeguard.pool.Distribution.Accuracy;
import io.lifeguard.pool.measure.Counter;
import io.lifeguard.pool.measure.WaitProbe;
import io.lifeguard.pool.os.Unknown;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The task boundary of a scheduled pool, and of a pool whose queue is no {@link io.lifeguard.pool.queue.WorkQueue}:
 * {@code beforeExecute} begins a task, and {@code afterExecute} ends it. Thread-safe.
 */
/*
 * A subclass may override the hooks without calling super. Then the futures that submit() makes begin and end their own
 * measurement, and raw tasks are not measured.
 *
 * The queue wait of a future is exact, because the future carries the time at which it was enqueued. The queue wait of
 * a scheduled task is its lateness. For raw tasks a WaitProbe measures a sample.
 *
 * A task is counted as accepted after the executor took it. So the number of tasks that workers have begun is a lower
 * bound.
 */
final class HookBoundary extends TaskBoundary {

    private final BlockingQueue<Runnable> queue; // the executor's own; a subclass may override the getter
    private final @Nullable WaitProbe probe; // null in a scheduled pool

    /** A queue of at most this length is searched at once for what a user's handler has put into it. */
    private static final int SEARCHED = 64;

    // all written by submitters; a stale read misses the latest
    private final Counter accepted = new Counter();
    private final Counter removed = new Counter(); // accepted tasks that users took out with remove()
    private final Counter untraced = new Counter(); // tasks whose handler left no trace

    // how many of those did certainly not reach the pool: written by readers, and only grows
    private final AtomicLong lost = new AtomicLong();

    /** A method, because a constructor's call would load this class for a pool that has the other boundary. */
    static TaskBoundary of(Instruments instruments, ThreadPoolExecutor executor, BlockingQueue<Runnable> queue) {
        return new HookBoundary(instruments, executor, queue);
    }

    private HookBoundary(Instruments instruments, ThreadPoolExecutor executor, BlockingQueue<Runnable> queue) {
        super(instruments, executor);
        this.queue = queue;
        this.probe = executor instanceof ScheduledThreadPoolExecutor ? null : new WaitProbe();
    }

    // ---- submitting ----

    @Override
    void submitting(Runnable task) {
        if (task instanceof MeasuredFutureTask<?> future) {
            future.enqueuedNanos = System.nanoTime();
        } else if (probe != null) {
            probe.submitted(task);
        }
    }

    /**
     * Counts the task if the executor took it. If the thread factory throws, {@code execute} throws too. The task may
     * then be in the queue, because the executor calls the factory for a queued task when it has no worker. Such a task
     * stays there, as in the JDK. It is not counted if a worker takes it at this very moment.
     */
    @Override
    void submitted(@Nullable Runnable task, boolean returned) {
        boolean isStackEmpty = Submission.isStackEmpty();
        if (!isStackEmpty && Submission.TurnedAway.take(executor)) {
            return;
        }
        if (!returned) {
            if (task != null && isQueued(task)) {
                accepted.increment();
            }
            return;
        }
        accepted.increment();
        if (!isStackEmpty && task != null) {
            Submission.settle(task);
        }
    }

    /** Compares by identity, because a user's {@code equals} may throw. So may a user's queue: then false. */
    private boolean isQueued(Runnable task) {
        try {
            for (Runnable queued : queue) {
                if (queued == task) {
                    return true;
                }
            }
        } catch (RuntimeException ignored) {
            return false; // it cannot be iterated, or not now
        }
        return false;
    }

    @Override
    void handlerCalled(Runnable task) {
        if (probe != null) {
            probe.withdraw(task);
        }
    }

    @Override
    Submission.TurnedAway refusalMark() {
        return new Submission.TurnedAway(executor);
    }

    /** Compares by identity. The same object may have been submitted several times. */
    @Override
    int occurrences(Runnable task) {
        try {
            return count(task);
        } catch (RuntimeException ignored) {
            return UNKNOWN; // a user's queue that cannot be iterated, or not now
        }
    }

    private int count(Runnable task) {
        boolean sizeVisitsAll = queue instanceof LinkedTransferQueue;
        if (!sizeVisitsAll && queue.size() > SEARCHED) {
            return UNKNOWN;
        }
        int found = 0;
        int seen = 0;
        for (Runnable queued : queue) {
            if (++seen > SEARCHED) {
                return UNKNOWN;
            }
            found += queued == task ? 1 : 0;
        }
        return found;
    }

    @Override
    void leftToHandler() {
        untraced.increment();
        instruments.saturation.reportRejected(RejectionReason.LEFT_TO_HANDLER);
    }

    /**
     * A handler may have put its task into a long queue, where a search would take too long. So the tasks in the pool
     * are compared with those accepted: what is beyond, handlers have put there. Every figure is read in the order that
     * makes this an upper bound.
     */
    @Override
    long lostInHandlers() {
        long all = untraced.sum();
        if (all == 0) {
            return 0;
        }
        long known = accepted.sum() - removed.sum();
        long unbegun = (long) queue.size() + instruments.tasksInTransit();
        long enqueued = unbegun + instruments.recorder.read().begun() - known;
        return lost.accumulateAndGet(all - Math.max(0, Math.min(all, enqueued)), Math::max);
    }

    @Override
    void waitForRoom(WaitForRoom wait) throws InterruptedException {
        wait.waitInLine(this::offer);
    }

    /** Waits at the queue, on behalf of a saturation policy. Returns whether the queue took the task in time. */
    private boolean offer(Runnable task, long nanos) throws InterruptedException {
        boolean enqueued = false;
        submitting(task);
        try {
            enqueued = queue.offer(task, nanos, TimeUnit.NANOSECONDS);
        } finally {
            if (!enqueued) {
                handlerCalled(task);
            }
        }
        if (enqueued) {
            enqueuedByHandler(task);
        }
        return enqueued;
    }

    @Override
    void accepted() {
        accepted.increment();
    }

    @Override
    void withdrawn() {
        accepted.decrement();
    }

    @Override
    void removed(Runnable task) {
        if (probe != null) {
            probe.take(task);
        }
        if (!executor.isShutdown()) { // otherwise execute itself may have removed it, before it was counted
            removed.increment();
        }
    }

    @Override
    void drained(int tasks) {
        removed.add(tasks);
    }

    // ---- workers ----

    @Override
    @Nullable
    Thread newThread(ThreadFactory factory, Runnable body) {
        return factory.newThread(new Worker(instruments, body));
    }

    @Override
    void beforeExecute(Runnable task) {
        Worker worker = currentWorker();
        if (worker == null) {
            return;
        }
        long now = System.nanoTime();
        WaitProbe.Sample sample;
        if (task instanceof MeasuredFutureTask<?> future) {
            worker.before(task, now, future.waitedUntil(now));
        } else if (task instanceof Delayed delayed) {
            worker.before(task, now, lateness(delayed));
        } else if (probe != null && (sample = probe.take(task)) != null) {
            worker.beforeSampled(task, now, sample);
        } else {
            worker.before(task, now, Unknown.NUMBER);
        }
    }

    /** How late a scheduled task is; {@link Unknown#NUMBER} if the user's own {@code getDelay} throws. */
    static long lateness(Delayed task) {
        try {
            return Math.max(0, -task.getDelay(TimeUnit.NANOSECONDS));
        } catch (RuntimeException ignored) {
            return Unknown.NUMBER; // an exception of a user's class would otherwise end the worker
        }
    }

    @Override
    void afterExecute(@Nullable Throwable thrown) {
        Worker worker = currentWorker();
        if (worker != null) {
            worker.endedAt(System.nanoTime(), thrown);
        }
    }

    private @Nullable Worker currentWorker() {
        return PoolWorker.current() instanceof Worker worker && worker.instruments == instruments ? worker : null;
    }

    // ---- reading ----

    @Override
    long submitted() {
        return accepted.sum();
    }

    @Override
    Accuracy queueWaitAccuracy() {
        return probe == null ? Accuracy.EXACT : Accuracy.SAMPLED;
    }

    /** A worker that learns from the executor's hooks, or from futures, where tasks begin and end. */
    private static final class Worker extends PoolWorker {

        private @Nullable Runnable future; // the task that runs now, if beforeExecute was called with a future

        Worker(Instruments instruments, Runnable body) {
            super(instruments, body);
        }

        /**
         * From {@code beforeExecute}.
         *
         * @param wait queue wait in nanoseconds, or {@link Unknown#NUMBER}
         */
        void before(Runnable task, long now, long wait) {
            if (isRunning()) {
                recorder.abandon(now); // a subclass overrides afterExecute without calling super
            }
            begin(Tasks.kindOf(task), now, wait);
            future = task instanceof MeasuredFutureTask<?> ? task : null;
        }

        /** From {@code beforeExecute}, for a task whose queue wait stands for several tasks. */
        void beforeSampled(Runnable task, long now, WaitProbe.Sample sample) {
            before(task, now, Unknown.NUMBER);
            waitNanos = now - sample.enqueuedNanos;
            recorder.sampledWait(waitNanos, sample.weight);
        }

        @Override
        boolean futureBegins(MeasuredFutureTask<?> task) {
            if (isRunning()) {
                super.futureBegins(task);
                return future == task && !instruments.isAfterExecuteSeen;
            }
            long now = System.nanoTime();
            begin(task.kind(), now, task.waitedUntil(now));
            return true;
        }

        @Override
        long end(long now) {
            future = null;
            return super.end(now);
        }
    }
}
