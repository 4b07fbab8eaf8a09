package io.lifeguard.pool;

import java.time.Duration;
import java.util.Objects;

/**
 * The distribution of one duration (queue wait, service time, …) over the tasks that a pool ran. Implementations are
 * immutable and safe for use by any thread.
 *
 * <p>An {@linkplain Accuracy#UNKNOWN unknown} distribution has a count of 0 and refuses every other question, so that
 * "not measurable here" can never be mistaken for "took no time". Ask {@link #isKnown()} first where a pool may run on
 * virtual threads or on a system without a per-thread CPU clock.
 */
public interface Distribution {

    /**
     * How many values were recorded.
     *
     * @return the number of values, 0 when {@linkplain #accuracy() unknown}
     */
    long count();

    /**
     * The sum of all values.
     *
     * @return the total, zero when nothing was recorded
     * @throws IllegalStateException if the distribution is unknown; the message says why
     */
    Duration total();

    /**
     * The arithmetic mean, {@code total / count}.
     *
     * @return the mean, zero when nothing was recorded
     * @throws IllegalStateException if the distribution is unknown; the message says why
     */
    Duration mean();

    /**
     * The largest value, exact where the values are.
     *
     * @return the maximum, zero when nothing was recorded
     * @throws IllegalStateException if the distribution is unknown; the message says why
     */
    Duration max();

    /**
     * The value below which the given share of the values lies (nearest rank). Within 7 % of the true value between
     * 100 ns and 1 h.
     *
     * @param quantile from 0 to 1, so 0.99 for the 99th percentile
     * @return the percentile, zero when nothing was recorded
     * @throws IllegalArgumentException if the quantile is not between 0 and 1
     * @throws IllegalStateException if the distribution is unknown; the message says why
     */
    Duration percentile(double quantile);

    /**
     * How many values were shorter. Never less than an earlier distribution of the same pool says.
     *
     * @param bound not negative, not null; exact when it is a power of two of nanoseconds, else values up to 12.5 % shorter than it may be
     *     missing. From 292 years on all values are counted
     * @return how many; 0 when {@linkplain #accuracy() unknown}; of a {@linkplain Accuracy#SAMPLED sample} as many as the sampled values
     *     stand for, which is not {@link #count()} to the task
     * @throws IllegalArgumentException if the bound is negative
     */
    long countBelow(Duration bound);

    /**
     * What was recorded since an earlier reading of the same pool. Its largest value is exact if it is also the largest of all, else up
     * to 12.5 % too long.
     *
     * @param earlier the earlier distribution, not null
     * @return the difference; this one when the earlier is unknown
     * @throws IllegalArgumentException if the two are not of a kind
     */
    Distribution since(Distribution earlier);

    /**
     * How the values were obtained.
     *
     * @return the accuracy, never null
     */
    Accuracy accuracy();

    /**
     * Whether there is anything to read.
     *
     * @return false when the {@linkplain #accuracy() accuracy} is {@link Accuracy#UNKNOWN}
     */
    default boolean isKnown() {
        return accuracy() != Accuracy.UNKNOWN;
    }

    /**
     * A distribution that cannot be measured.
     *
     * @param why what it says when it is asked, not null
     * @return an unknown distribution
     */
    static Distribution unknown(String why) {
        return SnapshotDistribution.unknown(Objects.requireNonNull(why, "why must not be null"));
    }

    /** How the values of a distribution were obtained. */
    enum Accuracy {
        /** Every task's own value was recorded. */
        EXACT,
        /** An unbiased sample was recorded, weighted so that totals and counts stay true. */
        SAMPLED,
        /** It cannot be measured here. */
        UNKNOWN
    }
}
