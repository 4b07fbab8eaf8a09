package io.lifeguard.pool;

import java.util.List;

/**
 * A pool that measures itself. Every executor of this library is one. Thread-safe.
 *
 * <p>Hold it weakly when you only observe it: see {@link Pools}.
 */
public interface InstrumentedPool {

    /**
     * The pool's name: given by its builder, or derived from the class and line that created it
     * ({@code OrderService:42}). Unique among the live pools of this JVM, and stable for the pool's life.
     *
     * @return the name, never blank
     */
    String name();

    /**
     * What the pool has measured since it was created. Its cost depends on the number of workers, not on the number
     * of tasks that ran.
     *
     * @return an immutable, cumulative snapshot; subtract two of them to learn what happened in between
     */
    PoolSnapshot snapshot();

    /**
     * The workers as they are now, in no particular order.
     *
     * @return a new list; empty in pools whose workers cannot be followed: those of {@code newWorkStealingPool}, and of
     *     one thread per task
     */
    default List<WorkerState> workers() {
        return List.of();
    }
}
