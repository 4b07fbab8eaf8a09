package io.lifeguard.pool.measure;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The time for which a worker had no task. Single writer: the worker; any thread may read at any moment. */
final class IdleTime {

    // single writer: the worker; a stale read is the state a moment ago
    // Busy: total << 1. Idle: (total - since) << 1 | 1, so that adding the current time gives the total.
    // So one load gives a reader the total, the state and the start of the idle period. Arithmetic modulo 2^63.
    private final AtomicLong word = new AtomicLong();

    /** Whether the worker is idle. Only for the worker. */
    boolean isIdle() {
        return (word.getPlain() & 1) != 0;
    }

    /** Whether the worker is idle. Any thread. */
    boolean isIdleNow() {
        return (word.getOpaque() & 1) != 0;
    }

    void enter(long now) {
        if (!isIdle()) {
            word.setOpaque((((word.getPlain() >> 1) - now) << 1) | 1);
        }
    }

    void leave(long now) {
        if (isIdle()) {
            word.setOpaque(((word.getPlain() >> 1) + now) << 1);
        }
    }

    /** The idle time until now. Reads the clock last, so an idle period that this call sees began before. */
    long total(LongSupplier clock) {
        long seen = word.getOpaque();
        long total = (seen & 1) == 0 ? seen >> 1 : (((seen >> 1) + clock.getAsLong()) << 1) >> 1;
        return Math.max(0, total);
    }
}
