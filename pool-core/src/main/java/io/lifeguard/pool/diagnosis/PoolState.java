package io.lifeguard.pool.diagnosis;

/** What a pool is doing with its life. */
public enum PoolState {
    /** Accepts tasks. */
    RUNNING,
    /** Was told to shut down and has not ended yet. */
    SHUTTING_DOWN,
    /** Has ended. */
    TERMINATED
}
