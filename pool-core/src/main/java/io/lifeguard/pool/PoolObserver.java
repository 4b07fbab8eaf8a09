package io.lifeguard.pool;

/**
 * Is notified when a pool is created and when a pool has terminated. Loaded by {@link java.util.ServiceLoader}, which
 * needs a public constructor without arguments, or added by {@link Pools#addObserver}.
 *
 * <p>Called on the thread that creates or ends the pool, so be quick and hold the pool weakly. An observer that throws
 * is logged once and otherwise ignored. Implementations must be thread-safe.
 */
public interface PoolObserver {

    /**
     * A pool was created. If its class is a subclass of an instrumented pool, its constructor may still be running.
     *
     * @param pool the new pool
     */
    default void created(InstrumentedPool pool) {}

    /**
     * A pool has terminated: it was shut down, its queue is empty and its last worker has ended.
     *
     * @param pool the terminated pool
     */
    default void terminated(InstrumentedPool pool) {}
}
