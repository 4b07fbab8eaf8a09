package io.lifeguard.pool;

import java.time.Duration;
import java.util.Objects;

/**
 * The distribution of one duration (queue wait, service time, …) over the tasks that a pool ran. Implementations are
 * immutable and safe for use by any thread.
 *
 * <p>An {@linkplain Accuracy#UNKNOWN unknown} distribution has a count of 0. Its methods that return a {@link Duration}
 * throw {@link IllegalStateException}, and the message says why. So "not measurable here" is never mistaken for "took
 * no time". Ask {@link #isKnown()} first where a pool may run on virtual threads or on a system without a per-thread
 * CPU clock. A distribution without values returns zero.
 */
public interface Distribution {

    /** {@return how many values were recorded} */
    long count();

    /** {@return the sum of all values} A sum of 292 years ({@link Long#MAX_VALUE} nanoseconds) means that or more. */
    Duration total();

    /**
     * {@return the arithmetic mean, {@code total / count}}
     *
     * @throws IllegalStateException if the mean is {@linkplain #isMeanKnown() unknown}
     */
    Duration mean();

    /**
     * {@return whether {@link #mean()} can be read} The mean is unknown if the distribution is, and once the sum of the
     * values has reached 292 years, which is as far as it is counted. The other figures stay true.
     */
    default boolean isMeanKnown() {
        return isKnown() && total().toNanos() < Long.MAX_VALUE;
    }

    /** {@return the largest value} It is exact unless the distribution is a {@linkplain Accuracy#SAMPLED sample}. */
    Duration max();

    /**
     * The value below which the given share of the values lies (nearest rank). Within 7 % of the true value between 100
     * ns and 1 h.
     *
     * @param quantile from 0 to 1, so 0.99 for the 99th percentile
     * @return the percentile
     * @throws IllegalArgumentException if the quantile is not between 0 and 1
     */
    Duration percentile(double quantile);

    /**
     * How many values were shorter than a bound. Never less than in an earlier distribution of the same pool.
     *
     * <p>The answer is exact for a power of two of nanoseconds. For other bounds, values up to 12.5 % shorter than the
     * bound may be missing. A bound of 292 years or more counts all values.
     *
     * @param bound not negative, not null
     * @return the number of values. In a {@linkplain Accuracy#SAMPLED sample} each value stands for several, so the
     *     number for the longest bound may differ from {@link #count()} by some tasks
     * @throws IllegalArgumentException if the bound is negative
     */
    long countBelow(Duration bound);

    /**
     * The values recorded since an earlier distribution of the same pool. The largest of them is exact if it is the
     * largest ever. Otherwise it is up to 12.5 % too long.
     *
     * @param earlier the earlier distribution, not null
     * @return the difference; this distribution when one of the two is unknown
     * @throws IllegalArgumentException if {@code earlier} is not from an instrumented pool
     */
    Distribution since(Distribution earlier);

    /** {@return how the values were obtained} */
    Accuracy accuracy();

    /** {@return whether the durations can be read} */
    default boolean isKnown() {
        return accuracy() != Accuracy.UNKNOWN;
    }

    /**
     * A distribution that cannot be measured.
     *
     * @param why message of the exception that is thrown whenever a duration is asked for, not null
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
        /** The values cannot be measured here. */
        UNKNOWN
    }
}
