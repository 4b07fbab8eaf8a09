package io.lifeguard.pool.diagnosis.external;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.List;
import java.util.concurrent.ExecutorService;

/**
 * Reads an executor that is neither ours nor one of {@code java.util.concurrent}, as far as its own getters tell: what
 * {@link PoolMonitor#watch( java.util.concurrent.Executor, String, PoolReader)} needs to watch it. Implementations must
 * be safe for use by several threads, quick, and must not hold the executor.
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

    /**
     * Whether it has ended, and is to be watched no more. Called once per window, and whenever somebody asks which
     * pools there are.
     *
     * @param executor the executor, never null
     * @return what an {@link ExecutorService} says of itself; of others that they have not, unless the reader knows
     *     better
     */
    default boolean isTerminated(E executor) {
        return executor instanceof ExecutorService service && service.isTerminated();
    }
}
