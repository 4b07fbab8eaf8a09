package io.lifeguard.pool.queue;

import org.jspecify.annotations.Nullable;

/**
 * The workers of the pool that owns a {@link WorkQueue}. Implementations are thread-safe; the queue keeps them strongly
 * reachable, so one that must not keep its pool alive does not refer to the pool.
 */
public interface QueueWorkers {
    /** Returns the worker that runs on the calling thread, or null when the thread is no worker of this pool. */
    @Nullable
    QueueWorker current();

    /**
     * Tasks are about to be drained. A pool that was shut down ends the waiting for room now, so that the waiting
     * producers do not get the room that is made.
     */
    default void draining() {}

    /**
     * The calling thread is about to poll. Returns whether it is a saturation handler of the pool that makes room for
     * its own task. Then the room is kept for it, although other producers may wait.
     */
    default boolean makesRoomForItself() {
        return false;
    }

    /**
     * The queue refuses a task of the calling thread. Returns whether the thread has {@linkplain #makesRoomForItself
     * made room for itself}, and uses it up. Then the task is enqueued in spite of all.
     */
    default boolean usesRoomOfItsOwn() {
        return false;
    }

    /**
     * The calling thread has enqueued this task, while some thread runs a {@linkplain WorkQueue#handlerBegins()
     * saturation handler}.
     */
    default void enqueued(Runnable task) {}
}
