package io.lifeguard.pool;

import io.lifeguard.pool.Distribution.Accuracy;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Sees where the tasks of one pool begin and end, and counts the tasks that the pool accepted. Thread-safe. An executor
 * gets one of the two kinds when it is constructed: {@link QueueBoundary} for a queue of this library,
 * {@link HookBoundary} for any other queue.
 */
abstract sealed class TaskBoundary permits QueueBoundary, HookBoundary {

    static final int UNKNOWN = -1;

    final Instruments instruments;
    final ThreadPoolExecutor executor;

    TaskBoundary(Instruments instruments, ThreadPoolExecutor executor) {
        this.instruments = instruments;
        this.executor = executor;
    }

    // ---- submitting ----

    /** Whether {@code execute} can only offer the task to the queue. Then the submission need not be followed. */
    boolean isStaffed(int maximumSize) {
        return false;
    }

    abstract void submitting(Runnable task);

    /**
     * Called after the executor's method.
     *
     * @param task the task; null if it is an object that the executor made and does not show
     * @param returned whether the method returned; otherwise it threw
     */
    abstract void submitted(@Nullable Runnable task, boolean returned);

    /** The executor did not take the task, and asks the saturation handler. */
    void handlerCalled(Runnable task) {}

    /**
     * Makes the mark that is left when the saturation handler has ended; null for none. Called before the handler,
     * because the handler may get the task accepted, and no Error may leave afterwards.
     */
    Submission.@Nullable TurnedAway refusalMark() {
        return null;
    }

    /** The saturation handler has ended, normally or not. */
    void handlerEnded() {}

    /** This thread begins to run a user's own handler, which may put its task into the queue. */
    void handlingBegins() {}

    /** The user's handler has returned or thrown. */
    void handlingEnds() {}

    /** How often the queue holds this very task; {@link #UNKNOWN} if that is unknown at a glance. */
    int occurrences(Runnable task) {
        return UNKNOWN;
    }

    /** A user's handler has returned, and left no trace of what it did with its task. */
    void leftToHandler() {
        instruments.saturation.rejected(RejectionReason.LEFT_TO_HANDLER);
    }

    /** Waits until the pool has accepted the task; refusals are thrown. */
    abstract void waitForRoom(WaitForRoom wait) throws InterruptedException;

    /** The task was put into the queue, but not by {@code execute}. */
    void accepted() {}

    /** A saturation policy has put the task into the queue. */
    final void enqueuedByHandler(Runnable task) {
        accepted();
        Submission.settle(task);
    }

    /** A saturation policy has taken the task out again, to reject it or to submit it once more. */
    abstract void withdrawn();

    /** The executor, the user or a saturation policy took a task out of the queue. */
    abstract void removed(Runnable task);

    /** The executor was stopped, and so many tasks were taken out of its queue. */
    void drained(int tasks) {}

    /** The pool was shut down: ends the wait of all submitters that wait for room. */
    void releaseWaiters() {}

    /** The pool may grow: lets the first submitter that waits for room submit again. */
    void sizeChanged() {}

    /** All workers may wait for each other, as one that did not has ended: lets waiting workers look again. */
    void workerLost() {}

    /**
     * Lets this submitter in before all others that wait for room, because others wait for it. Returns false if the
     * queue keeps no line of submitters, and does nothing then.
     */
    boolean promote(WaitForRoom wait) {
        return false;
    }

    /**
     * Enqueues the task beyond the capacity of the queue, without waiting. Returns false if the queue does not allow
     * that.
     */
    boolean exceed(Runnable task) {
        return false;
    }

    /**
     * Enqueues the task in the place of the oldest, in one step. Returns false if the queue cannot do that, and does
     * nothing then.
     */
    boolean replaceOldest(Runnable task) {
        return false;
    }

    /** Takes cancelled futures out of the queue, if this class can do so faster than the executor. */
    void purge() {}

    // ---- workers ----

    /** Makes the thread of a new worker; null if the user's factory answers null. */
    abstract @Nullable Thread newThread(ThreadFactory factory, Runnable body);

    abstract void beforeExecute(Runnable task);

    abstract void afterExecute(@Nullable Throwable thrown);

    // ---- reading ----

    /** How many tasks were accepted and not taken back. Read it after the number of tasks that workers have begun. */
    abstract long submitted();

    /**
     * Whether the recorders know all tasks. Otherwise the executor's counts hold.
     *
     * @param begun how many tasks have begun, by the recorders
     */
    boolean recordsAllTasks(long begun) {
        return false;
    }

    long lostInHandlers() {
        return 0;
    }

    /**
     * When the oldest task in the queue was enqueued; {@link Long#MIN_VALUE} if there is none, or if that is unknown.
     */
    long oldestNanos() {
        return Long.MIN_VALUE;
    }

    Accuracy queueWaitAccuracy() {
        return Accuracy.EXACT;
    }
}
