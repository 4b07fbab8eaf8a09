package io.lifeguard.pool.diagnosis.external;

import io.lifeguard.pool.PoolSnapshot;

/**
 * The numbers that an executor's own getters return. Immutable.
 *
 * @param size workers alive
 * @param active workers that run a task
 * @param queued tasks waiting in the queue
 * @param completed tasks that were run since it was made; {@link #UNKNOWN} where the executor does not count them
 * @param coreSize workers that stay
 * @param maximumSize workers at most
 * @param queueRemaining free places in the queue; {@link Integer#MAX_VALUE} when it has no bound
 */
public record PoolGauges(
        int size, int active, int queued, long completed, int coreSize, int maximumSize, int queueRemaining) {

    /** The number of completed tasks, where it is unknown. */
    public static final long UNKNOWN = PoolSnapshot.UNKNOWN;
}
