package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.Span;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How waiting outside grows with concurrency, learnt from a pool's own variation. Immutable.
 *
 * <p>If twice as many calls at once do twice as much, calls do not disturb each other. If they only take twice as long,
 * more of them achieve nothing. Over windows with different numbers of tasks outside at once, {@code log throughput = a
 * + e * log concurrency} is fitted by least squares. The elasticity e is 1 when calls do not disturb each other, and 0
 * when more of them achieve nothing. Waiting grows with concurrency to the power {@code 1 - e} (Little's law: waiting =
 * concurrency / throughput). Below 0 concurrency is not the cause: the service behind the pool got slower by itself.
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

    /** Highest ÷ lowest concurrency. Windows differ by a few percent by chance, which is far less. */
    private static final double SMALLEST_SPREAD = 1.5;

    /** Standard error of the elasticity, less than a quarter of the difference between growth (1) and none (0). */
    private static final double LARGEST_ERROR = 0.2;

    /** Elasticity: 1.5 of the largest errors below 0, where more calls achieve nothing. */
    private static final double LOWEST_ELASTICITY = -0.3;

    /** Windows at either end of the spread: a pool that has been full for long still shows how it got there. */
    private static final int MOST_AT_AN_END = 3;

    /** Calls at once: below half a call, the difference between busy workers and CPU time is mostly its error. */
    private static final double FEWEST_CALLS = 0.5;

    /**
     * Share of the workers' time that is CPU time. With less, CPUs that others have hardly slow tasks down: a wait for
     * a CPU is a few times as long as the CPU time, and is the same at each concurrency.
     */
    private static final double HARDLY = 0.05;

    /** Share of the CPUs that the tasks use. With more, they may be what the CPUs are full of. */
    private static final double FEW_CPUS = 0.25;

    /** Share of the throughput at the highest concurrency: windows differ by such a few percent by chance. */
    private static final double ENOUGH = 0.95;

    /**
     * {@return whether concurrency varied enough, and the standard error of {@code e} is at most
     * {@value #LARGEST_ERROR}}
     */
    public boolean isKnown() {
        return windows >= PowerLaw.FEWEST_POINTS && spread >= SMALLEST_SPREAD && error <= LARGEST_ERROR;
    }

    /**
     * {@return how waiting outside grows with concurrency, as a power from 0 to 1}
     *
     * <p>It is 0 when nothing is known, or when the growth may be chance (less than two standard errors).
     */
    public double growth() {
        double growth = 1 - elasticity;
        return isKnown() && PowerLaw.isGrowth(growth, error) && elasticity > LOWEST_ELASTICITY
                ? Math.min(1, growth)
                : 0;
    }

    /**
     * Learns from a window, those before it, and the minutes before these, in which CPUs were free.
     *
     * <p>Full CPUs keep throughput the same, and the service behind the pool has no part in that, unless the tasks
     * hardly compute. Where the load of the CPUs is unknown, only windows with the same knowledge are compared: an
     * unknown wait for a CPU looks like waiting outside. The minutes keep what a pool showed before its load became
     * steady, and when it had another size.
     */
    static Concurrency in(PoolWindow window) {
        boolean known = window.workerTimes().isPresent();
        List<double[]> points = new ArrayList<>(); // by their concurrency
        for (PoolWindow each : Samples.history(window)) {
            if (each.countsTasks() && each.completed() >= Samples.FEWEST_TASKS && isComparable(each, known)) {
                double calls = outside(each);
                int at = points.size();
                while (at > 0 && points.get(at - 1)[0] > calls) {
                    at--;
                }
                if (calls > FEWEST_CALLS) {
                    points.add(at, new double[] {calls, each.throughput()});
                }
            }
        }
        int count = points.size();
        if (count < PowerLaw.FEWEST_POINTS) {
            return UNKNOWN;
        }
        int quarter = Math.min(MOST_AT_AN_END, (count + 4 - 1) / 4);
        List<double[]> high = points.subList(count - quarter, count);
        double top = mean(high, 1);
        int enough = 0; // the highest have it on average
        while (enough < count - 1 && points.get(enough)[1] < ENOUGH * top) {
            enough++;
        }
        double spread = mean(high, 0) / mean(points.subList(0, quarter), 0);
        PowerLaw law = PowerLaw.through(points);
        return law == null
                ? UNKNOWN
                : new Concurrency(count, spread, law.exponent(), law.error(), points.get(enough)[0]);
    }

    private static boolean isComparable(PoolWindow window, boolean known) {
        ProcessWindow process = window.process();
        OptionalDouble busy = process.machineBusy().isPresent() ? process.machineBusy() : process.cpuShare();
        return busy.isPresent()
                ? busy.getAsDouble() < Samples.FULL || hardlyComputes(window)
                : window.workerTimes().isPresent() == known;
    }

    private static boolean hardlyComputes(PoolWindow window) {
        Optional<Span> known = window.cpuTime();
        double cpu = known.isPresent() ? known.get().seconds() / window.seconds() : Double.MAX_VALUE;
        return cpu < HARDLY * window.busyWorkers()
                && cpu < FEW_CPUS * window.process().cores();
    }

    /** Mean number of tasks that are neither on a CPU nor waiting for one. */
    private static double outside(PoolWindow window) {
        Optional<ThreadTimes> times = window.workerTimes();
        Optional<Span> cpu = window.cpuTime();
        double inside = cpu.isPresent() ? cpu.get().seconds() : 0;
        if (times.isPresent()) {
            inside = times.get().cpu().plus(times.get().runQueueDelay()).toNanos() / 1e9;
        }
        return window.busyWorkers() - inside / window.seconds();
    }

    private static double mean(List<double[]> points, int index) {
        double sum = 0;
        for (double[] point : points) {
            sum += point[index];
        }
        return sum / points.size();
    }
}
