package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.PoolSnapshot.Caller;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A dispatcher of an external pool was seen running tasks itself while workers idled. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> That of {@link DispatcherRunsTasks}: n workers, and dispatchers that run tasks c of the time while
 * w workers idle. Otherwise all workers count as busy. So work goes at n − c·w + c, and would go at n if the
 * dispatchers waited. The time comes from looks at the dispatchers' stacks.
 *
 * <p><b>Window.</b> The latest ten.
 *
 * <p><b>Threshold.</b> A gain of 15 %, three times that of an instrumented pool, because the busy workers are known at
 * single moments only; and eight looks, so that chance is no finding.
 *
 * <p><b>Closest healthy workload.</b> Caller-runs while all workers are busy to the end.
 */
public final class DispatcherSeenRunningTasks extends StandardRule {

    static final Threshold GAIN = new Threshold(
            DispatcherRunsTasks.ID + ".gain-seen",
            1.15,
            "expected throughput with waiting submitters ÷ throughput now, for pools that are watched from outside");

    private static final Caller NOTHING = new Caller("", 0, Duration.ZERO, 0);
    private static final int FEWEST_LOOKS = 8;
    private static final int WINDOWS = 10;

    public DispatcherSeenRunningTasks() {
        super(DispatcherRunsTasks.ID, GAIN);
    }

    @Override
    public Verdict examine(PoolWindow latest) {
        if (latest.isMeasured()) {
            return Verdict.clear(); // such a pool counts its caller-runs
        }
        PoolWindow window = latest.last(WINDOWS);
        List<Caller> callers = callersIn(window);
        long looks = callers.stream().mapToLong(Caller::runs).sum();
        if (looks < FEWEST_LOOKS) {
            return window.after().saturation().callers().isEmpty()
                    ? Verdict.unknown("a look at a thread that runs tasks of this pool itself")
                    : Verdict.clear(); // it is known, is looked at, and does not do so now
        }
        double workers = window.after().size();
        double seconds = callers.stream()
                .mapToDouble(DispatcherSeenRunningTasks::seconds)
                .sum();
        double idle = callers.stream()
                        .mapToDouble(each -> seconds(each) * each.idleWorkers())
                        .sum()
                / Math.max(seconds, Double.MIN_NORMAL);
        double share = seconds / window.seconds();
        double gain = workers / Math.max(1, workers - share * idle + share);
        if (gain < window.threshold(GAIN)) {
            return Verdict.clear();
        }
        return Limits.otherThan(latest, Bottleneck.DISPATCHER, Bottleneck.NONE, Bottleneck.UNKNOWN)
                .orElseGet(() -> Verdict.found(finding(latest, window, callers, looks, idle, gain)));
    }

    private static Finding finding(
            PoolWindow latest, PoolWindow window, List<Caller> callers, long looks, double idle, double gain) {
        Caller busiest = callers.get(0);
        return Finding.of(DispatcherRunsTasks.ID, latest)
                .summary(
                        "%s ran tasks itself for about %s of %s, so it was seen in %d looks, while %s of %.0f workers"
                                + " were idle",
                        busiest.thread(),
                        Units.time(Duration.ofNanos(Math.min(
                                busiest.time().toNanos(), window.length().toNanos()))),
                        Units.time(window.length()),
                        busiest.runs(),
                        Units.count(idle),
                        (double) window.after().size())
                .advice(
                        "Let the submitter wait when the pool is full (BlockingWaitPolicy of an instrumented pool), or"
                                + " give the queue more room: expected throughput %s.",
                        Units.times(gain))
                .evidence("dispatcher", busiest.thread())
                .evidence("looks", looks)
                .evidence("runTime", busiest.time())
                .evidence("idleWorkers", idle)
                .evidence("gain", gain)
                .build();
    }

    /** The busiest first. */
    private static List<Caller> callersIn(PoolWindow window) {
        Map<String, Caller> before = window.before().saturation().callers().stream()
                .collect(Collectors.toMap(Caller::thread, Function.identity(), (one, other) -> one));
        return window.after().saturation().callers().stream()
                .map(after -> since(before.getOrDefault(after.thread(), NOTHING), after))
                .filter(caller -> caller.runs() > 0)
                .sorted(Comparator.comparing(Caller::time).reversed())
                .toList();
    }

    private static Caller since(Caller before, Caller after) {
        Duration time = after.time().minus(before.time());
        double idle = seconds(after) * after.idleWorkers() - seconds(before) * before.idleWorkers();
        return new Caller(
                after.thread(),
                after.runs() - before.runs(),
                time,
                time.isZero() ? 0 : Math.max(0, idle / (time.toNanos() / 1e9)));
    }

    private static double seconds(Caller caller) {
        return caller.time().toNanos() / 1e9;
    }
}
