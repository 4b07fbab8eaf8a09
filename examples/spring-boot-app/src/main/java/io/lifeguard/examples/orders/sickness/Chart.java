package io.lifeguard.examples.orders.sickness;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints what the monitor saw of a pool lately, to explain why it found nothing. Stateless. */
final class Chart {

    private static final int MOST = 40;

    private Chart() {}

    /** Returns one line for each of the latest windows, latest first. */
    static List<String> of(String pool) {
        return PoolMonitor.global().windows(pool).stream()
                .limit(MOST)
                .map(Chart::line)
                .toList();
    }

    private static String line(PoolWindow window) {
        return String.format(
                Locale.ROOT,
                "%s %.0f ms, late %.0f: %d done, %d queued, %d blocked, %.1f of %d busy; machine %.2f, process"
                        + " %.2f CPUs, kernel %.2f;%s%s",
                window.end(),
                window.seconds() * 1e3,
                window.process().late().toNanos() / 1e6,
                window.completed(),
                window.after().queued(),
                window.after().saturation().blockedNow(),
                window.busyWorkers(),
                window.after().size(),
                window.process().machineBusy().orElse(-1),
                window.process().cpu().orElse(-1),
                window.process().systemCpu().orElse(-1),
                window.workerTimes().map(Chart::times).orElse(""),
                breakdown(window.breakdown()));
    }

    private static String times(ThreadTimes times) {
        return String.format(
                Locale.ROOT,
                " workers: CPU %.0f ms, waited for it %.0f ms, switched %d times;",
                times.cpu().toNanos() / 1e6,
                times.runQueueDelay().toNanos() / 1e6,
                times.voluntarySwitches() + times.involuntarySwitches());
    }

    private static String breakdown(TimeBreakdown times) {
        return Stream.of(Doing.values())
                .filter(doing -> times.workers(doing).value() > 0)
                .map(doing -> String.format(
                        Locale.ROOT, "%s %.1f", doing, times.workers(doing).value()))
                .collect(Collectors.joining(", ", " seen " + times.looks() + " times: ", ";"))
                .toLowerCase(Locale.ROOT);
    }
}
