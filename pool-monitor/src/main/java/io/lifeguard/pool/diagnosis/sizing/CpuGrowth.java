package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Span;
import java.util.List;
import java.util.stream.Stream;

/**
 * How the CPU time of a task grows with the number of busy workers, learnt from a pool's own variation. Immutable.
 *
 * <p>Caches, locks and the collector make each task burn more CPU time when more threads run: indexing by Lucene took
 * 2.4 ms at 2 threads and 6.1 ms at 64, on two CPUs. Over windows with different numbers of busy workers,
 * {@code log CPU time = a + growth * log workers} is fitted by least squares. Where only one size was seen, the two
 * cannot be separated, and fewer threads do <i>at least</i> as much.
 *
 * @param windows how many windows were compared
 * @param spread the highest number of busy workers divided by the lowest
 * @param slope the fitted growth
 * @param error its standard error
 */
record CpuGrowth(int windows, double spread, double slope, double error) {

    /** Nothing can be said. */
    static final CpuGrowth UNKNOWN = new CpuGrowth(0, 1, 0, Double.POSITIVE_INFINITY);

    /**
     * What is allowed for at the lower end of an interval where nothing is known: Lucene's indexing, 2.4 ms at 2
     * threads and 6.1 ms at 64.
     */
    static final CpuGrowth LIKELY = new CpuGrowth(6, 32, 0.27, 0);

    private static final int FEWEST_WINDOWS = 6; // for two parameters
    private static final int FEWEST_TASKS = 20;
    private static final double SMALLEST_SPREAD = 2;
    private static final double SMALLEST = 0.1; // 64 instead of 2 threads: 1.4 times the CPU time
    private static final double LARGEST_ERROR = 0.1;
    private static final double ENOUGH = 0.97;

    /** Learns from a window, those before it, and the minutes before these. */
    static CpuGrowth in(PoolWindow window) {
        List<double[]> points = Stream.concat(window.parts(window.windows()).stream(), window.minutes().stream())
                .filter(each -> each.completed() >= FEWEST_TASKS && each.busyWorkers() >= 1)
                .flatMap(each -> each.cpuTime().map(Span::meanSeconds).filter(cpu -> cpu > 0).stream()
                        .map(cpu -> new double[] {Math.log(each.busyWorkers()), Math.log(cpu)}))
                .toList();
        return points.size() < FEWEST_WINDOWS ? UNKNOWN : fitted(points);
    }

    private static CpuGrowth fitted(List<double[]> points) {
        double meanX = points.stream().mapToDouble(p -> p[0]).average().orElse(0);
        double meanY = points.stream().mapToDouble(p -> p[1]).average().orElse(0);
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (double[] point : points) {
            xx += (point[0] - meanX) * (point[0] - meanX);
            xy += (point[0] - meanX) * (point[1] - meanY);
            yy += (point[1] - meanY) * (point[1] - meanY);
        }
        if (xx == 0) {
            return UNKNOWN;
        }
        double least = points.stream().mapToDouble(p -> p[0]).min().orElse(0);
        double most = points.stream().mapToDouble(p -> p[0]).max().orElse(0);
        double slope = xy / xx;
        double rest = Math.max(0, yy - slope * xy);
        return new CpuGrowth(points.size(), Math.exp(most - least), slope, Math.sqrt(rest / (points.size() - 2) / xx));
    }

    /** {@return whether the pool had different numbers of busy workers, and they tell} */
    public boolean isKnown() {
        return windows >= FEWEST_WINDOWS && spread >= SMALLEST_SPREAD && error <= LARGEST_ERROR;
    }

    /** {@return the power with which CPU time grows with the workers; 0 when it is unknown, or may be chance} */
    public double growth() {
        return isKnown() && slope >= SMALLEST && slope >= 2 * error ? Math.min(1, slope) : 0;
    }

    /** {@return what a task asks for at one size, when this demand holds at another} */
    Demand at(int size, int workers, Demand demand) {
        // fewer workers than CPUs do not disturb each other less than as many
        double ratio = Math.max(size, demand.cores()) / Math.max(workers, demand.cores());
        return new Demand(
                demand.cpu() * Math.pow(ratio, growth()),
                demand.outside(),
                demand.lock(),
                demand.cores(),
                demand.growth(),
                demand.concurrency());
    }

    /** {@return the smallest size, up to the present one, with 97 % of the highest throughput of all} */
    int knee(Demand demand, int workers) {
        double best = 0;
        for (int size = 1; size <= workers; size = next(size)) {
            best = Math.max(best, throughput(size, workers, demand));
        }
        for (int size = 1; size <= workers; size = next(size)) {
            if (throughput(size, workers, demand) >= ENOUGH * best) {
                return size;
            }
        }
        return Math.max(1, workers);
    }

    private double throughput(int size, int workers, Demand demand) {
        return ServiceCurve.of(at(size, workers, demand)).at(size).throughput();
    }

    private static int next(int size) {
        return Math.max(size + 1, (int) (size * 1.05));
    }
}
