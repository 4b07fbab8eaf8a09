package io.lifeguard.pool.benchmarks.scenarios;

import java.util.Arrays;

/** Durations of single events, in the order in which they happened. One writer at a time. */
final class Samples {
    private long[] nanos = new long[1_024];
    private int size;

    void add(long duration) {
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * size);
        }
        nanos[size++] = duration;
    }

    /** The quantile of the samples in microseconds, by nearest rank. */
    double percentileMicros(double share) {
        if (size == 0) {
            throw new IllegalStateException("no sample was taken: the measured time is too short");
        }
        long[] sorted = Arrays.copyOf(nanos, size);
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(share * size) - 1)] / 1e3;
    }
}
