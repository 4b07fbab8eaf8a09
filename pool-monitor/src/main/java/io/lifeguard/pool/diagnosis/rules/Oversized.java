package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds pools in which at most half of the workers were ever busy at once, over a long time and under a usual load.
 * Stateless, thread-safe.
 *
 * <p><b>Formula.</b> k ≤ n ÷ 2. Here k is the highest mean number of busy workers of any window plus twice its square
 * root, which nearly all moments within the window stay below if tasks come at random (Poisson). n is the number of
 * workers that stay: those above the core size leave by themselves. No task has waited. Fewer than 100 tasks tell
 * nothing, and 4 workers are always left.
 *
 * <p><b>Window.</b> A minute at least, and the last hour as far as it is known.
 *
 * <p><b>Thresholds.</b> Half, 100 tasks and 4 workers are judgement: saving a few threads is not worth a finding.
 *
 * <p><b>Closest healthy workload.</b> A pool in its nightly lull. If its last minute did less than half as much as the
 * busiest minute of the last hour, or as the average since the start, nothing is said. The exception is a pool of which
 * even those better times kept less than 1 % busy, because code that is still interpreted looks like a day's work. A
 * pool that has just started has not been seen for a minute.
 */
public final class Oversized extends StandardRule {

    static final String ID = "oversized";

    static final Threshold BUSY = new Threshold(
            ID + ".busy", 0.5, "share of the workers that were busy at most, 0 to 1; saving less is not worth it");
    static final Threshold SECONDS = new Threshold(
            ID + ".seconds", 60, "seconds that must have been seen without a pause that stopped everything; a minute");

    private static final double TASKS = 100; // tasks that must have been completed; fewer tell nothing about the load
    /** Workers that are always left; saving a thread or two is not worth a finding. */
    private static final double WORKERS = 4;
    /**
     * Load of the last minute, as a share of the load of the busiest minute of the last hour or of the average since
     * the start, 0 to 1; with less the pool is in a lull.
     */
    private static final double LULL = 0.5;
    /** Share of the workers that is busy in a pool that is never used, 0 to 1; a judgement. */
    private static final double IDLE = 0.01;

    public Oversized() {
        super(ID, BUSY, SECONDS);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        double needed = window.threshold(SECONDS);
        int workers = Math.min(window.after().size(), window.after().limits().coreSize());
        if (!window.isMeasured()) {
            return UNMEASURED;
        }
        if (window.bottleneck() != Bottleneck.NONE && window.bottleneck() != Bottleneck.UNKNOWN) {
            return Verdict.clear();
        }
        Duration wanted = Duration.ofNanos(Math.round(needed * 1e9));
        PoolWindow joined = window.last(wanted);
        if (!joined.lasts(needed)) {
            return Verdict.unknown("a longer time in which the pool was watched");
        }
        List<PoolWindow> all = window.parts(1 + window.windows() - joined.windows());
        double peak = Stream.concat(all.stream(), window.minutes().stream())
                .mapToDouble(Oversized::atOnce)
                .reduce(WORKERS, Math::max);
        boolean holds = joined.completed() >= TASKS
                && peak <= window.threshold(BUSY) * workers
                && all.stream().noneMatch(Oversized::waits)
                && !isLull(joined, window.minutes(), workers);
        return holds ? Verdict.found(finding(window, joined, workers, (int) Math.ceil(peak))) : Verdict.clear();
    }

    private static double atOnce(PoolWindow window) {
        double busy = window.busyWorkers();
        return Math.max(
                busy + 2 * Math.sqrt(busy),
                Math.max(window.before().active(), window.after().active()));
    }

    private static boolean waits(PoolWindow window) {
        return hasWaiting(window.before())
                || hasWaiting(window.after())
                || window.blockedSubmit().count() > 0
                || window.callerRuns() > 0
                || window.rejected() > 0
                || window.before().size() > window.after().size(); // shrinks by itself
    }

    /** A task that is queued while a worker is idle does not wait for want of workers: one is on its way to it. */
    private static boolean hasWaiting(PoolSnapshot snapshot) {
        return snapshot.queued() > snapshot.size() - snapshot.active();
    }

    private static boolean isLull(PoolWindow joined, List<PoolWindow> minutes, int workers) {
        double busy = joined.busyWorkers();
        double best =
                minutes.stream().mapToDouble(PoolWindow::busyWorkers).max().orElse(0);
        double worked = joined.after().serviceTime().total().toNanos();
        double idled = joined.after().times().idle().toNanos();
        double ever = worked + idled == 0
                ? 0
                : worked / (worked + idled) * joined.after().size();
        double better = Math.max(best, ever);
        return better >= IDLE * workers && busy < LULL * better;
    }

    private static Finding finding(PoolWindow window, PoolWindow joined, int workers, int peak) {
        double busy = joined.busyWorkers();
        int staffed = (int) Math.ceil(busy + Sizing.HEADROOM * Math.sqrt(busy));
        int size = Math.max(peak, staffed);
        return Finding.of(ID, window)
                .severity(Severity.INFO)
                .summary(
                        "hardly ever more than %d of %s were busy at once in %s, %s on average",
                        peak, Counted.of(workers, "worker"), Units.time(joined.seconds()), Units.rate(busy))
                .changesSize()
                .advice("Shrink the pool. Keep more if bursts come.")
                .size(
                        Math.min(size, staffed),
                        size,
                        size + (int) Math.ceil(Math.sqrt(size)),
                        "Shrink the pool to %d: that is enough for %s tasks/s of %s each, with some to spare, and"
                                + " saves %s. Keep more if bursts of %d or more tasks come.",
                        size,
                        Units.rate(joined.arrivalRate()),
                        Units.time(joined.serviceTime().meanSeconds()),
                        Counted.of(workers - size, "thread"),
                        size + 1)
                .evidence("workers", workers)
                .evidence("busiest", peak)
                .evidence("busy", busy)
                .evidence("arrivalRate", joined.arrivalRate())
                .evidence("serviceTime", joined.serviceTime().mean())
                .evidence("seen", joined.length())
                .build();
    }
}
