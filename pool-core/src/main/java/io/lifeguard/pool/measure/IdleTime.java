package io.lifeguard.pool.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

/**
 * How long a worker has been without work, as an integral that can be read at any moment. One writer, any number of
 * readers.
 */
final class IdleTime {

    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(IdleTime.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // single writer: the worker; a stale read is the state a moment ago.
    // Busy: total << 1. Idle: (total - since) << 1 | 1, so that adding the time of day gives the total, and a reader
    // needs one load to have total, state and begin of the idleness together. Arithmetic modulo 2^63.
    private long word;

    boolean isIdle() {
        return (word & 1) != 0;
    }

    boolean isIdleNow() {
        return ((long) WORD.getOpaque(this) & 1) != 0;
    }

    void enter(long now) {
        if ((word & 1) == 0) {
            WORD.setOpaque(this, (((word >> 1) - now) << 1) | 1);
        }
    }

    void leave(long now) {
        if ((word & 1) != 0) {
            WORD.setOpaque(this, ((word >> 1) + now) << 1);
        }
    }

    /** The idle time until now. The clock is read last: an idleness that this call sees has begun before. */
    long total(LongSupplier clock) {
        long seen = (long) WORD.getOpaque(this);
        long total = (seen & 1) == 0 ? seen >> 1 : (((seen >> 1) + clock.getAsLong()) << 1) >> 1;
        return Math.max(0, total);
    }
}
