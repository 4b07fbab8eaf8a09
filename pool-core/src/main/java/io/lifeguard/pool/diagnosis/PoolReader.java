package io.lifeguard.pool.diagnosis;

import java.util.List;

/**
 * Reads an executor that is neither ours nor one of {@code java.util.concurrent}, as far as its own getters tell: what {@link PoolMonitor#watch(
 * java.util.concurrent.Executor, String, PoolReader)} needs to watch it. Implementations must be safe for use by several threads, quick, and
 * must not hold the executor.
 *
 * @param <E> the type of the executor
 */
@FunctionalInterface
public interface PoolReader<E> {

    /**
     * Reads the numbers. Called once per window.
     *
     * @param executor the executor, never null
     * @return what it says of itself now
     */
    PoolGauges read(E executor);

    /**
     * Its workers, as far as they can be told from other threads. Called when the stacks are to be looked at.
     *
     * @param executor the executor, never null
     * @return the threads; empty when they are not known
     */
    default List<Thread> workers(E executor) {
        return List.of();
    }
}
