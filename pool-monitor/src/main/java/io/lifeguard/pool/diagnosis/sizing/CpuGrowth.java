package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the CPU time of a task grows with the number of busy workers, learnt from a pool's own variation. Immutable.
 *
 * <p>Caches, locks and the collector make each task burn more CPU time when more threads run: indexing by Lucene took
 * 2.4 ms at 2 threads and 6.1 ms at 64, on two CPUs. Over windows with different numbers of busy workers, {@code log
 * CPU time = a + growth * log workers} is fitted by least squares. Where only one size was seen, the two cannot be
 * separated, and fewer threads do <i>at least</i> as much.
 *
 * @param spread the highest number of busy workers divided by the lowest
 */
record CpuGrowth(int windows, double spread, double slope, double error) {

    /** Nothing can be said. */
    static final CpuGrowth UNKNOWN = new CpuGrowth(0, 1, 0, Double.POSITIVE_INFINITY);

    /**
     * What is allowed for at the lower end of an interval where nothing is known: Lucene's indexing, 2.4 ms at 2
     * threads and 6.1 ms at 64, so log(6.1 / 2.4) / log(64 / 2) = 0.27.
     */
    static final CpuGrowth LIKELY = new CpuGrowth(PowerLaw.FEWEST_POINTS, 64.0 / 2, 0.27, 0);

    /** Tasks of a window: the mean of 20 exponential CPU times has a standard error of 22 %. */
    private static final int FEWEST_TASKS = 20;

    /** Highest ÷ lowest number of busy workers. The smallest growth that counts makes 7 % between the two. */
    private static final double SMALLEST_SPREAD = 2;

    /** Standard error of the exponent: as much as the smallest growth that counts. */
    private static final double LARGEST_ERROR = 0.1;

    /** Share of the best throughput: the model's error of 4 % cannot tell sizes apart that are closer than that. */
    private static final double ENOUGH = 0.97;

    /** Each size that is tried ÷ the one before it. So 150 sizes are tried up to 10,000 workers. */
    private static final double STEP = 1.05;

    /** Learns from a window, those before it, and the minutes before these. */
    static CpuGrowth in(PoolWindow window) {
        List<double[]> points = new ArrayList<>();
        double least = Double.MAX_VALUE;
        double most = 0;
        for (PoolWindow each : Samples.history(window)) {
            Optional<Span> cpu = each.cpuTime();
            double busy = each.busyWorkers();
            if (each.completed() >= FEWEST_TASKS
                    && busy >= 1
                    && cpu.isPresent()
                    && cpu.get().meanSeconds() > 0) {
                points.add(new double[] {busy, cpu.get().meanSeconds()});
                least = Math.min(least, busy);
                most = Math.max(most, busy);
            }
        }
        PowerLaw law = PowerLaw.through(points);
        return law == null ? UNKNOWN : new CpuGrowth(points.size(), most / least, law.exponent(), law.error());
    }

    /** {@return whether the pool had different numbers of busy workers, and they tell} */
    public boolean isKnown() {
        return windows >= PowerLaw.FEWEST_POINTS && spread >= SMALLEST_SPREAD && error <= LARGEST_ERROR;
    }

    /** {@return the power with which CPU time grows with the workers; 0 when it is unknown, or may be chance} */
    public double growth() {
        return isKnown() && PowerLaw.isGrowth(slope, error) ? Math.min(1, slope) : 0;
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

    /**
     * {@return the smallest size, up to the present one and {@link ServiceCurve#LARGEST_SIZE}, with 97 % of the highest
     * throughput of all}
     */
    int knee(Demand demand, int workers) {
        int largest = Math.max(1, Math.min(ServiceCurve.LARGEST_SIZE, workers));
        double[] throughput = new double[largest + 1]; // by size, of those that are tried
        double best = 0;
        for (int size = 1; size <= largest; size = next(size)) {
            throughput[size] = throughput(size, workers, demand);
            best = Math.max(best, throughput[size]);
        }
        for (int size = 1; size <= largest; size = next(size)) {
            if (throughput[size] >= ENOUGH * best) {
                return size;
            }
        }
        return largest; // where no throughput is a number
    }

    private double throughput(int size, int workers, Demand demand) {
        return ServiceCurve.of(at(size, workers, demand)).at(size).throughput();
    }

    private static int next(int size) {
        return Math.max(size + 1, (int) (size * STEP));
    }
}
