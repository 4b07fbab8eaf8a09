package io.lifeguard.pool;

import io.lifeguard.pool.measure.HistogramSnapshot;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A distribution read from a pool's recorders, or one that is unknown and says why. Immutable. */
final class SnapshotDistribution implements Distribution {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final HistogramSnapshot histogram;
    private final long count;
    private final long totalNanos;
    private final Accuracy accuracy;
    private final @Nullable String whyUnknown;

    SnapshotDistribution(HistogramSnapshot histogram, Accuracy accuracy) {
        this(histogram, histogram.count(), histogram.totalNanos(), accuracy);
    }

    /** For a histogram that holds a sample, when count and total are known exactly. */
    SnapshotDistribution(HistogramSnapshot histogram, long count, long totalNanos, Accuracy accuracy) {
        this(histogram, count, totalNanos, accuracy, null);
    }

    private SnapshotDistribution(
            HistogramSnapshot histogram, long count, long totalNanos, Accuracy accuracy, @Nullable String whyUnknown) {
        this.histogram = histogram;
        this.count = count;
        this.totalNanos = totalNanos;
        this.accuracy = accuracy;
        this.whyUnknown = whyUnknown;
    }

    /** A distribution that throws an exception with this message whenever it is asked for a duration. */
    static SnapshotDistribution unknown(String why) {
        return new SnapshotDistribution(HistogramSnapshot.EMPTY, 0, 0, Accuracy.UNKNOWN, why);
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public Duration total() {
        return known(totalNanos);
    }

    @Override
    public Duration mean() {
        return known(count == 0 ? 0 : totalNanos / count);
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
                    histogram.since(then.histogram),
                    Math.max(0, count - then.count),
                    Math.max(0, totalNanos - then.totalNanos),
                    accuracy);
        }
        throw new IllegalArgumentException("earlier must be of the same pool (was " + earlier + ")");
    }

    @Override
    public Accuracy accuracy() {
        return accuracy;
    }

    @Override
    public String toString() {
        return whyUnknown != null
                ? "Distribution[unknown: " + whyUnknown + "]"
                : "Distribution[count=" + count + ", mean=" + SnapshotTable.text(mean()) + ", max="
                        + SnapshotTable.text(max()) + ", " + accuracy + "]";
    }
}
