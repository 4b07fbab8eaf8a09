package io.lifeguard.pool.diagnosis.window;

/** What a thread does at the moment its stack is sampled. */
public enum Doing {
    /** Runs on a CPU, or wants one: which of the two is a matter of {@link ThreadTimes#runQueueDelay()}. */
    RUNNING,
    /** Wants to enter a {@code synchronized} block or method, or to come back into one after {@link Object#wait()}. */
    BLOCKED_ON_MONITOR,
    /** Waits for a lock of {@code java.util.concurrent.locks}. */
    BLOCKED_ON_LOCK,
    /** Waits for the result of another task: a future, a latch, a completion. */
    WAITING_FOR_RESULT,
    /** Waits for the network, a file or another process. */
    WAITING_FOR_IO,
    /** Waits in {@link Thread#sleep} or for a time to pass. */
    SLEEPING,
    /**
     * Waits for something else: a queue, a condition or a notification, a semaphore, a connection of a connection pool.
     */
    PARKED,
    /** Has nothing to do: waits in its pool for a task. */
    IDLE
}
