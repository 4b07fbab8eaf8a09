package io.lifeguard.pool.report.drawing;

import java.util.List;

/**
 * The time axis of a page: whole ticks since the recording began. Immutable.
 *
 * @param first when the recording began, in nanoseconds since 1970
 * @param last when it ended
 * @param nanos the length of a tick
 */
record Ticks(long first, long last, long nanos) {

    /** {@return the moment in ticks; moments outside the recording count as its begin or end} */
    long of(long moment) {
        return (Math.max(first, Math.min(last, moment)) - first) / nanos;
    }

    /** {@return the length of the recording in ticks, rounded up} */
    long span() {
        return (last - first + nanos - 1) / nanos;
    }

    /** {@return a length in ticks, rounded} */
    long length(long length) {
        return Math.round((double) length / nanos);
    }

    /** {@return growing moments as the ticks between them, the first since the recording began} */
    long[] deltas(List<Long> moments) {
        long[] deltas = new long[moments.size()];
        long before = 0;
        for (int i = 0; i < deltas.length; i++) {
            long now = of(moments.get(i));
            deltas[i] = now - before;
            before = now;
        }
        return deltas;
    }
}
