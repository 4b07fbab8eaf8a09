package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.PoolSnapshot.Caller;
import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.sizing.LockStation;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.Span;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A dispatcher ran tasks itself, and fed nobody meanwhile. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> With n workers busy a share u of the time, and dispatchers running tasks c of the time (in sum; 1
 * is one dispatcher all of the time) while w workers idled, work now goes at n·u + c, and would go at n·u + c·w, but no
 * more than n, had they waited: the idle workers would have had something to do. So waiting gains min(n, n·u + c·w) /
 * (n·u + c). For a dispatcher that does nothing else this is n / (n·u + c). No more is promised than the CPUs can
 * carry: cores ÷ CPU time per task; nor, where tasks are seen to queue for a lock, than that lets through: throughput ÷
 * the share of the time in which it is held ({@link LockStation}, which says how far that can be trusted). A run that
 * began before the window counts for no longer than the window: no thread runs tasks for longer than it lasts.
 *
 * <p><b>Window.</b> The latest ones in which there were caller-runs, ten at most; not fewer than two such runs take,
 * since a run is known when it ends. Three runs at least: of fewer nobody knows whether they go on.
 *
 * <p><b>Threshold.</b> A gain of 5 %. Caller-runs with constant tasks and a queue as long as the pool measure 6 %
 * <em>faster</em> than waiting, with varying tasks and such a queue 10 to 20 % slower, and with a queue half as long 65
 * to 75 % slower: 5 % lies between, and is what a measurement of a second can tell. Where other processes use the CPUs,
 * up to three times as much: a worker that has been fed and waits for a CPU to wake up on counts as idle, too. With two
 * foreign threads on two CPUs this alone looked like a gain of 8 %, once in five runs of constant tasks.
 *
 * <p><b>Closest healthy workload.</b> Caller-runs with a queue as long as the pool and constant tasks: all workers are
 * busy to the end, w is 0.
 */
public final class DispatcherRunsTasks extends StandardRule {

    static final String ID = "dispatcher-runs-tasks";

    static final Threshold GAIN = new Threshold(
            ID + ".gain",
            1.05,
            "expected throughput with waiting submitters ÷ throughput now; from measurements, see the class");

    private static final int FEWEST_RUNS = 3;
    private static final int MOST_WINDOWS = 10;

    public DispatcherRunsTasks() {
        super(ID, GAIN);
    }

    @Override
    public Verdict examine(PoolWindow latest) {
        if (!latest.isMeasured()) {
            return UNMEASURED;
        }
        PoolWindow window = latest.last(windowsFor(latest));
        int workers = window.after().size();
        List<Caller> callers = callersIn(window);
        long runs = callers.stream().mapToLong(Caller::runs).sum();
        if (runs < FEWEST_RUNS || workers == 0) {
            return Verdict.clear();
        }
        double seconds =
                callers.stream().mapToDouble(DispatcherRunsTasks::seconds).sum();
        double idle = callers.stream()
                        .mapToDouble(each -> seconds(each) * each.idleWorkers())
                        .sum()
                / seconds;
        double share = seconds / window.seconds();
        double now = window.busyWorkers() + share;
        double gain = Math.min(workers, window.busyWorkers() + share * idle) / now;
        double rate = (window.completed() + window.callerRuns()) / window.seconds();
        Optional<LockStation> lock = lock(latest, now);
        double ceiling = lock.map(station -> rate / station.busy()).orElse(Double.MAX_VALUE);
        double then = Math.min(rate * gain, Math.max(rate, Math.min(carriedByCpu(window), ceiling)));
        gain = rate == 0 ? gain : then / rate;
        if (gain - 1 < (window.threshold(GAIN) - 1) * (1 + 2 * othersShare(window.process()))) {
            return Verdict.clear();
        }
        Caller busiest =
                callers.stream().filter(each -> !each.isOther()).findFirst().orElse(callers.get(0));
        boolean isLockTheLimit = then == ceiling;
        Finding.Builder finding = Finding.of(ID, latest)
                .summary(
                        "%s ran %s %s for %s in %s%s, while %s of %s",
                        busiest.isOther() ? "threads that came after the first callers" : busiest.thread(),
                        Counted.of(busiest.runs(), "task"),
                        busiest.isOther() ? "themselves" : "itself",
                        Units.time(busiest.time()),
                        Units.time(window.length()),
                        callers.size() == 1
                                ? ""
                                : (callers.stream().anyMatch(Caller::isOther) ? " (and at least " : " (and ")
                                        + Counted.of(callers.size() - 1, "more thread")
                                        + " did so)",
                        Units.rate(idle),
                        Counted.of(
                                workers,
                                "worker had nothing to do because nobody fed it",
                                "workers had nothing to do because nobody fed them"))
                .advice(
                        "Let submitters wait when the pool is full (BlockingWaitPolicy.forever()); expect %s the"
                                + " throughput, %s → %s tasks/s%s.",
                        Units.times(gain),
                        Units.rate(rate),
                        Units.rate(then),
                        isLockTheLimit
                                ? "; more does not get through the lock "
                                        + lock.orElseThrow().lock()
                                : "")
                .evidence("dispatcher", busiest.thread())
                .evidence("dispatchers", callers.size())
                .evidence("tasksRun", runs)
                .evidence("timeSpent", Units.time(seconds))
                .evidence("shareOfTime", share)
                .evidence("idleWorkersMeanwhile", idle)
                .evidence("workers", workers)
                .evidence("utilisation", window.utilisation())
                .evidence("queueCapacity", window.queueCapacity())
                .evidence("throughput", rate)
                .evidence("expectedThroughput", then)
                .evidence("gain", gain);
        lock.ifPresent(
                station -> finding.evidence("lock", station.lock()).evidence("lockHeldShareOfTime", station.busy()));
        return Verdict.found(finding.build());
    }

    /** The lock that tasks queue for, if stacks show one. */
    private static Optional<LockStation> lock(PoolWindow latest, double running) {
        return Suspicion.recentStacks(latest).flatMap(stacks -> LockStation.of(stacks, running));
    }

    /**
     * Whether a lock would take the gain. One that is known is looked at for as long as callers run tasks, or its end
     * would not be seen.
     */
    @Override
    public Set<Evidence> needs(PoolWindow window) {
        boolean isLockKnown =
                window.callerRuns() > 0 && lock(window, window.busyWorkers()).isPresent();
        boolean isLockPossible =
                Suspicion.mayLookAgain(window) && examine(window).finding().isPresent();
        return isLockKnown || isLockPossible ? Set.of(Evidence.STACKS) : Set.of();
    }

    /** As long as it has been going on, since few runs fall into one window; and not less than two runs take. */
    private static int windowsFor(PoolWindow latest) {
        double mean = latest.last(MOST_WINDOWS).callerRunTime().meanSeconds();
        long goingOn = 1
                + latest.earlier().stream()
                        .takeWhile(window -> window.callerRuns() > 0)
                        .count();
        return (int) Math.min(MOST_WINDOWS, Math.max((double) goingOn, 1 + 2 * mean / latest.seconds()));
    }

    private static double carriedByCpu(PoolWindow window) {
        double cpu = window.cpuTime().map(Span::meanSeconds).orElse(0.0);
        return cpu > 0 ? window.process().cores() / cpu : Double.MAX_VALUE;
    }

    /** Share of the CPUs that other processes use, 0 to 1; 0 where the system does not say. */
    private static double othersShare(ProcessWindow process) {
        double all = process.machineBusy().orElse(0);
        return Math.max(0, all - process.cpuShare().orElse(all));
    }

    /** The callers with what they did in this window, busiest first. */
    private static List<Caller> callersIn(PoolWindow window) {
        Map<String, Caller> before = window.before().saturation().callers().stream()
                .collect(Collectors.toMap(Caller::thread, Function.identity(), (one, other) -> one));
        return window.after().saturation().callers().stream()
                .map(caller -> within(window.length(), since(before.get(caller.thread()), caller)))
                .filter(caller -> caller.runs() > 0 && !caller.time().isZero())
                .sorted(Comparator.comparing(Caller::time).reversed())
                .toList();
    }

    /** A run counts when it ends, with all its time: also that before the window. */
    private static Caller within(Duration length, Caller caller) {
        return caller.time().compareTo(length) <= 0 || caller.isOther()
                ? caller
                : new Caller(caller.thread(), caller.runs(), length, caller.idleWorkers());
    }

    private static Caller since(@org.jspecify.annotations.Nullable Caller before, Caller after) {
        if (before == null) {
            return after;
        }
        Duration time = after.time().minus(before.time());
        double idleSeconds = seconds(after) * after.idleWorkers() - seconds(before) * before.idleWorkers();
        double idle = time.isZero() ? 0 : Math.max(0, idleSeconds / (time.toNanos() / 1e9));
        return new Caller(after.thread(), after.runs() - before.runs(), time, idle);
    }

    private static double seconds(Caller caller) {
        return caller.time().toNanos() / 1e9;
    }
}
