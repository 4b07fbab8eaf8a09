package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.PoolSnapshot.TaskKind;
import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Finds tasks that have been running for so long that they may never end. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> A task has been running longer than 60 s, and longer than 20 times the average of its kind. A kind
 * of which none has ever ended is given 600 s. Pauses of the collector and of a debugger are not counted.
 *
 * <p>Workers are lost one by one where two or more, and a fifth of all, have run such a task for 5 s and for 100 times
 * the average, began it a second apart or more, and others still complete tasks. The time that is left is the mean time
 * between two losses, times the workers that are left.
 *
 * <p><b>Window.</b> The latest; the time itself is the evidence, so one window is enough to raise it. Stacks are asked
 * for two seconds before.
 *
 * <p><b>Thresholds.</b> 60 s is Vert.x's limit for a worker, 600 s that of Tomcat's stuck-thread valve. 20 times the
 * average: so long a tail is no longer the same kind of work (a lognormal with σ = 1.2 exceeds it once in 1,000 tasks,
 * one with σ = 0.8 once in 60,000).
 *
 * <p><b>Closest healthy workload.</b> Tasks that are meant to take minutes: their kind has a history that says so.
 */
public final class StuckTask extends StandardRule {

    static final String ID = "stuck-task";

    static final Threshold SECONDS =
            new Threshold(ID + ".seconds", 60, "seconds a task may run; Vert.x's limit for workers");
    static final Threshold FIRST_SECONDS = new Threshold(
            ID + ".firstSeconds",
            600,
            "seconds a task may run, if none of its kind has ended yet; Tomcat's stuck-thread valve");
    /** How many times as long as its kind takes on average; one in 1,000 lognormal tasks with sigma 1.2. */
    private static final double TIMES_MEAN = 20;

    /**
     * Seconds after which a task does not come back, if others of its pool did not before and such tasks take a
     * hundredth; a judgement.
     */
    private static final double LOST_SECONDS = 5;

    /** How many times as long as its kind a lost task takes; one in 180,000 lognormal tasks with sigma 1.2. */
    private static final double LOST_TIMES_MEAN = 100;
    /** Share of the workers that are lost, 0 to 1; fewer of many are single stuck tasks. */
    private static final double LOST_SHARE = 0.2;
    /** Seconds between the first lost task and the last; those that one pause holds up began together. */
    private static final double LOST_APART = 1;

    private static final double AHEAD = 2; // seconds before the limit, from which on stacks are asked for
    private static final double OLDEST_STACK = 12; // seconds: an older one shows another part of the task
    private static final double WITHIN = 0.9; // of the time of the task, so that no stack is of the task before

    public StuckTask() {
        super(ID, SECONDS, FIRST_SECONDS);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        if (!window.isMeasured()) {
            return UNMEASURED;
        }
        List<WorkerWindow> lost = longerThan(window, true, 0);
        if (areLostOneByOne(window, lost)) {
            return Verdict.found(findingOfLost(window, lost));
        }
        List<WorkerWindow> stuck = longerThan(window, false, 0);
        return stuck.isEmpty() ? Verdict.clear() : Verdict.found(finding(window, stuck));
    }

    /** Those whose task runs for longer than it may, or does so so many seconds later; longest first. */
    private static List<WorkerWindow> longerThan(PoolWindow window, boolean isLost, double ahead) {
        List<WorkerWindow> longer = new ArrayList<>();
        for (WorkerWindow worker : window.workers()) {
            if (worker.busy()
                    && seconds(worker) >= (isLost ? lostLimit(window, worker) : limit(window, worker)) - ahead) {
                longer.add(worker);
            }
        }
        if (longer.size() > 1) {
            longer.sort(Comparator.comparing(WorkerWindow::runningFor).reversed());
        }
        return longer;
    }

    private static double lostLimit(PoolWindow window, WorkerWindow worker) {
        double mean = meanOf(window, worker);
        return mean == 0 ? Double.MAX_VALUE : Math.max(LOST_SECONDS, LOST_TIMES_MEAN * mean);
    }

    private static boolean areLostOneByOne(PoolWindow window, List<WorkerWindow> lost) {
        int workers = window.after().size();
        return lost.size() >= 2
                && lost.size() < workers
                && lost.size() >= LOST_SHARE * workers
                && seconds(lost.get(0)) - seconds(lost.get(lost.size() - 1)) >= LOST_APART
                && window.completed() > 0;
    }

    /** Whether each worker runs a task that does not come back, while others queue. */
    static boolean areAllLost(PoolWindow window) {
        return window.isMeasured()
                && window.after().queued() > 0
                && window.after().size() > 0
                && longerThan(window, true, 0).size() >= window.after().size();
    }

    /** {@return the stack of the worker that has run its task for longest; empty where none was taken} */
    static List<StackTraceElement> stackOfLongest(PoolWindow window) {
        return stack(window, longerThan(window, true, 0).get(0));
    }

    private static Finding findingOfLost(PoolWindow window, List<WorkerWindow> lost) {
        WorkerWindow worst = lost.get(0);
        int workers = window.after().size();
        double between = (seconds(worst) - seconds(lost.get(lost.size() - 1))) / (lost.size() - 1);
        double left = between * (workers - lost.size());
        List<StackTraceElement> stack = stack(window, worst);
        return with(window, worst, lost.size(), stack)
                .summary(
                        "%d of %d workers have not come back from %s for %s (such tasks take %s on average); at this rate"
                                + " none is left in %s",
                        lost.size(),
                        workers,
                        stack.isEmpty() ? "tasks of kind " + kind(worst) : UserFrames.place(stack),
                        Units.time(worst.runningFor()),
                        Units.time(meanOf(window, worst)),
                        Units.time(left))
                .evidence("secondsLeft", left)
                .build();
    }

    private static Finding finding(PoolWindow window, List<WorkerWindow> stuck) {
        WorkerWindow worst = stuck.get(0);
        boolean standsStill =
                stuck.size() >= window.after().size() && window.after().queued() > 0;
        List<StackTraceElement> stack = stack(window, worst);
        double mean = meanOf(window, worst);
        return with(window, worst, stuck.size(), stack)
                .severity(standsStill ? Severity.CRITICAL : Severity.WARNING)
                .summary(
                        "%s has been running one task of kind %s for %s (%s)%s%s",
                        worst.thread(),
                        kind(worst),
                        Units.time(worst.runningFor()),
                        mean > 0
                                ? "such tasks take " + Units.time(mean) + " on average"
                                : "none of its kind has ever ended",
                        stack.isEmpty() ? "" : ", now at " + UserFrames.place(stack),
                        stuck.size() == 1
                                ? ""
                                : Units.format(
                                        "; so %s %d more of %s",
                                        stuck.size() == 2 ? "does" : "do",
                                        stuck.size() - 1,
                                        Counted.of(window.after().size(), "worker")))
                .build();
    }

    private static Finding.Builder with(
            PoolWindow window, WorkerWindow worst, int stuck, List<StackTraceElement> stack) {
        double mean = meanOf(window, worst);
        Finding.Builder finding = Finding.of(ID, window)
                .advice("Look at the stack: give the call a time-out, or correct the loop. The worker is lost to the"
                        + " pool until the task ends.")
                .evidence("worker", worst.thread())
                .evidence("kind", kind(worst))
                .evidence("runningFor", worst.runningFor())
                .evidence("stuckWorkers", stuck)
                .evidence("workers", window.after().size());
        if (mean > 0) {
            finding.evidence("meanSecondsOfKind", mean);
        }
        worst.times()
                .ifPresent(times -> finding.evidence("cpuShare", times.cpu().toNanos() / 1e9 / window.seconds()));
        if (!stack.isEmpty()) {
            finding.place(UserFrames.place(stack)).stack(lines(stack));
        }
        return finding;
    }

    /** Looks at the latest windows only in which the worker ran this task, and no stack is of the task before. */
    private static List<StackTraceElement> stack(PoolWindow window, WorkerWindow worker) {
        double seconds = Math.min(OLDEST_STACK, WITHIN * seconds(worker));
        return window.last(Duration.ofNanos(Math.round(seconds * 1e9)))
                .breakdown()
                .stackOf(worker.threadId());
    }

    private static double limit(PoolWindow window, WorkerWindow worker) {
        double mean = meanOf(window, worker);
        return mean == 0 ? window.threshold(FIRST_SECONDS) : Math.max(window.threshold(SECONDS), TIMES_MEAN * mean);
    }

    /** 0 when none has ended. */
    private static double meanOf(PoolWindow window, WorkerWindow worker) {
        for (TaskKind known : window.after().kinds()) {
            if (known.name().equals(kind(worker)) && known.count() > 0) {
                return mean(known);
            }
        }
        return 0;
    }

    private static double mean(TaskKind kind) {
        return Math.max(1, kind.wall().toNanos()) / 1e9 / kind.count();
    }

    private static double seconds(WorkerWindow worker) {
        return worker.runningFor().toNanos() / 1e9;
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        List<WorkerWindow> lost = longerThan(window, true, AHEAD);
        boolean isUnknown = !lost.isEmpty()
                && (lost.size() > 1 || window.after().size() == 1)
                && stack(window, lost.get(0)).isEmpty();
        for (WorkerWindow worker : longerThan(window, false, AHEAD)) {
            isUnknown |= stack(window, worker).isEmpty();
        }
        return isUnknown ? Set.of(Evidence.STACKS) : Set.of();
    }

    @Override
    public int windowsToRaise() {
        return 1;
    }
}
