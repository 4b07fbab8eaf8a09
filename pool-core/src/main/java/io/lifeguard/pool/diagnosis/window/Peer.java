package io.lifeguard.pool.diagnosis.window;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/**
 * A live instrumented pool of the same process. Immutable.
 *
 * @param name the pool's name
 * @param scheduler whether it runs tasks at given times
 * @param snapshot reads its latest measurements
 */
public record Peer(String name, boolean scheduler, Supplier<PoolSnapshot> snapshot) {

    /** Refuses null. */
    public Peer {
        Objects.requireNonNull(name, "name must not be null");
        Objects.requireNonNull(snapshot, "snapshot must not be null");
    }

    /**
     * {@return a pool of this JVM}
     *
     * @param pool not null
     */
    public static Peer of(InstrumentedPool pool) {
        return new Peer(pool.name(), isScheduler(pool), pool::snapshot);
    }

    /**
     * {@return whether a pool runs tasks at given times}
     *
     * @param pool not null
     */
    public static boolean isScheduler(InstrumentedPool pool) {
        return pool instanceof ScheduledExecutorService;
    }
}
