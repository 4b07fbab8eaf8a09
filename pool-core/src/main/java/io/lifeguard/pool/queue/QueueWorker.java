package io.lifeguard.pool.queue;

/**
 * Tells a worker what happens in its queue, which is the boundary between two tasks. Every method is called by the
 * worker's own thread, from {@link WorkQueue#take()} and the timed {@link WorkQueue#poll(long,
 * java.util.concurrent.TimeUnit) poll} only, so an implementation needs no synchronisation for its own writes.
 *
 * <p>The calls of one {@code take} are {@code returned}, then {@code took} when a task was there at once, else
 * {@code idle}, {@code parking} any number of times, {@code delayed} and {@code took}. Otherwise {@code delayed} may
 * come before {@code took}. A {@code take} that ends with null or an exception makes no further call. Implementations
 * are short and do not throw.
 */
public interface QueueWorker {
    /** The worker has come back to the queue: the task that it ran before has ended. */
    void returned();

    /** The queue is empty: the worker is about to search, and then to park. */
    void idle();

    /** The worker has found no task and is about to park; repeated after a wake-up that brought no task. */
    void parking();

    /** The worker has a task, and has waited for it, or has let waiting submitters in before it leaves. */
    default void delayed() {}

    /**
     * The worker leaves with a task.
     *
     * @param task the very object that was enqueued
     * @param enqueuedNanos the {@link System#nanoTime()} at which it was
     */
    void took(Runnable task, long enqueuedNanos);
}
