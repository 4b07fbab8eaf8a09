package io.lifeguard.pool.measure;

import java.util.List;

/**
 * The contents of a pool's recorders at one moment, counted since the pool began. Immutable.
 *
 * <p>{@code failed <= completed <= begun} holds at any time. All counts are exact while no task runs.
 *
 * @param completed tasks ended by workers, including failed ones
 * @param queueWait from acceptance to the start of the run, for every task whose acceptance was seen
 * @param service wall time of every run
 * @param cpu CPU time of runs. The total covers all tasks and lags by up to 0.2 ms per busy worker. The distribution
 *     counts each long task, and samples of the short tasks with the number of tasks they stand for
 * @param cpuKnown whether every worker's CPU clock worked all the time; if not, {@code cpu} is meaningless
 * @param blockedSubmit how long submitters waited for room
 * @param callerRun how long submitters ran tasks themselves
 * @param idleNanos how long workers had no task, summed over workers
 * @param idleCpuNanos CPU time that workers burnt in search of work, in parking and in waking
 */
public record PoolReading(
        long begun,
        long completed,
        long failed,
        HistogramSnapshot queueWait,
        HistogramSnapshot service,
        HistogramSnapshot cpu,
        boolean cpuKnown,
        HistogramSnapshot blockedSubmit,
        HistogramSnapshot callerRun,
        long idleNanos,
        long idleCpuNanos,
        List<KindReading> kinds,
        Overhead overhead) {}
