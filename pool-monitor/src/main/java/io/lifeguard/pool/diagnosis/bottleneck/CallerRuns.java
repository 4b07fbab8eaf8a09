package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.PoolSnapshot.Caller;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that submitters ran themselves, and what would be gained if submitters waited instead. Immutable.
 *
 * <p>With n workers busy a share u of the time, and submitters running tasks c of the time while w workers idled, work
 * now goes at n·u + c. It would go at n·u + c·w, but at most at n, if they waited: the idle workers would have had
 * work. So waiting gains min(n, n·u + c·w) ÷ (n·u + c). While submitters ran tasks, n − w workers were busy, so n·u is
 * at least c·(n − w): a window may show less of long tasks that have not ended. Neither the CPUs (cores ÷ CPU time per
 * task) nor a lock (throughput ÷ the share of the time in which it is held, {@link LockStation}) let more through. A
 * run counts for no longer than the window.
 *
 * <p>Some frameworks return from the rejected task at once, and run its work later on the same thread. Then nine in ten
 * of at least ten runs were shorter than nine in ten tasks of workers. Such a run counts for as long as a task takes on
 * average. The workers' idle time counts as the time in which the submitter was busy that way.
 *
 * @param window the latest windows in which there were such runs, as one
 * @param workers how many workers the pool has; while it ends, how many it had at most in those windows
 * @param callers the submitters with what they did in it, busiest first, at least one
 * @param idleWorkers how many workers were idle meanwhile, on average
 * @param possibleRate tasks per second if submitters waited
 * @param lock the lock that tasks queue for; empty when none is known
 * @param isLockTheLimit whether the lock keeps the possible rate from being higher
 * @param isCeilingKnown whether it is known how many tasks the CPUs can carry
 * @param isDeferred whether the tasks came back at once, so that their time was calculated from that of workers
 */
public record CallerRuns(
        PoolWindow window,
        int workers,
        List<Caller> callers,
        double seconds,
        double idleWorkers,
        double rate,
        double possibleRate,
        Optional<LockStation> lock,
        boolean isLockTheLimit,
        boolean isCeilingKnown,
        boolean isDeferred) {

    private static final Duration RECENT = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** {@return the runs of the latest windows; empty when there were fewer than three} */
    public static Optional<CallerRuns> in(PoolWindow latest) {
        if (!latest.isMeasured() || latest.after().size() == 0) {
            return Optional.empty();
        }
        PoolWindow window = latest.last(lengthFor(latest));
        List<Caller> callers = callersIn(window);
        long runs = 0;
        for (Caller caller : callers) {
            runs += caller.runs();
        }
        return runs < latest.threshold(Thresholds.DISPATCHER_RUNS)
                ? Optional.empty()
                : Optional.of(of(latest, window, callers));
    }

    private static CallerRuns of(PoolWindow latest, PoolWindow window, List<Caller> seen) {
        int workers = workers(latest, window);
        boolean isDeferred = isDeferred(window);
        List<Caller> callers = isDeferred ? runLater(window, workers, seen) : seen;
        double seconds = seconds(callers);
        double idle = idleSeconds(callers) / seconds;
        double share = seconds / window.seconds();
        double busy = Math.max(window.busyWorkers(), Math.min(1, share) * (workers - idle));
        double now = busy + share;
        double gain = Math.min(workers, busy + share * idle) / now;
        double rate = (window.completed() + window.callerRuns()) / window.seconds();
        Optional<LockStation> lock = LockStation.of(latest.last(RECENT), now);
        double lockCeiling = lock.isPresent() ? rate / lock.get().busy() : Double.MAX_VALUE;
        OptionalDouble cpuCeiling = carriedByCpu(window, rate);
        double ceiling = Math.min(lockCeiling, cpuCeiling.orElse(Double.MAX_VALUE));
        double possible = Math.min(rate * gain, Math.max(rate, ceiling));
        return new CallerRuns(
                window,
                workers,
                callers,
                seconds,
                idle,
                rate,
                possible,
                lock,
                possible == lockCeiling,
                cpuCeiling.isPresent(),
                isDeferred);
    }

    /** The workers of a pool that ends leave one by one, after the idle time that is told of them. */
    private static int workers(PoolWindow latest, PoolWindow window) {
        return latest.state() == PoolState.RUNNING
                ? latest.after().size()
                : latest.parts(latest.windows() - window.windows() + 1).stream()
                        .mapToInt(part -> part.after().size())
                        .max()
                        .orElseThrow();
    }

    /** Whether the tasks came back at once: no thread can have run them in that time. */
    private static boolean isDeferred(PoolWindow window) {
        Distribution runs =
                since(window.before().callerRunTime(), window.after().callerRunTime());
        Distribution tasks = since(window.before().serviceTime(), window.after().serviceTime());
        double share = Thresholds.DISPATCHER_DEFERRED;
        return runs.isKnown()
                && tasks.isKnown()
                && Math.min(runs.count(), tasks.count()) >= Thresholds.DISPATCHER_DEFERRED_RUNS
                && runs.percentile(share).compareTo(tasks.percentile(1 - share)) < 0;
    }

    private static Distribution since(Distribution before, Distribution after) {
        return before.isKnown() && after.isKnown() ? after.since(before) : after;
    }

    private static List<Caller> runLater(PoolWindow window, int workers, List<Caller> callers) {
        double task = window.serviceTime().meanSeconds();
        double length = window.seconds();
        double all = callers.stream()
                .mapToDouble(caller -> later(caller, task, length))
                .sum();
        double idleSeconds = (workers - window.busyWorkers()) * length;
        double idle = all == 0 ? 0 : Math.min(workers, Math.max(0, idleSeconds) / all);
        return callers.stream()
                .map(caller -> new Caller(
                        caller.thread(),
                        caller.runs(),
                        Duration.ofNanos(Math.round(later(caller, task, length) * 1e9)),
                        idle))
                .sorted(Comparator.comparing(Caller::time).reversed())
                .toList();
    }

    /** Seconds for which a thread runs tasks that came back to it. */
    private static double later(Caller caller, double task, double length) {
        double all = caller.runs() * task;
        return caller.isOther() ? all : Math.min(all, length);
    }

    /** {@return the throughput if submitters waited, divided by that now; 1 when nothing ends} */
    public double gain() {
        return rate == 0 ? 1 : possibleRate / rate;
    }

    /** {@return the share of the time in which submitters ran tasks; more than 1 for several} */
    public double share() {
        return seconds / window.seconds();
    }

    /**
     * {@return whether waiting would gain enough}
     *
     * <p>Where other processes use the CPUs, up to three times as much is asked for. A worker that has been fed and
     * waits for a CPU to wake up on counts as idle, too. With two foreign threads on two CPUs this alone looked like a
     * gain of 8 %, once in five runs of constant tasks. Where the submitters' time is calculated, a fifth of the
     * workers must idle.
     */
    public boolean isWorthIt() {
        double idle = Math.max(1, window.threshold(Thresholds.DISPATCHER_IDLE) * workers);
        if (isDeferred && workers - window.busyWorkers() < idle) {
            return false;
        }
        return gain() - 1
                >= (window.threshold(Thresholds.DISPATCHER_GAIN) - 1) * (1 + 2 * othersShare(window.process()));
    }

    /** {@return whether submitters that run tasks are the limit; open where it is unknown what the CPUs can carry} */
    public Judgement.Answer answer() {
        if (!isWorthIt()) {
            return Judgement.Answer.NO;
        }
        return isCeilingKnown ? Judgement.Answer.YES : Judgement.Answer.OPEN;
    }

    /** As long as it has been going on, since few runs fall into one window; and not less than two runs take. */
    private static Duration lengthFor(PoolWindow latest) {
        double twoRuns = 2 * latest.last(LONGEST).callerRunTime().meanSeconds();
        double goingOn = latest.seconds();
        for (PoolWindow earlier : latest.earlier()) {
            if (earlier.callerRuns() == 0) {
                break;
            }
            goingOn += earlier.seconds();
        }
        double seconds = Math.min(LONGEST.toNanos() / 1e9, Math.max(goingOn, latest.seconds() + twoRuns));
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    /** From the tasks' CPU time; where it is unknown, from the CPUs that the process has left. */
    private static OptionalDouble carriedByCpu(PoolWindow window, double rate) {
        Optional<Span> cpu = window.cpuTime();
        if (cpu.isPresent() && cpu.get().count() > 0) {
            double mean = cpu.get().meanSeconds();
            return OptionalDouble.of(mean > 0 ? window.process().cores() / mean : Double.MAX_VALUE);
        }
        OptionalDouble used = window.process().cpuShare();
        return used.isPresent() ? OptionalDouble.of(rate / Math.max(1e-9, used.getAsDouble())) : used;
    }

    /** Share of the CPUs that other processes use, 0 to 1; all that are not this process's where nothing is known. */
    private static double othersShare(ProcessWindow process) {
        double own = process.cpuShare().orElse(0);
        return Math.max(0, process.machineBusy().orElse(own) - own);
    }

    /** The callers with what they did in this window, busiest first. */
    static List<Caller> callersIn(PoolWindow window) {
        Map<String, Caller> before = new HashMap<>();
        for (Caller caller : window.before().saturation().callers()) {
            before.putIfAbsent(caller.thread(), caller);
        }
        List<Caller> callers = new ArrayList<>();
        for (Caller each : window.after().saturation().callers()) {
            Caller caller = within(window.length(), since(before.get(each.thread()), each));
            if (caller.runs() > 0 && !caller.time().isZero()) {
                callers.add(caller);
            }
        }
        callers.sort(new BusiestFirst());
        return callers;
    }

    private static final class BusiestFirst implements Comparator<Caller> {
        @Override
        public int compare(Caller one, Caller other) {
            return other.time().compareTo(one.time());
        }
    }

    /** A run counts when it ends, with all its time: also that before the window. */
    private static Caller within(Duration length, Caller caller) {
        return caller.time().compareTo(length) <= 0 || caller.isOther()
                ? caller
                : new Caller(caller.thread(), caller.runs(), length, caller.idleWorkers());
    }

    private static Caller since(@Nullable Caller before, Caller after) {
        if (before == null) {
            return after;
        }
        Duration time = after.time().minus(before.time());
        double idleSeconds = seconds(after) * after.idleWorkers() - seconds(before) * before.idleWorkers();
        double idle = time.isZero() ? 0 : Math.max(0, idleSeconds / (time.toNanos() / 1e9));
        return new Caller(after.thread(), after.runs() - before.runs(), time, idle);
    }

    static double seconds(List<Caller> callers) {
        double sum = 0;
        for (Caller caller : callers) {
            sum += seconds(caller);
        }
        return sum;
    }

    /** {@return the time of workers that were idle while a submitter ran a task} */
    static double idleSeconds(List<Caller> callers) {
        double sum = 0;
        for (Caller caller : callers) {
            sum += seconds(caller) * caller.idleWorkers();
        }
        return sum;
    }

    private static double seconds(Caller caller) {
        return caller.time().toNanos() / 1e9;
    }
}
