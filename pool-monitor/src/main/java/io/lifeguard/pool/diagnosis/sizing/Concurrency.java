package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.Span;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * How waiting outside grows with concurrency, learnt from a pool's own variation. Immutable.
 *
 * <p>If twice as many calls at once do twice as much, calls do not disturb each other. If they only take twice as long,
 * more of them achieve nothing. Over windows with different numbers of tasks outside at once,
 * {@code log throughput = a + e * log concurrency} is fitted by least squares. The elasticity e is 1 when calls do not
 * disturb each other, and 0 when more of them achieve nothing. Waiting grows with concurrency to the power
 * {@code 1 - e} (Little's law: waiting = concurrency / throughput). Below 0 concurrency is not the cause: the service
 * behind the pool got slower by itself.
 *
 * @param windows how many windows were compared; 0 when nothing can be said
 * @param spread the highest concurrency divided by the lowest, each the mean of a quarter of the windows, but of three
 *     at most. So a pool that has been full for long still shows how it got there
 * @param elasticity e
 * @param error its standard error
 * @param enough the lowest concurrency that had a throughput of 95 % of that at the highest
 */
public record Concurrency(int windows, double spread, double elasticity, double error, double enough) {

    /** Nothing can be said. */
    static final Concurrency UNKNOWN = new Concurrency(0, 1, 1, Double.POSITIVE_INFINITY, 1);

    /**
     * Six points for two parameters. A spread of 1.5 is far more than the few percent by which windows differ by
     * chance.
     */
    private static final int FEWEST_WINDOWS = 6;

    private static final double SMALLEST_SPREAD = 1.5;
    private static final int FEWEST_TASKS = 5;
    private static final int MOST_AT_AN_END = 3;

    /** From this share on tasks wait for a CPU; on two CPUs as long as they compute. */
    private static final double FULL = 0.8;

    /**
     * {@return whether concurrency varied enough, and {@code e} is known to within 0.2, one standard error}
     *
     * <p>That error is less than half of the difference between growth and none.
     */
    public boolean isKnown() {
        return windows >= FEWEST_WINDOWS && spread >= SMALLEST_SPREAD && error <= 0.2;
    }

    /**
     * {@return how waiting outside grows with concurrency, as a power from 0 to 1}
     *
     * <p>It is 0 when nothing is known, or when the growth may be chance (less than two standard errors).
     */
    public double growth() {
        double growth = 1 - elasticity;
        return isKnown() && growth >= 2 * error && growth >= 0.1 && elasticity > -0.3 ? Math.min(1, growth) : 0;
    }

    /**
     * Learns from a window, those before it, and the minutes before these, in which CPUs were free.
     *
     * <p>Full CPUs keep throughput the same, and the service behind the pool has no part in that. Where the load of the
     * CPUs is unknown, only windows with the same knowledge are compared: an unknown wait for a CPU looks like waiting
     * outside. The minutes keep what a pool showed before its load became steady, and when it had another size.
     */
    static Concurrency in(PoolWindow window) {
        boolean known = window.workerTimes().isPresent();
        List<double[]> points = Stream.concat(window.parts(window.windows()).stream(), window.minutes().stream())
                .filter(each -> each.countsTasks() && each.completed() >= FEWEST_TASKS && isComparable(each, known))
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

    /** Mean number of tasks that are neither on a CPU nor waiting for one. */
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
