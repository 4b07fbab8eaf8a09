package io.lifeguard.pool;

/**
 * Is told when a pool is created and when one has terminated. Found by {@link java.util.ServiceLoader} (implementations
 * need a public constructor without arguments) or added by {@link Pools#addObserver}.
 *
 * <p>Called on the thread that creates or ends the pool, so be quick and hold the pool weakly. An observer that throws
 * is logged once and otherwise ignored. Implementations must be safe for use by several threads.
 */
public interface PoolObserver {

    /**
     * A pool was created. A subclass of ours may still be in its constructor.
     *
     * @param pool the new pool
     */
    default void created(InstrumentedPool pool) {}

    /**
     * A pool has terminated: it was shut down, its queue is empty and its last worker has gone.
     *
     * @param pool the terminated pool
     */
    default void terminated(InstrumentedPool pool) {}
}
