package io.lifeguard.pool.diagnosis.testing;

import io.lifeguard.pool.Distribution;
import java.time.Duration;

/** Distributions of times that a few numbers describe, as tests want them. Stateless; what it makes is immutable. */
public final class Times {

    private Times() {}

    /** So many times, which together are so many seconds. */
    public static Distribution exponential(long count, double seconds) {
        return new Exponential(count, seconds, true);
    }

    /** So many times of which nothing is known. */
    public static Distribution unknown(long count) {
        return new Exponential(count, 0, false);
    }

    /**
     * So many times of two lengths: their average, the longer one, and the share of those that are longer; in seconds.
     */
    public static Distribution ofTwoKinds(long count, double average, double longer, double share) {
        return new TwoKinds(count, average, longer, share);
    }

    public static Duration nanos(double inSeconds) {
        return Duration.ofNanos(Math.round(inSeconds * 1e9));
    }

    private record Exponential(long count, double seconds, boolean isKnown) implements Distribution {

        @Override
        public Duration total() {
            return nanos(seconds);
        }

        @Override
        public Duration mean() {
            return count == 0 ? Duration.ZERO : nanos(seconds / count);
        }

        @Override
        public Duration max() {
            return mean();
        }

        @Override
        public Duration percentile(double quantile) {
            return mean();
        }

        @Override
        public long countBelow(Duration bound) {
            return isKnown && count > 0 && seconds > 0
                    ? Math.round(-count * Math.expm1(-bound.toNanos() / 1e9 * count / seconds))
                    : count;
        }

        @Override
        public Distribution since(Distribution earlier) {
            return new Exponential(
                    count - earlier.count(), seconds - earlier.total().toNanos() / 1e9, isKnown);
        }

        @Override
        public Accuracy accuracy() {
            return isKnown ? Accuracy.EXACT : Accuracy.UNKNOWN;
        }
    }

    private record TwoKinds(long count, double average, double longer, double share) implements Distribution {

        @Override
        public Duration total() {
            return nanos(average * count);
        }

        @Override
        public Duration mean() {
            return nanos(average);
        }

        @Override
        public Duration max() {
            return nanos(longer);
        }

        @Override
        public Duration percentile(double quantile) {
            return nanos(quantile > 1 - share ? longer : shorter());
        }

        @Override
        public long countBelow(Duration bound) {
            double seconds = bound.toNanos() / 1e9;
            return seconds > longer ? count : seconds > shorter() ? Math.round(count * (1 - share)) : 0;
        }

        private double shorter() {
            return (average - share * longer) / (1 - share);
        }

        @Override
        public Distribution since(Distribution earlier) {
            return new TwoKinds(count - earlier.count(), average, longer, share);
        }

        @Override
        public Accuracy accuracy() {
            return Accuracy.EXACT;
        }
    }
}
