package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.PoolSnapshot.Caller;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.CallersSeen;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;

/**
 * Finds submitters of an external pool that were seen running tasks themselves while workers idled. Stateless,
 * thread-safe.
 *
 * <p><b>Formula.</b> That of {@link DispatcherRunsTasks}, with times from looks at the submitters' stacks
 * ({@link CallersSeen}). All workers that were not seen idle count as busy.
 *
 * <p><b>Window.</b> The latest ten.
 *
 * <p><b>Thresholds.</b> At least eight looks, because fewer may be chance. With eight, a gain of 15 %, three times that
 * of an instrumented pool, because the busy workers are known at single moments only. The error shrinks with the root
 * of the looks, so with 40 a gain of 9.5 % is enough. In a simulation of six workers that wait for one report in 20
 * tasks, 40 looks saw 15 % in 64 of 100 cases, and 10 % in 88; the true gain was 17 %. Between half of the wanted gain
 * and the whole of it, and with fewer looks, a finding that stands is neither confirmed nor refuted.
 *
 * <p><b>Closest healthy workload.</b> Caller-runs while all workers are busy to the end.
 */
public final class DispatcherSeenRunningTasks extends StandardRule {

    public DispatcherSeenRunningTasks() {
        super(DispatcherRunsTasks.ID);
    }

    @Override
    public Verdict examine(PoolWindow latest) {
        if (latest.isMeasured()) {
            return Verdict.clear(); // such a pool counts its caller-runs
        }
        CallersSeen seen = CallersSeen.in(latest).orElse(null);
        if (seen == null) {
            boolean isWell = !latest.after().saturation().callers().isEmpty() && !CallersSeen.isAny(latest);
            return isWell // it is known, is looked at, and does not do so now
                    ? Verdict.clear()
                    : Verdict.unknown("a look at a thread that runs tasks of this pool itself");
        }
        if (!seen.isWorthIt()) {
            return seen.isAlmostWorthIt()
                    ? Verdict.unknown("whether the gain has changed, which looks tell to within a half")
                    : Verdict.clear();
        }
        return Limits.otherThan(latest, Bottleneck.DISPATCHER).orElseGet(() -> Verdict.found(finding(latest, seen)));
    }

    private static Finding finding(PoolWindow latest, CallersSeen seen) {
        PoolWindow window = seen.window();
        Caller busiest = seen.callers().get(0);
        return Finding.of(DispatcherRunsTasks.ID, latest)
                .summary(
                        "%s ran tasks itself for about %s of %s (seen %s), while %s of %s idle",
                        busiest.thread(),
                        Units.time(Duration.ofNanos(Math.min(
                                busiest.time().toNanos(), window.length().toNanos()))),
                        Units.time(window.length()),
                        Counted.of(busiest.runs(), "time"),
                        Units.count(seen.idleWorkers()),
                        Counted.of(window.after().size(), "worker was", "workers were"))
                .changesQueue()
                .changesSaturation()
                .advice("Let the submitter wait when the pool is full (BlockingWaitPolicy of an instrumented pool), or"
                        + " make the queue longer")
                .gain("; expect %s the throughput.", Units.times(seen.gain()))
                .evidence("dispatcher", busiest.thread())
                .evidence("looks", seen.looks())
                .evidence("runTime", busiest.time())
                .evidence("idleWorkers", seen.idleWorkers())
                .evidence("gain", seen.gain())
                .build();
    }
}
