package io.lifeguard.pool;

import io.lifeguard.pool.measure.Tally;
import java.time.Duration;

/** A distribution read from a tally that nobody changes any more. Immutable. */
final class TallyDistribution implements Distribution {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final Tally tally;
    private final long count;
    private final long totalNanos;
    private final Accuracy accuracy;

    TallyDistribution(Tally tally, Accuracy accuracy) {
        this(tally, tally.count(), tally.totalNanos(), accuracy);
    }

    /** When count and total are known better than from the tally, which holds a sample. */
    TallyDistribution(Tally tally, long count, long totalNanos, Accuracy accuracy) {
        this.tally = tally;
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
        return Duration.ofNanos(tally.maxNanos());
    }

    @Override
    public Duration percentile(double quantile) {
        return Duration.ofNanos(tally.percentileNanos(Preconditions.quantile(quantile)));
    }

    @Override
    public long countBelow(Duration bound) {
        boolean isCountable = Preconditions.notNegative("bound", bound).compareTo(LONGEST) < 0;
        return tally.countBelow(isCountable ? bound.toNanos() : Long.MAX_VALUE);
    }

    @Override
    public Distribution since(Distribution earlier) {
        if (!earlier.isKnown()) {
            return this;
        } else if (earlier instanceof TallyDistribution then) {
            return new TallyDistribution(
                    tally.since(then.tally),
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
