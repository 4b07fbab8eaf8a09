package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.Span;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What a pool's own natural variation in concurrency teaches of the world behind it: whether twice as many calls at
 * once do twice as much, or only take twice as long. Immutable.
 *
 * <p>Over windows in which the number of tasks outside at once differed,
 * {@code log throughput = a + e * log concurrency} is fitted by least squares. The elasticity e is 1 when calls do not
 * disturb each other, 0 when more of them achieve nothing; waiting grows with concurrency to the power {@code 1 - e}
 * (Little's law: waiting = concurrency / throughput). Below 0 concurrency is not the cause: what is behind got slower
 * by itself.
 *
 * @param windows how many windows were compared; 0 when nothing can be said
 * @param spread the highest concurrency divided by the lowest, each the mean of a quarter of the windows, but of three
 *     at most: a pool that has been full for long has not forgotten how it got there
 * @param elasticity e
 * @param error its standard error
 * @param enough the lowest concurrency that had a throughput of 95 % of that at the highest
 */
public record Concurrency(int windows, double spread, double elasticity, double error, double enough) {

    /** Nothing can be said. */
    static final Concurrency UNKNOWN = new Concurrency(0, 1, 1, Double.POSITIVE_INFINITY, 1);

    /**
     * Six points for two parameters; a spread of 1.5 is far more than the few percent that windows differ by chance.
     */
    private static final int FEWEST_WINDOWS = 6;

    private static final double SMALLEST_SPREAD = 1.5;
    private static final int FEWEST_TASKS = 5;
    private static final int MOST_AT_AN_END = 3;

    /** From here on tasks wait for a CPU; on two CPUs as long as they compute. */
    private static final double FULL = 0.8;

    /**
     * Whether concurrency varied enough, and the windows agree.
     *
     * @return whether {@code e} is known to within 0.2, one standard error; that is less than half of what tells growth
     *     from none
     */
    public boolean isKnown() {
        return windows >= FEWEST_WINDOWS && spread >= SMALLEST_SPREAD && error <= 0.2;
    }

    /**
     * How waiting outside grows with concurrency.
     *
     * @return the power, 0 to 1; 0 when nothing is known, or so little that it may be chance (less than two standard
     *     errors)
     */
    public double growth() {
        double growth = 1 - elasticity;
        return isKnown() && growth >= 2 * error && growth >= 0.1 && elasticity > -0.3 ? Math.min(1, growth) : 0;
    }

    /**
     * Learns from a window and those before it in which there were CPUs to be had. Where they are full, throughput
     * stays the same because of them, and what is behind the pool has no part in it. Where nobody knows whether they
     * are, only windows are compared of which as much is known: a wait for a CPU that is not known looks like waiting
     * outside.
     */
    static Concurrency in(PoolWindow window) {
        boolean known = window.workerTimes().isPresent();
        List<double[]> points = Stream.concat(Stream.of(window), window.earlier().stream())
                .filter(each -> each.completed() >= FEWEST_TASKS && isComparable(each, known))
                .map(each -> new double[] {outside(each), each.throughput()})
                .filter(point -> point[0] > 0.5)
                .sorted(Comparator.comparingDouble(point -> point[0]))
                .toList();
        int count = points.size();
        if (count < FEWEST_WINDOWS) {
            return UNKNOWN;
        }
        int quarter = Math.min(MOST_AT_AN_END, (count + 3) / 4);
        List<double[]> high = points.subList(count - quarter, count);
        double top = mean(high, 1);
        double enough = points.stream()
                .filter(point -> point[1] >= 0.95 * top)
                .mapToDouble(point -> point[0])
                .min()
                .orElse(1);
        return fitted(points, mean(high, 0) / mean(points.subList(0, quarter), 0), enough);
    }

    private static boolean isComparable(PoolWindow window, boolean known) {
        ProcessWindow process = window.process();
        OptionalDouble busy = process.machineBusy().isPresent() ? process.machineBusy() : process.cpuShare();
        return busy.isPresent()
                ? busy.getAsDouble() < FULL
                : window.workerTimes().isPresent() == known;
    }

    private static Concurrency fitted(List<double[]> points, double spread, double enough) {
        int n = points.size();
        double meanX =
                points.stream().mapToDouble(p -> Math.log(p[0])).average().orElse(0);
        double meanY =
                points.stream().mapToDouble(p -> Math.log(p[1])).average().orElse(0);
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (double[] point : points) {
            double x = Math.log(point[0]) - meanX;
            double y = Math.log(point[1]) - meanY;
            xx += x * x;
            xy += x * y;
            yy += y * y;
        }
        if (xx == 0) {
            return UNKNOWN;
        }
        double slope = xy / xx;
        double rest = Math.max(0, yy - slope * xy);
        return new Concurrency(n, spread, slope, Math.sqrt(rest / (n - 2) / xx), enough);
    }

    /** Tasks that are neither on a CPU nor waiting for one, in the mean. */
    private static double outside(PoolWindow window) {
        double inside = window.workerTimes()
                .map(times -> times.cpu().plus(times.runQueueDelay()).toNanos() / 1e9)
                .or(() -> window.cpuTime().map(Span::seconds))
                .orElse(0.0);
        return window.busyWorkers() - inside / window.seconds();
    }

    private static double mean(List<double[]> points, int index) {
        return points.stream().mapToDouble(point -> point[index]).average().orElse(0);
    }
}
