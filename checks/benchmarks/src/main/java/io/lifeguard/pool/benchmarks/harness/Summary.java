package io.lifeguard.pool.benchmarks.harness;

import java.util.Collection;

/**
 * Median and spread of some values. Immutable.
 *
 * @param count how many there were, at least 1
 * @param lower the lower quartile
 * @param upper the upper quartile
 */
public record Summary(int count, double min, double lower, double median, double upper, double max) {
    /**
     * Quantiles interpolate linearly between the two nearest values (R's type 7, Hyndman and Fan, 1996).
     *
     * @throws IllegalArgumentException if there are no values
     */
    static Summary of(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("values must not be empty");
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Summary(
                sorted.length,
                sorted[0],
                quantile(sorted, 0.25),
                quantile(sorted, 0.5),
                quantile(sorted, 0.75),
                sorted[sorted.length - 1]);
    }

    private static double quantile(double[] sorted, double share) {
        double position = share * (sorted.length - 1);
        int below = (int) Math.floor(position);
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }
}
