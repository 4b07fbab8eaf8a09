package io.lifeguard.pool.diagnosis.window;

/** What a worker does. */
public enum Doing {
    /** Runs on a CPU. Where the system does not tell, it may also be ready to run and wait for one. */
    COMPUTING,
    /** Is ready to run, and waits for a CPU. */
    WAITING_FOR_CPU,
    /** Waits for a lock: to enter a {@code synchronized} block, or for one of {@code java.util.concurrent.locks}. */
    WAITING_FOR_LOCK,
    /** Waits for the result of another task: a future, a latch, a completion. */
    WAITING_FOR_RESULT,
    /**
     * Waits within the process for a limited resource or a notification: a semaphore, a connection pool, a queue, a
     * condition, {@link Object#wait()}.
     */
    WAITING_IN_LINE,
    /** Waits for something outside the process: the network, a file, another process. */
    WAITING_OUTSIDE,
    /** Waits in {@link Thread#sleep}, or for a time to pass. */
    SLEEPING,
    /** Has nothing to do: waits in its pool for a task. */
    IDLE,
    /** The worker was not looked at, or the look did not tell. */
    UNKNOWN;

    /**
     * {@return whether a worker that does this holds a task and waits within the process, neither for a CPU nor for
     * time}
     */
    public boolean isWaitInside() {
        return this == WAITING_FOR_LOCK || this == WAITING_FOR_RESULT || this == WAITING_IN_LINE;
    }
}
