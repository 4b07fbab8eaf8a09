package io.lifeguard.examples.orders.sickness;

import io.lifeguard.workbench.Hashing;
import org.jspecify.annotations.Nullable;

/** One problem of a pool, which can be started and cured. Thread-safe. */
abstract class Sickness {

    private final String id;
    private final String pool;
    private final String about;
    private @Nullable Traffic traffic; // guarded by this; null while healthy

    /**
     * @param id the id of the finding
     * @param pool the name of the sick pool
     * @param about what happens, in a sentence
     */
    Sickness(String id, String pool, String about) {
        this.id = id;
        this.pool = pool;
        this.about = about;
    }

    final String id() {
        return id;
    }

    final Case state() {
        return new Case(id, pool, about, isSick());
    }

    final synchronized boolean isSick() {
        return traffic != null;
    }

    /** Starts the problem, unless it has started already. */
    final synchronized void begin() {
        if (traffic == null) {
            Hashing.micros(1); // the first use measures the machine, which is not part of the problem
            Traffic started = new Traffic(id);
            outbreak(started);
            traffic = started;
        }
    }

    /** Ends the problem, and returns when it has ended. */
    final synchronized void end() {
        if (traffic != null) {
            traffic.end();
            traffic = null;
            cure();
        }
    }

    /** Starts the traffic that makes the pool sick. */
    abstract void outbreak(Traffic traffic);

    /** Cleans up after the traffic has ended. */
    void cure() {}

    /**
     * The description of a sickness.
     *
     * @param id the id of the finding
     * @param pool the name of the sick pool
     * @param about what happens, in a sentence
     * @param sick whether the pool is sick now
     */
    record Case(String id, String pool, String about, boolean sick) {}
}
