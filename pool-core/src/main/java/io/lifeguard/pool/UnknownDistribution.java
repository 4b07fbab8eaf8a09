package io.lifeguard.pool;

import java.time.Duration;

/** A distribution that could not be measured, and says why. Immutable. */
final class UnknownDistribution implements Distribution {

    private final String why;

    UnknownDistribution(String why) {
        this.why = why;
    }

    @Override
    public long count() {
        return 0;
    }

    @Override
    public Duration total() {
        throw unknown();
    }

    @Override
    public Duration mean() {
        throw unknown();
    }

    @Override
    public Duration max() {
        throw unknown();
    }

    @Override
    public Duration percentile(double quantile) {
        Preconditions.quantile(quantile);
        throw unknown();
    }

    @Override
    public long countBelow(Duration bound) {
        Preconditions.notNegative("bound", bound);
        return 0;
    }

    @Override
    public Distribution since(Distribution earlier) {
        return this;
    }

    @Override
    public Accuracy accuracy() {
        return Accuracy.UNKNOWN;
    }

    private IllegalStateException unknown() {
        return new IllegalStateException(why);
    }

    @Override
    public String toString() {
        return "Distribution[unknown: " + why + "]";
    }
}
