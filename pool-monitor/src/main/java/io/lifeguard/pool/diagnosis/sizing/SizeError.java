package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import java.util.ArrayList;
import java.util.List;

/**
 * Estimates how far the wait of a task, divided by its CPU time, may be off. Stateless.
 *
 * <p>The size that fills the CPUs depends on that ratio only. Consecutive windows are batches of tasks, so the standard
 * error of their mean is that of the ratio (the method of batch means: A. M. Law, <i>Simulation Modeling and
 * Analysis</i>, 2015, chapter 9). With fewer than four windows, times are taken for exponential ones, whose mean has a
 * relative error of 1 ÷ √tasks. Two standard errors hold 95 %. The model's own error of 4 % is added.
 */
final class SizeError {

    /** The model's own error as a share: the median error of the throughput that {@link ServiceCurve} predicts. */
    private static final double MODEL = 0.04;

    /** Standard errors to either side of the mean that hold 95 % of a normal distribution. */
    private static final double SURE = 1.96;

    /** Windows: the standard deviation of three values is off by half itself. */
    private static final int FEWEST_WINDOWS = 4;

    /** The largest error as a share: the size may then be half or twice as large, and nothing is known of it. */
    static final double MOST = 1;

    private SizeError() {}

    /** {@return the error as a share of the ratio, 0 to 1} */
    static double of(List<PoolWindow> windows) {
        List<Double> ratios = new ArrayList<>();
        long tasks = 0;
        for (PoolWindow window : windows) {
            tasks += window.completed();
            addRatio(ratios, window);
        }
        double sampling = ratios.size() < FEWEST_WINDOWS
                ? Math.sqrt(2.0 / Math.max(1, tasks)) // of a ratio of two such means
                : Samples.variation(ratios, Double.POSITIVE_INFINITY) / Math.sqrt(ratios.size());
        return Math.min(MOST, SURE * sampling + MODEL);
    }

    private static void addRatio(List<Double> to, PoolWindow window) {
        double wall = window.busyWorkers() * window.seconds();
        double cpu = 0;
        if (window.workerTimes().isPresent()) {
            ThreadTimes times = window.workerTimes().get();
            cpu = times.cpu().toNanos() / 1e9;
            wall -= times.runQueueDelay().toNanos() / 1e9;
        } else if (window.cpuTime().isPresent()) {
            cpu = window.cpuTime().get().seconds();
        }
        if (cpu > 0 && window.completed() >= Samples.FEWEST_TASKS) {
            to.add(wall / cpu);
        }
    }
}
