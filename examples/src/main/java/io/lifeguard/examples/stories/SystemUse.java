package io.lifeguard.examples.stories;

import io.lifeguard.pool.diagnosis.PoolWindow;
import io.lifeguard.pool.diagnosis.ThreadTimes;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the operating system saw of a pool's workers, from all windows in which it was asked. Immutable.
 *
 * @param systemShare share of the process's CPU time that was spent in the kernel, 0 to 1; NaN when unknown
 * @param switchesPerTask context switches of the workers for each task, both kinds; NaN when unknown
 * @param delayPerSecond how many workers were ready to run and had no CPU, in the mean; NaN when unknown
 */
record SystemUse(double systemShare, double switchesPerTask, double delayPerSecond) {

    static final SystemUse UNKNOWN = new SystemUse(Double.NaN, Double.NaN, Double.NaN);

    /** From the windows, which must be of one pool and may be in any order. */
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
