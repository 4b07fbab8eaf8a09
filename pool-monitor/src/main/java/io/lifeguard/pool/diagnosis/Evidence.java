package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.window.PoolWindow;

/** Evidence that is too costly to collect in full for every window. A {@link Rule} asks for it on suspicion. */
public enum Evidence {
    /**
     * The operating system's times of each worker: {@link PoolWindow#workers()} with CPU time, run-queue delay and
     * switches.
     */
    WORKERS,
    /**
     * More stacks of the workers, and so smaller errors in {@link PoolWindow#breakdown()}. Some stacks are taken of
     * every pool, whether a rule asks for them or not.
     */
    STACKS
}
