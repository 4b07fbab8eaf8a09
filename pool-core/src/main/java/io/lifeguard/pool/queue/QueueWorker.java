package io.lifeguard.pool.queue;

/**
 * What a worker learns from its queue: the queue is the boundary between two tasks. Every method is called by the
 * worker's own thread, from {@link WorkQueue#take()} and the timed {@link WorkQueue#poll(long,
 * java.util.concurrent.TimeUnit) poll} only, so an implementation needs no synchronisation for its own writes.
 *
 * <p>The calls of one {@code take} are {@code returned}, then {@code took} when a task was there at once, else {@code
 * idle}, {@code parking} any number of times, and {@code took}. One that ends with null or an exception makes no
 * further call. Implementations are short and do not throw.
 */
public interface QueueWorker {
    /** The worker is back: whatever it ran before has ended. */
    void returned();

    /** Nothing is there to take: the worker is about to search, and then to park. */
    void idle();

    /** The worker searched in vain and is about to park; repeated after a wake-up that brought no task. */
    void parking();

    /**
     * The worker leaves with a task.
     *
     * @param task the very object that was enqueued
     * @param enqueuedNanos the {@link System#nanoTime()} at which it was
     */
    void took(Runnable task, long enqueuedNanos);
}
