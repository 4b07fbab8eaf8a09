package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.window.PoolWindow;

/** Evidence that is too costly to collect for every window. It is collected only while a {@link Rule} asks for it. */
public enum Evidence {
    /**
     * The operating system's times of each worker: {@link PoolWindow#workers()} with CPU time, run-queue delay and
     * switches.
     */
    WORKERS,
    /** Sampled stacks of the workers, and the locks they wait for: {@link PoolWindow#stacks()}. */
    STACKS
}
