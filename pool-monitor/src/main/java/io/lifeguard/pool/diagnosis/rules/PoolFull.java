package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.bottleneck.Thresholds;
import io.lifeguard.pool.diagnosis.seen.SaidFinding;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.text.Counted;
import java.util.ArrayList;
import java.util.List;

/**
 * Says that all workers are busy while tasks wait, and where the workers are: the least that is said of a full pool.
 * Stateless, thread-safe.
 *
 * <p><b>Formula.</b> Tasks wait and all workers are busy ({@link PoolWindow#isSaturated()}). Or by the lower bound half
 * of all workers wait for a lock or queue for something limited, whether tasks wait or not. The finding gives way to
 * any other one that says why the pool is full. It is clear where the pool is full because it does as much as the CPUs
 * can: they are the bottleneck, the process uses 80 % of them, and no more than 1.2 workers per CPU are busy.
 *
 * <p><b>Window.</b> The latest, four in a row: two more than those rules need that know why.
 *
 * <p><b>Thresholds.</b> A half of the workers is a judgement: what most of them wait for is worth a sentence.
 *
 * <p><b>Closest healthy workload.</b> A batch that is to be done some time: its pool is full until it ends, and that is
 * no more than information.
 */
public final class PoolFull extends StandardRule {

    static final String ID = SaidFinding.LEAST;

    static final Threshold INSIDE = new Threshold(
            ID + ".inside",
            0.5,
            "share of the workers that wait for locks or limited resources, 0 to 1, by the lower bound, from which on"
                    + " that is said though no task waits; a judgement");

    private static final Doing[] ALL = Doing.values();

    public PoolFull() {
        super(ID, INSIDE);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        boolean isFull = window.countsQueue() && window.isSaturated();
        double inside = waitingInside(window.breakdown());
        if (!isFull
                && (inside == 0
                        || inside < window.threshold(INSIDE) * window.after().size())) {
            return window.countsQueue() ? Verdict.clear() : UNKNOWN_QUEUE;
        }
        return isFullOfWork(window) ? Verdict.clear() : Verdict.found(finding(window, isFull));
    }

    private static double waitingInside(TimeBreakdown times) {
        double least = times.workers(Doing.WAITING_FOR_LOCK).low();
        for (Share share : times.shares()) {
            if (share.awaited().orElse(null) instanceof Awaited.Line line && line.limited()) {
                least += share.workers().low();
            }
        }
        return least;
    }

    /** Whether the pool does as much as the CPUs can, with no more workers than that takes. */
    private static boolean isFullOfWork(PoolWindow window) {
        return window.bottleneck() == Bottleneck.CPU
                && window.process().cpuShare().orElse(0) >= Thresholds.CPU_MUCH
                && Bottlenecks.busyWorkers(window)
                        <= Math.ceil(Thresholds.PER_CPU * window.process().cores());
    }

    private static Finding finding(PoolWindow window, boolean isFull) {
        int workers = window.after().size();
        TimeBreakdown times = Limits.recent(window);
        List<String> where = where(times);
        Finding.Builder finding = Finding.of(ID, window)
                .severity(Severity.INFO)
                .summary("%s; where they are: %s", busy(window, workers, isFull), String.join(", ", where))
                .advice(SaidFinding.LOOK_THERE)
                .evidence("workers", workers)
                .evidence("busyWorkers", Bottlenecks.busyWorkers(window))
                .evidence("where", where);
        if (window.countsQueue()) {
            finding.evidence("queued", window.after().queued())
                    .evidence("blockedSubmitters", window.after().saturation().blockedNow());
        }
        if (window.countsTasks()) {
            finding.evidence("throughput", window.throughput());
        }
        return Places.add(finding, times.shares()).build();
    }

    private static String busy(PoolWindow window, int workers, boolean isFull) {
        if (!isFull) {
            return "most of " + Counted.of(workers, "worker") + " wait for what others of them hold";
        }
        String tasks = Counted.of(window.after().queued(), "task waits", "tasks wait");
        return (workers == 1 ? "the only worker is busy" : "all " + workers + " workers are busy") + " and "
                + SaidFinding.waiting(tasks, window.after().saturation().blockedNow());
    }

    /** What the workers did, with the largest place of each, most workers first. */
    private static List<String> where(TimeBreakdown times) {
        List<Doing> left = new ArrayList<>(List.of(ALL));
        List<String> parts = new ArrayList<>();
        for (Share share : times.shares()) { // largest first, so the first of each kind is its largest
            if (left.remove(share.doing())) {
                long count = Math.round(times.workers(share.doing()).value());
                if (count > 0) {
                    parts.add(count + " " + what(share) + (share.place().isEmpty() ? "" : " at " + share.place()));
                }
            }
        }
        return parts.isEmpty() ? List.of("unknown") : parts;
    }

    private static String what(Share share) {
        String name = "";
        if (share.awaited().orElse(null) instanceof Awaited.Lock lock) {
            name = " " + lock.name();
        } else if (share.awaited().orElse(null) instanceof Awaited.Line line) {
            name = " for " + line.name();
        }
        return switch (share.doing()) {
            case COMPUTING -> "computing";
            case WAITING_FOR_CPU -> "waiting for a CPU";
            case WAITING_FOR_LOCK -> "waiting for the lock" + name;
            case WAITING_FOR_RESULT -> "waiting for a result";
            case WAITING_IN_LINE -> "queueing" + name;
            case WAITING_OUTSIDE -> "waiting for something outside";
            case SLEEPING -> "sleeping";
            case IDLE -> "idle";
            case UNKNOWN -> "unknown";
        };
    }

    /** Two more than those that say why, which are to come first. */
    @Override
    public int windowsToRaise() {
        return 2 + USUAL_WINDOWS_TO_RAISE;
    }
}
