package io.lifeguard.pool.diagnosis.sizing;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A power law {@code y = c * x^exponent} that is fitted to points: a straight line through their logarithms, by least
 * squares. Immutable.
 */
record PowerLaw(double exponent, double error) {

    /** Points: a line has two parameters, and four more points show how far they scatter. */
    static final int FEWEST_POINTS = 6;

    /** Standard errors above 0: chance gets there once in forty times. */
    private static final double STANDARD_ERRORS = 2;

    /** A smaller exponent counts as 0: with 32 times as many workers, the time of a task grows 1.4 times. */
    private static final double SMALLEST_GROWTH = 0.1;

    /**
     * {@return the power law through the points; null when there are fewer than {@value #FEWEST_POINTS}, or all have
     * the same x}
     *
     * @param points pairs of x and y, all positive
     */
    static @Nullable PowerLaw through(List<double[]> points) {
        int n = points.size();
        if (n < FEWEST_POINTS) {
            return null;
        }
        double first = points.get(0)[0]; // the unit of x, so that equal ones are exactly 0
        double meanX = 0;
        double meanY = 0;
        for (double[] point : points) {
            meanX += Math.log(point[0] / first) / n;
            meanY += Math.log(point[1]) / n;
        }
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (double[] point : points) {
            double x = Math.log(point[0] / first) - meanX;
            double y = Math.log(point[1]) - meanY;
            xx += x * x;
            xy += x * y;
            yy += y * y;
        }
        if (xx == 0) {
            return null;
        }
        double slope = xy / xx;
        double rest = Math.max(0, yy - slope * xy);
        return new PowerLaw(slope, Math.sqrt(rest / (n - 2) / xx));
    }

    /** {@return whether an exponent is large enough to count, and not by chance} */
    static boolean isGrowth(double exponent, double error) {
        return exponent >= SMALLEST_GROWTH && exponent >= STANDARD_ERRORS * error;
    }
}
