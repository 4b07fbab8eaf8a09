package io.lifeguard.pool.measure;

import java.lang.invoke.VarHandle;

/**
 * A log-linear histogram of durations that one thread writes and any thread reads. Not safe for two writers.
 *
 * <p>There are eight buckets per power of two from 64 ns to 73 minutes. So the middle of a bucket is within 6.25 % of
 * every value in it. Below are eight buckets of 8 ns, above is one bucket. Readers use a {@link HistogramSnapshot}.
 */
public final class Histogram {

    /*
     * One writer, many readers, no lock. Each bucket only ever grows. One thread writes it by a plain store behind a
     * release fence. Readers load plainly, too, and an acquire fence follows. (A fence and a plain store are two
     * statements to the JVM. A release store by a VarHandle is five nested calls, which every worker would have to
     * compile for every histogram.) Therefore:
     *   - A reader that sums the buckets twice never sees the sum go down.
     *   - A reader that sees a value counted also sees everything that the writer stored before it counted the value.
     *
     * The count is the sum of the buckets and is not kept beside them, so percentile ranks and count never disagree.
     *
     * Total and maximum are stored before the bucket. So a reader that sees a value counted sees it in both. The
     * reverse may fail: total and maximum may be ahead by the one value that is just being recorded.
     *
     * No bucket above that of the maximum holds anything. So readers stop there, and short tasks use a quarter of the
     * buckets. The maximum only ever grows too, so a later read never stops earlier.
     *
     * WorkerRecorder.step writes the fields itself, as "record" does, and says why.
     */

    static final int BUCKETS = 297;

    private static final int SUB_BUCKET_BITS = 3;

    // single writer: the owner; a reader may miss the value that is just being recorded
    final long[] counts = new long[BUCKETS];

    // single writer: the owner; readers may see the value that is about to be counted
    long total;
    long max;

    /** Counts one duration. A negative one counts as zero: two clocks may disagree. Only for the owner. */
    public void record(long nanos) {
        long value = Math.max(0, nanos);
        total = Saturating.add(total, value);
        count(value, 1);
    }

    /** Counts {@code weight} durations of this length. Only for the owner. */
    public void record(long nanos, long weight) {
        long value = Math.max(0, nanos);
        total = Saturating.add(total, Saturating.multiply(value, weight));
        count(value, weight);
    }

    /**
     * Counts {@code weight} durations and leaves the total alone. For samples, whose total is known from elsewhere and
     * comes by {@link #addTotal}. Only for the owner.
     */
    void count(long nanos, long weight) {
        if (nanos > max) {
            max = nanos;
        }
        VarHandle.releaseFence();
        counts[bucketOf(nanos)] += weight;
    }

    /** Adds to the total only, for durations that are counted by samples. Only for the owner. */
    void addTotal(long nanos) {
        total += nanos;
    }

    long totalNanos() {
        return total;
    }

    long maxNanos() {
        long seen = max;
        VarHandle.acquireFence();
        return seen;
    }

    /** Adds the buckets to {@code sums} and returns how many durations they hold. */
    long addTo(long[] sums) {
        long count = 0;
        int used = used();
        for (int i = 0; i < used; i++) {
            long inBucket = counts[i];
            sums[i] += inBucket;
            count += inBucket;
        }
        VarHandle.acquireFence();
        return count;
    }

    long count() {
        long count = 0;
        int used = used();
        for (int i = 0; i < used; i++) {
            count += counts[i];
        }
        VarHandle.acquireFence();
        return count;
    }

    /** The number of buckets that may hold something. */
    private int used() {
        return bucketOf(maxNanos()) + 1;
    }

    /** The bucket of a duration, which must not be negative. */
    static int bucketOf(long nanos) {
        int shift = Math.max(SUB_BUCKET_BITS, Long.SIZE - 1 - SUB_BUCKET_BITS - Long.numberOfLeadingZeros(nanos));
        int bucket = ((shift - SUB_BUCKET_BITS) << SUB_BUCKET_BITS) + (int) (nanos >>> shift);
        return Math.min(bucket, BUCKETS - 1);
    }

    /** The smallest duration of a bucket. */
    static long lowestOf(int bucket) {
        int octave = bucket >>> SUB_BUCKET_BITS;
        if (octave == 0) {
            return (long) bucket << SUB_BUCKET_BITS;
        }
        long leading = (1L << SUB_BUCKET_BITS) | (bucket & ((1 << SUB_BUCKET_BITS) - 1));
        return leading << (octave + SUB_BUCKET_BITS - 1);
    }

    /** The middle of a bucket, which stands for all durations in it. */
    static long middleOf(int bucket) {
        long lowest = lowestOf(bucket);
        return lowest + (lowestOf(bucket + 1) - lowest) / 2;
    }
}
