package io.lifeguard.pool;

/**
 * Receives a call when a pool is created and when a pool has terminated. Implementations must be thread-safe.
 *
 * <p>{@link java.util.ServiceLoader} loads observers that have a public constructor without arguments.
 * {@link Pools#addObserver} adds others. The thread that creates or ends the pool makes the calls, so return quickly,
 * and hold the pool weakly. An observer that throws is logged once and otherwise ignored.
 *
 * <p>A thread of this library loads the observers of the service loader. It starts with the first pool of the JVM, or
 * with the first builder, and waits for 50 ms. It then tells the observers what has happened until then, in order, and
 * leaves out pools that were dropped. If the first pool is made in a static initialiser, an observer that needs that
 * class waits until the initialiser has ended.
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
