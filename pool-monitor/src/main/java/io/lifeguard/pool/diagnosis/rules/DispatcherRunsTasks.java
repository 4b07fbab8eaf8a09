package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.PoolSnapshot.Caller;
import io.lifeguard.pool.PoolSnapshot.EventLoop;
import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.bottleneck.CallerRuns;
import io.lifeguard.pool.diagnosis.bottleneck.HandedBack;
import io.lifeguard.pool.diagnosis.bottleneck.LockStation;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds submitters that run tasks themselves, and submit nothing to idle workers in that time. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> Waiting submitters would gain {@link CallerRuns#gain()}: the idle workers would have work, as far
 * as the CPUs and a lock let more through. Tasks that came back at once count as run later on the submitting thread, as
 * some frameworks do. Where the pool's own handler got the rejected tasks, no run is seen. Then rejected tasks and idle
 * workers in the same 2 s are the sign ({@link HandedBack}): the submitter was busy, because the queue was not
 * refilled. Clear while another bottleneck is known ({@link Bottlenecks}), except a lock. Clear, too, where the busiest
 * submitter is an event loop, which must not wait: {@link EventLoopBlockedByPool} says what to do.
 *
 * <p><b>Window.</b> The latest windows in which there were caller-runs, at most ten seconds, and no less than two such
 * runs take, because a run is known when it ends.
 *
 * <p><b>Thresholds.</b> A gain of 5 %. Caller-runs with constant tasks and a queue as long as the pool measure 6 %
 * <em>faster</em> than waiting, with varying tasks and such a queue 10 to 20 % slower, and with a queue half as long 65
 * to 75 % slower: 5 % lies between, and is what a measurement of a second can tell. Three runs at least, because of
 * fewer it is unknown whether they go on. For tasks that a handler got, a fifth of the workers must idle, because fewer
 * idle by chance.
 *
 * <p><b>Closest healthy workload.</b> Caller-runs with a queue as long as the pool and constant tasks: all workers are
 * busy to the end.
 */
public final class DispatcherRunsTasks extends StandardRule {

    static final String ID = "dispatcher-runs-tasks";

    public DispatcherRunsTasks() {
        super(ID);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        if (!window.isMeasured()) {
            return UNMEASURED;
        }
        CallerRuns runs = CallerRuns.in(window).orElse(null);
        if (runs == null) {
            Optional<HandedBack> handed = HandedBack.in(window);
            if (handed.isEmpty()) {
                return Verdict.clear();
            }
            Optional<Verdict> other = Limits.otherThan(window, Bottleneck.DISPATCHER);
            return other.isPresent() ? other.get() : Verdict.found(finding(window, handed.get()));
        }
        return switch (runs.answer()) {
            case NO -> Verdict.clear();
            case OPEN -> Verdict.unknown("how many tasks the CPUs can carry");
            case YES -> worthWaiting(window, runs);
        };
    }

    private static Verdict worthWaiting(PoolWindow window, CallerRuns runs) {
        if (isEventLoop(window, busiest(runs.callers()))) {
            return Verdict.clear(); // event-loop-blocked speaks of it: an event loop must not wait
        }
        Optional<Verdict> other = Limits.otherThan(window, Bottleneck.DISPATCHER, Bottleneck.LOCK);
        return other.isPresent() ? other.get() : Verdict.found(finding(window, runs));
    }

    private static Caller busiest(List<Caller> callers) {
        return callers.get(callers.get(0).isOther() && callers.size() > 1 ? 1 : 0);
    }

    private static boolean isEventLoop(PoolWindow window, Caller caller) {
        for (EventLoop loop : window.after().saturation().eventLoops()) {
            if (!loop.isOther() && loop.runs() > 0 && loop.thread().equals(caller.thread())) {
                return true;
            }
        }
        return false;
    }

    private static Finding finding(PoolWindow latest, CallerRuns runs) {
        List<Caller> callers = runs.callers();
        Caller busiest = busiest(callers);
        long tasks = 0;
        for (Caller caller : callers) {
            tasks += caller.runs();
        }
        Finding.Builder finding = Finding.of(ID, latest)
                .summary("%s", runs.isDeferred() ? deferred(runs, busiest) : ran(runs, busiest))
                .changesSaturation()
                .advice("Let submitters wait when the pool is full (BlockingWaitPolicy.forever())")
                .gain(
                        "; expect %s the throughput, %s → %s tasks/s%s.",
                        Units.times(runs.gain()),
                        Units.rate(runs.rate()),
                        Units.rate(runs.possibleRate()),
                        runs.isLockTheLimit()
                                ? "; the lock " + runs.lock().orElseThrow().lock() + " lets no more through"
                                : "")
                .evidence("dispatcher", busiest.thread())
                .evidence("dispatchers", callers.size())
                .evidence("tasksRun", tasks)
                .evidence("timeSpent", Units.time(runs.seconds()))
                .evidence("shareOfTime", runs.share())
                .evidence("idleWorkersMeanwhile", runs.idleWorkers())
                .evidence("workers", runs.workers())
                .evidence("utilisation", runs.window().utilisation())
                .evidence("queueCapacity", runs.window().queueCapacity())
                .evidence("throughput", runs.rate())
                .evidence("expectedThroughput", runs.possibleRate())
                .evidence("gain", runs.gain());
        if (runs.isDeferred()) {
            finding.evidence("callerRunTime", runs.window().callerRunTime().mean())
                    .evidence("serviceTime", runs.window().serviceTime().mean());
        }
        if (runs.lock().isPresent()) {
            LockStation station = runs.lock().get();
            finding.evidence("lock", station.lock()).evidence("lockHeldShareOfTime", station.busy());
        }
        return finding.build();
    }

    private static String ran(CallerRuns runs, Caller busiest) {
        return Units.format(
                "%s ran %s %s for %s in %s%s, while %s of %s",
                name(busiest),
                Counted.of(busiest.runs(), "task"),
                busiest.isOther() ? "themselves" : "itself",
                Units.time(busiest.time()),
                Units.time(runs.window().length()),
                others(runs.callers()),
                Units.rate(runs.idleWorkers()),
                Counted.of(runs.workers(), "worker was", "workers were")
                        + " idle on average, because "
                        + (runs.callers().size() == 1 && !busiest.isOther() ? name(busiest) : "they")
                        + " submitted nothing in that time");
    }

    private static String deferred(CallerRuns runs, Caller busiest) {
        int workers = runs.workers();
        return Units.format(
                "%s got %s back from the full pool in %s%s, while %s of %s were idle: the tasks came back within %s"
                        + " (workers take %s), so %s seems to run them later, and submits nothing in that time",
                name(busiest),
                Counted.of(busiest.runs(), "task"),
                Units.time(runs.window().length()),
                others(runs.callers()),
                Units.rate(workers - runs.window().busyWorkers()),
                Counted.of(workers, "worker"),
                Units.time(runs.window().callerRunTime().mean()),
                Units.time(runs.window().serviceTime().mean()),
                busiest.isOther() ? "each of them" : "it");
    }

    private static String name(Caller caller) {
        return caller.isOther() ? "threads that came after the first callers" : caller.thread();
    }

    private static String others(List<Caller> callers) {
        if (callers.size() == 1) {
            return "";
        }
        return (callers.stream().anyMatch(Caller::isOther) ? " (and at least " : " (and ")
                + Counted.of(callers.size() - 1, "more thread")
                + " did so)";
    }

    private static Finding finding(PoolWindow latest, HandedBack handed) {
        PoolWindow recent = handed.window();
        return Finding.of(ID, latest)
                .summary(
                        "the handler got %s from the full pool in %s, while %s of %s were idle: if it runs them on the"
                                + " submitting thread, that thread submits nothing in that time",
                        Counted.of(handed.tasks(), "task"),
                        Units.time(recent.length()),
                        Units.rate(handed.idleWorkers()),
                        Counted.of(recent.after().size(), "worker"))
                .changesQueue()
                .changesSaturation()
                .advice("Let submitters wait when the pool is full (BlockingWaitPolicy.forever()), or make the"
                        + " queue longer than the pool.")
                .evidence("tasksLeftToHandler", handed.tasks())
                .evidence("idleWorkers", handed.idleWorkers())
                .evidence("workers", recent.after().size())
                .evidence("utilisation", recent.utilisation())
                .evidence("queueCapacity", recent.queueCapacity())
                .evidence("throughput", recent.throughput())
                .build();
    }

    /** Whether a lock would take the gain. */
    @Override
    public Set<Evidence> needs(PoolWindow window) {
        return window.callerRuns() > 0 ? Set.of(Evidence.STACKS) : Set.of();
    }
}
