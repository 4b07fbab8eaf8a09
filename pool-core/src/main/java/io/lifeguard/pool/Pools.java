package io.lifeguard.pool;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * The registry of this JVM's live pools, held weakly, and of the observers to notify of new and terminated pools.
 * Thread-safe.
 *
 * <p>A pool is live from its construction until it has terminated or is garbage-collected.
 */
public final class Pools {

    private Pools() {}

    /** {@return a new list of the live pools, in no particular order} The list keeps the pools reachable. */
    public static List<InstrumentedPool> live() {
        return PoolRegistry.live();
    }

    /**
     * {@return the live pool of that name, or empty when there is none}
     *
     * @param name the name, not null
     */
    public static Optional<InstrumentedPool> find(String name) {
        return Optional.ofNullable(PoolRegistry.find(Objects.requireNonNull(name, "name must not be null")));
    }

    /**
     * {@return the name under which the pool is registered} For observers: a subclass may override
     * {@link InstrumentedPool#name()}, and is not constructed yet when it is announced.
     *
     * @param pool the pool, not null
     */
    public static String nameOf(InstrumentedPool pool) {
        Instruments instruments = pool instanceof ThreadPoolExecutor executor ? Instrumented.of(executor) : null;
        return instruments == null ? pool.name() : instruments.name;
    }

    /**
     * Adds an observer of the pools created from now on. Call {@link #live()} for the others.
     *
     * @param observer the observer, not null; one that is added twice is notified twice
     */
    public static void addObserver(PoolObserver observer) {
        PoolRegistry.OBSERVERS.add(Objects.requireNonNull(observer, "observer must not be null"));
    }

    /**
     * Removes an observer.
     *
     * @param observer the observer, not null
     * @return whether it had been added
     */
    public static boolean removeObserver(PoolObserver observer) {
        return PoolRegistry.OBSERVERS.remove(Objects.requireNonNull(observer, "observer must not be null"));
    }
}
