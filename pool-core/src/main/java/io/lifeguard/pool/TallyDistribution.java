package io.lifeguard.pool;

import io.lifeguard.pool.measure.HistogramSnapshot;
import java.time.Duration;

/** A distribution read from a snapshot that nobody changes any more. Immutable. */
final class TallyDistribution implements Distribution {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final HistogramSnapshot snapshot;
    private final long count;
    private final long totalNanos;
    private final Accuracy accuracy;

    TallyDistribution(HistogramSnapshot snapshot, Accuracy accuracy) {
        this(snapshot, snapshot.count(), snapshot.totalNanos(), accuracy);
    }

    /** When count and total are known better than from the snapshot, which holds a sample. */
    TallyDistribution(HistogramSnapshot snapshot, long count, long totalNanos, Accuracy accuracy) {
        this.snapshot = snapshot;
        this.count = count;
        this.totalNanos = totalNanos;
        this.accuracy = accuracy;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public Duration total() {
        return Duration.ofNanos(totalNanos);
    }

    @Override
    public Duration mean() {
        return Duration.ofNanos(count == 0 ? 0 : totalNanos / count);
    }

    @Override
    public Duration max() {
        return Duration.ofNanos(snapshot.maxNanos());
    }

    @Override
    public Duration percentile(double quantile) {
        return Duration.ofNanos(snapshot.percentileNanos(Preconditions.quantile(quantile)));
    }

    @Override
    public long countBelow(Duration bound) {
        boolean isCountable = Preconditions.notNegative("bound", bound).compareTo(LONGEST) < 0;
        return snapshot.countBelow(isCountable ? bound.toNanos() : Long.MAX_VALUE);
    }

    @Override
    public Distribution since(Distribution earlier) {
        if (!earlier.isKnown()) {
            return this;
        } else if (earlier instanceof TallyDistribution then) {
            return new TallyDistribution(
                    snapshot.since(then.snapshot),
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
        return "Distribution[count=" + count() + ", mean=" + SnapshotTable.text(mean()) + ", max="
                + SnapshotTable.text(max()) + ", " + accuracy + "]";
    }
}
