package io.lifeguard.pool.diagnosis.external;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * Reads an external executor of any type through its own getters. Implementations must be thread-safe and quick, and
 * must not hold the executor. {@link PoolReaders} has those of the library.
 *
 * @param <E> the type of the executor
 */
@FunctionalInterface
public interface PoolReader<E> {

    /**
     * Reads the numbers. Called once per window, and five times a second in the first seconds.
     *
     * @param executor the executor, never null
     * @return what it says of itself now
     */
    PoolGauges read(E executor);

    /**
     * {@return its workers, as far as they can be told from other threads; empty when they are unknown}
     *
     * @param executor the executor, never null
     */
    default List<Thread> workers(E executor) {
        return List.of();
    }

    /**
     * {@return how late the next task is, where tasks have a time at which they must begin; the default is zero}
     *
     * @param executor the executor, never null
     */
    default Duration lateness(E executor) {
        return Duration.ZERO;
    }

    /**
     * {@return why it is doubtful which threads are its workers, after {@link #workers} has searched for them; the
     * default is empty, for no doubt}
     */
    default Optional<String> blindness() {
        return Optional.empty();
    }

    /**
     * {@return whether it has ended, and is no longer watched; the default is what an {@link ExecutorService} says of
     * itself, and false for others}
     *
     * @param executor the executor, never null
     */
    default boolean isTerminated(E executor) {
        return executor instanceof ExecutorService service && service.isTerminated();
    }
}
