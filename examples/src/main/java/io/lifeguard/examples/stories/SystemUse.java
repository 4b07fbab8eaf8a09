package io.lifeguard.examples.stories;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The operating system's measurements of a pool's workers, over all windows that have them. Immutable.
 *
 * @param systemShare the share of the process's CPU time spent in the kernel, 0 to 1; NaN if unknown
 * @param switchesPerTask the context switches of the workers per task; NaN if unknown
 * @param delayPerSecond the mean number of workers that were ready to run and had no CPU; NaN if unknown
 */
record SystemUse(double systemShare, double switchesPerTask, double delayPerSecond) {

    static final SystemUse UNKNOWN = new SystemUse(Double.NaN, Double.NaN, Double.NaN);

    /** Adds up the windows of one pool, in any order. */
    static SystemUse of(List<PoolWindow> windows) {
        double cpu = 0;
        double system = 0;
        double seconds = 0;
        double delay = 0;
        long tasks = 0;
        long switches = 0;
        for (PoolWindow window : windows) {
            if (window.process().cpu().isPresent()) {
                cpu += window.process().cpu().getAsDouble() * window.seconds();
                system += window.process().systemCpu().getAsDouble() * window.seconds();
            }
            Optional<ThreadTimes> times = window.workerTimes();
            if (times.isPresent()) {
                seconds += window.seconds();
                tasks += window.completed();
                delay += times.get().runQueueDelay().toNanos() / 1e9;
                switches += times.get().voluntarySwitches() + times.get().involuntarySwitches();
            }
        }
        return new SystemUse(
                cpu == 0 ? Double.NaN : system / cpu,
                tasks == 0 ? Double.NaN : (double) switches / tasks,
                seconds == 0 ? Double.NaN : delay / seconds);
    }

    String inWords() {
        return "system time " + percent(systemShare) + " of the CPU time, " + number(switchesPerTask)
                + " context switches per task, " + number(delayPerSecond) + " workers ready to run without a CPU";
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "unknown" : String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "unknown" : String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
    }
}
