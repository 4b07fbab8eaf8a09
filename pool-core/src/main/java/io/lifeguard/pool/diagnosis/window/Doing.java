package io.lifeguard.pool.diagnosis.window;

/** What a thread does at the moment its stack is sampled. */
public enum Doing {
    /** Runs on a CPU, or is ready to run: {@link ThreadTimes#runQueueDelay()} tells how long it waited for one. */
    RUNNING,
    /** Waits to enter a {@code synchronized} block or method, or to enter it again after {@link Object#wait()}. */
    BLOCKED_ON_MONITOR,
    /** Waits for a lock of {@code java.util.concurrent.locks}. */
    BLOCKED_ON_LOCK,
    /** Waits for the result of another task: a future, a latch, a completion. */
    WAITING_FOR_RESULT,
    /** Waits for the network, a file or another process. */
    WAITING_FOR_IO,
    /** Waits in {@link Thread#sleep}, or for a time to pass. */
    SLEEPING,
    /**
     * Waits for another reason: a queue, a condition, a notification, a semaphore, or a connection of a connection
     * pool.
     */
    PARKED,
    /** Has nothing to do: waits in its pool for a task. */
    IDLE
}
