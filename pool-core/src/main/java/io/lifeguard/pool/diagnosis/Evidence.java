package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.window.PoolWindow;

/** What costs too much to be collected for every window, and so is collected only while a {@link Rule} asks for it. */
public enum Evidence {
    /**
     * What the operating system knows of each worker: {@link PoolWindow#workers()} with CPU time, run-queue delay and
     * switches.
     */
    WORKERS,
    /** Sampled stacks of the workers, and the locks they wait for: {@link PoolWindow#stacks()}. */
    STACKS
}
