package io.lifeguard.pool.measure;

import java.util.Arrays;

/**
 * What several {@link Histogram}s hold together, at one moment. Immutable.
 */
public final class Tally {

    /** The tally of nothing. */
    public static final Tally EMPTY = new Tally(new long[Histogram.BUCKETS], 0, 0);

    /** By bucket, without the empty ones at either end: a pool's history keeps hundreds of tallies. */
    private final long[] counts;

    private final int first; // the bucket of counts[0]
    private final long count;
    private final long totalNanos;
    private final long maxNanos;

    private Tally(long[] counts, long totalNanos, long maxNanos) {
        int from = 0;
        int to = counts.length;
        while (from < to && counts[from] == 0) {
            from++;
        }
        while (to > from && counts[to - 1] == 0) {
            to--;
        }
        this.counts = Arrays.copyOfRange(counts, from, to);
        this.first = from;
        this.totalNanos = totalNanos;
        this.maxNanos = maxNanos;
        long sum = 0;
        for (long inBucket : counts) {
            sum += inBucket;
        }
        this.count = sum;
    }

    /** Returns what the histograms hold now. May miss durations that are just being recorded. */
    public static Tally of(Histogram... histograms) {
        Sum sum = new Sum();
        for (Histogram histogram : histograms) {
            sum.add(histogram);
        }
        return sum.tally();
    }

    /** Returns a tally of the durations in either. */
    public Tally plus(Tally other) {
        Sum sum = new Sum();
        sum.add(this);
        sum.add(other);
        return sum.tally();
    }

    /** How many durations. */
    public long count() {
        return count;
    }

    /** The sum of the durations in nanoseconds: exact, not computed from buckets. */
    public long totalNanos() {
        return totalNanos;
    }

    /** The longest duration in nanoseconds: exact, 0 when there is none. */
    public long maxNanos() {
        return maxNanos;
    }

    /** The mean duration in nanoseconds, 0 when there is none. */
    public double meanNanos() {
        return count == 0 ? 0 : (double) totalNanos / count;
    }

    /**
     * Returns the duration in nanoseconds which the fraction {@code p} of all durations does not exceed (nearest rank):
     * within 6.25 % of the true one between 64 ns and 73 minutes, exact for {@code p = 1}, and 0 when there is none.
     *
     * @throws IllegalArgumentException if {@code p} is not between 0 and 1
     */
    public long percentileNanos(double p) {
        if (!(p >= 0 && p <= 1)) {
            throw new IllegalArgumentException("percentile must be between 0 and 1 (was " + p + ")");
        }
        if (count == 0) {
            return 0;
        }
        long rank = Math.max(1, Math.min(count, (long) Math.ceil(p * count)));
        if (rank == count) {
            return maxNanos;
        }
        long seen = 0;
        for (int i = 0; i < counts.length && first + i < Histogram.BUCKETS - 1; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return Math.min(maxNanos, Histogram.middleOf(first + i));
            }
        }
        return maxNanos;
    }

    /**
     * How many durations are shorter: exact at the borders of buckets, elsewhere without those in the bucket of the bound, so that the
     * answer for a bound only ever grows. {@link Long#MAX_VALUE} stands for all.
     */
    public long countBelow(long nanos) {
        if (nanos == Long.MAX_VALUE) {
            return count;
        }
        int borders = Math.min(counts.length, Histogram.BUCKETS - 1 - first);
        long sum = 0;
        for (int i = 0; i < borders && Histogram.lowestOf(first + i + 1) <= nanos; i++) {
            sum += counts[i];
        }
        return sum;
    }

    /** Returns what was counted since an earlier tally of the same histograms. Its maximum may be a bucket's upper border. */
    public Tally since(Tally earlier) {
        long[] left = new long[Histogram.BUCKETS];
        int last = -1;
        for (int i = 0; i < counts.length; i++) {
            int bucket = first + i;
            int there = bucket - earlier.first;
            long before = there >= 0 && there < earlier.counts.length ? earlier.counts[there] : 0;
            left[bucket] = Math.max(0, counts[i] - before);
            last = left[bucket] > 0 ? bucket : last;
        }
        long most = last < 0 || maxNanos > earlier.maxNanos || last == Histogram.BUCKETS - 1
                ? maxNanos
                : Math.min(maxNanos, Histogram.lowestOf(last + 1) - 1);
        return new Tally(left, Math.max(0, totalNanos - earlier.totalNanos), last < 0 ? 0 : most);
    }

    @Override
    public String toString() {
        return "Tally[count=" + count + ", total=" + totalNanos + " ns, max=" + maxNanos + " ns]";
    }

    /** A sum under construction. Not thread-safe. */
    static final class Sum {
        private final long[] counts = new long[Histogram.BUCKETS];
        private long totalNanos;
        private long maxNanos;

        void add(Histogram histogram) {
            histogram.addTo(counts);
            // after the buckets: whatever was counted is in total and maximum
            totalNanos += histogram.totalNanos();
            maxNanos = Math.max(maxNanos, histogram.maxNanos());
        }

        void add(Tally tally) {
            for (int i = 0; i < tally.counts.length; i++) {
                counts[tally.first + i] += tally.counts[i];
            }
            totalNanos += tally.totalNanos;
            maxNanos = Math.max(maxNanos, tally.maxNanos);
        }

        void add(Sum other) {
            for (int i = 0; i < counts.length; i++) {
                counts[i] += other.counts[i];
            }
            totalNanos += other.totalNanos;
            maxNanos = Math.max(maxNanos, other.maxNanos);
        }

        Tally tally() {
            return new Tally(counts, totalNanos, maxNanos);
        }
    }
}
