package io.lifeguard.pool;

import io.lifeguard.pool.queue.Place;
import io.lifeguard.pool.queue.WorkQueue;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * A submitter that waits for room in a full pool, as all other classes see it. How it waits is the matter of
 * {@link SubmissionWait}, which a {@link BlockingWaitPolicy} begins. Confined to the submitting thread.
 */
abstract class WaitForRoom extends Place {

    final Thread submitter = Thread.currentThread();
    final ThreadPoolExecutor executor;

    WaitForRoom(boolean isWorker, ThreadPoolExecutor executor) {
        super(isWorker);
        this.executor = executor;
    }

    /** Waits at the queue of an instrumented pool. Returns when the task was accepted; refusals are thrown. */
    abstract void waitAt(WorkQueue queue) throws InterruptedException;

    /**
     * Waits for a queue that keeps no line of submitters. Returns when the task was accepted, or run here; refusals are
     * thrown.
     */
    abstract void waitInLine(Offer queue) throws InterruptedException;

    /**
     * Lets this submitter in next, at the queue of an instrumented pool. Called by another thread. Stands here, because
     * the first pool of the JVM would wait for this class if its boundary passed an object of it to the queue.
     */
    final void promoteAt(WorkQueue queue) {
        queue.promote(this);
    }

    /** Lets this submitter in next. Called by another thread, which would wait for this one. */
    abstract void promote();

    /** Puts the task into the pool's queue, waiting up to so many nanoseconds for room. */
    @FunctionalInterface
    interface Offer {
        boolean offer(Runnable task, long nanos) throws InterruptedException;
    }
}
