package io.lifeguard.examples.orders.sickness;

import io.lifeguard.workbench.Hashing;
import org.jspecify.annotations.Nullable;

/** One way to be sick: how it breaks out, and what cures it. Thread-safe. */
abstract class Sickness {

    private final String id;
    private final String pool;
    private final String about;
    private @Nullable Traffic traffic; // guarded by this; null: healthy

    /**
     * @param id the finding that it leads to
     * @param pool the pool that falls sick
     * @param about what goes on, in a sentence
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

    /** Falls sick, unless it is already. */
    final synchronized void begin() {
        if (traffic == null) {
            Hashing.micros(1); // measures the machine when first used, which is no part of the sickness
            Traffic started = new Traffic(id);
            outbreak(started);
            traffic = started;
        }
    }

    /** Gets well; returns when it is. */
    final synchronized void end() {
        if (traffic != null) {
            traffic.end();
            traffic = null;
            cure();
        }
    }

    /** Starts what makes the pool sick. */
    abstract void outbreak(Traffic traffic);

    /** Clears up, after the traffic has ended. */
    void cure() {}

    /**
     * A sickness as it is told.
     *
     * @param id the finding that it leads to
     * @param pool the pool that falls sick
     * @param about what goes on
     * @param sick whether it is now
     */
    record Case(String id, String pool, String about, boolean sick) {}
}
