package io.lifeguard.pool.diagnosis.window;

import java.util.stream.Stream;

/**
 * A number that was estimated from samples, with its standard error. Immutable.
 *
 * @param value the estimate, not negative
 * @param error one standard error of it, not negative; infinite when nothing is known
 */
public record Estimate(double value, double error) {

    /** Nothing is known. */
    public static final Estimate UNKNOWN = new Estimate(0, Double.POSITIVE_INFINITY);

    /** Nothing, for certain. */
    public static final Estimate ZERO = new Estimate(0, 0);

    /** 1.96 standard errors on each side hold 95 % of a normal distribution. */
    private static final double SURE = 1.96;

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if one is negative or not a number
     */
    public Estimate {
        if (!(value >= 0) || !(error >= 0)) {
            throw new IllegalArgumentException(
                    "value and error must not be negative (were " + value + " and " + error + ")");
        }
    }

    /**
     * {@return a number without error}
     *
     * @param value the number, not negative
     */
    public static Estimate exactly(double value) {
        return new Estimate(value, 0);
    }

    /**
     * Estimates how many of a group have a property, from a sample.
     *
     * <p>The error is that of a share {@code (hits + 1) / (samples + 2)} (Agresti and Coull, <i>The American
     * Statistician</i>, 1998). So no hit in a few samples is not a certain zero.
     *
     * @param hits samples with the property, 0 to {@code samples}
     * @param samples how many samples
     * @param all how many there are in the group, not negative
     * @return the number in the group; {@link #UNKNOWN} without samples
     */
    public static Estimate ofSample(double hits, double samples, double all) {
        if (samples <= 0) {
            return all == 0 ? ZERO : UNKNOWN;
        }
        double share = (hits + 1) / (samples + 2);
        return new Estimate(all * Math.min(1, hits / samples), all * Math.sqrt(share * (1 - share) / (samples + 2)));
    }

    /** {@return the lower bound, with 97.5 % certainty; not negative} */
    public double low() {
        return isKnown() ? Math.max(0, value - SURE * error) : 0;
    }

    /** {@return the upper bound, with 97.5 % certainty; infinite when nothing is known} */
    public double high() {
        return value + SURE * error;
    }

    /** {@return whether anything is known} */
    public boolean isKnown() {
        return Double.isFinite(error);
    }

    /**
     * {@return the sum of independent estimates}
     *
     * @param all the estimates, not null
     */
    public static Estimate sum(Stream<Estimate> all) {
        return all.reduce(ZERO, Estimate::plus);
    }

    /**
     * {@return the sum of this and an independent estimate}
     *
     * @param other not null
     */
    public Estimate plus(Estimate other) {
        return new Estimate(value + other.value, Math.hypot(error, other.error));
    }

    /**
     * {@return this many times the estimate}
     *
     * @param factor not negative
     */
    public Estimate times(double factor) {
        return factor == 0 ? ZERO : new Estimate(value * factor, error * factor);
    }
}
