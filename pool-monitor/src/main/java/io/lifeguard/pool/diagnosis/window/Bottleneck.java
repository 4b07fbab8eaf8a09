package io.lifeguard.pool.diagnosis.window;

/**
 * What limits a pool's throughput. A pool has one bottleneck per window, so that no two findings give opposite advice.
 */
public enum Bottleneck {
    /** The CPUs: more work needs more of them, or less CPU time per task. */
    CPU,
    /** A lock that workers wait for. */
    LOCK,
    /** A limited resource within the process that workers queue for: connections, permits. */
    LINE,
    /** Something outside the process that workers wait for. */
    OUTSIDE,
    /** Tasks of the pool's own queue, whose results workers wait for. */
    OWN_TASKS,
    /** Another pool, for whose results workers wait. */
    OTHER_POOL,
    /** The dispatcher: it submits too little to keep the workers busy, while tasks would be there. */
    DISPATCHER,
    /** Nothing: workers idle because there is no more work. */
    NONE,
    /** Not known yet. */
    UNKNOWN
}
