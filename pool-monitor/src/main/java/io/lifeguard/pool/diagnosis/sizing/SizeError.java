package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Span;
import java.util.List;
import java.util.Optional;

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
        double[] ratios = windows.stream()
                .flatMap(window -> ratio(window).stream())
                .mapToDouble(Double::doubleValue)
                .toArray();
        double sampling = ratios.length < FEWEST_WINDOWS ? ofTasks(windows) : ofMean(ratios);
        return Math.min(MOST, SURE * sampling + MODEL);
    }

    private static Optional<Double> ratio(PoolWindow window) {
        double wall = window.busyWorkers() * window.seconds();
        Optional<Double> cpu = window.workerTimes()
                .map(times -> times.cpu().toNanos() / 1e9)
                .or(() -> window.cpuTime().map(Span::seconds));
        return cpu.filter(time -> time > 0 && window.completed() >= Samples.FEWEST_TASKS)
                .map(time -> (wall - delay(window)) / time);
    }

    private static double delay(PoolWindow window) {
        return window.workerTimes()
                .map(times -> times.runQueueDelay().toNanos() / 1e9)
                .orElse(0.0);
    }

    private static double ofTasks(List<PoolWindow> windows) {
        long tasks = windows.stream().mapToLong(PoolWindow::completed).sum();
        return Math.sqrt(2.0 / Math.max(1, tasks)); // of a ratio of two such means
    }

    private static double ofMean(double[] values) {
        double sum = 0;
        double squares = 0;
        for (double value : values) {
            sum += value;
        }
        double mean = sum / values.length;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return mean <= 0 ? MOST : Math.sqrt(squares / (values.length - 1) / values.length) / mean;
    }
}
