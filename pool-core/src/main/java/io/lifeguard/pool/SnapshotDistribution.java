package io.lifeguard.pool;

import io.lifeguard.pool.measure.HistogramSnapshot;
import io.lifeguard.pool.text.Preconditions;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A distribution read from a pool's recorders, or one that is unknown and says why. Immutable.
 *
 * @param whyUnknown message of the exception that is thrown when a duration is asked for; null if it is known
 */
record SnapshotDistribution(
        HistogramSnapshot histogram,
        long count,
        long totalNanos,
        Accuracy accuracy,
        @Nullable String whyUnknown) implements Distribution {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    SnapshotDistribution(HistogramSnapshot histogram, Accuracy accuracy) {
        this(histogram, histogram.count(), histogram.totalNanos(), accuracy, null);
    }

    static SnapshotDistribution unknown(String why) {
        return new SnapshotDistribution(HistogramSnapshot.EMPTY, 0, 0, Accuracy.UNKNOWN, why);
    }

    @Override
    public Duration total() {
        return known(totalNanos);
    }

    @Override
    public Duration mean() {
        if (whyUnknown == null && !isMeanKnown()) {
            throw new IllegalStateException("the mean is unknown, because the sum of the values has reached 292 years");
        }
        return known(count == 0 ? 0 : totalNanos / count);
    }

    @Override
    public boolean isMeanKnown() {
        return whyUnknown == null && totalNanos < Long.MAX_VALUE;
    }

    @Override
    public Duration max() {
        return known(histogram.maxNanos());
    }

    @Override
    public Duration percentile(double quantile) {
        return known(histogram.percentileNanos(Preconditions.quantile(quantile)));
    }

    private Duration known(long nanos) {
        if (whyUnknown != null) {
            throw new IllegalStateException(whyUnknown);
        }
        return Duration.ofNanos(nanos);
    }

    @Override
    public long countBelow(Duration bound) {
        boolean isCountable = Preconditions.notNegative("bound", bound).compareTo(LONGEST) < 0;
        return histogram.countBelow(isCountable ? bound.toNanos() : Long.MAX_VALUE);
    }

    @Override
    public Distribution since(Distribution earlier) {
        if (!isKnown() || !earlier.isKnown()) {
            return this;
        } else if (earlier instanceof SnapshotDistribution then) {
            return new SnapshotDistribution(
                    histogram.since(then.histogram), Math.max(0, count - then.count), totalSince(then), accuracy, null);
        }
        throw new IllegalArgumentException("earlier must be of the same pool (was " + earlier + ")");
    }

    /** A sum that was no longer counted on leaves its growth unknown. */
    private long totalSince(SnapshotDistribution then) {
        boolean isCounted = totalNanos < Long.MAX_VALUE || count <= then.count;
        return isCounted ? Math.max(0, totalNanos - then.totalNanos) : Long.MAX_VALUE;
    }

    @Override
    public String toString() {
        return whyUnknown != null
                ? "Distribution[unknown: " + whyUnknown + "]"
                : "Distribution[count=" + count + ", mean=" + (isMeanKnown() ? Units.time(mean()) : "unknown")
                        + ", max=" + Units.time(max()) + ", " + accuracy + "]";
    }
}
