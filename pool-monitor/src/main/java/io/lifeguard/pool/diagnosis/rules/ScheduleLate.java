package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.PoolSnapshot.TaskKind;
import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.UserFrames;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
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
 * Finds schedulers that start tasks late because other tasks occupy their threads. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> At least 3 tasks, and 10 % of those that started, started more than 100 ms after their time, one
 * of them in the latest 2 s. And the pool itself is the cause: its workers were busy for 90 % of the time, or a kind of
 * task takes as long as that lateness, or a task has been running for so long. Where workers idle and all tasks are
 * short, the machine was late, and nothing is said.
 *
 * <p><b>Window.</b> The last 10 s.
 *
 * <p><b>Thresholds.</b> 100 ms is what Netty and Pekko tolerate of a timer before they warn of a late one. 3 tasks and
 * 10 % are judgement.
 *
 * <p><b>Closest healthy workload.</b> One late start after a pause of the collector; and fixed-rate tasks that catch up
 * after a debugger stopped everything.
 */
public final class ScheduleLate extends StandardRule {

    static final String ID = "schedule-late";

    static final Threshold SECONDS = new Threshold(
            ID + ".seconds", 0.1, "seconds after its time at which a start is late; timers of frameworks warn then");
    static final Threshold SHARE =
            new Threshold(ID + ".share", 0.1, "share of the starts that are late, 0 to 1; a judgement");

    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration RECENT = Duration.ofSeconds(2);
    static final Threshold STARTS = new Threshold(ID + ".starts", 3, "late starts; one or two are chance");
    static final Threshold BUSY = new Threshold(
            ID + ".busy", 0.9, "share of the workers' time that is busy, 0 to 1; with less the machine was late");

    public ScheduleLate() {
        super(ID, SECONDS, SHARE, STARTS, BUSY);
    }

    @Override
    public Verdict examine(PoolWindow latest) {
        if (!latest.isMeasured()) {
            return UNMEASURED;
        }
        PoolWindow window = latest.last(LONG);
        long late = late(window);
        long starts = window.queueWait().count();
        if (late < window.threshold(STARTS)
                || late < window.threshold(SHARE) * starts
                || late(latest.last(RECENT)) == 0) {
            return Verdict.clear();
        }
        if (!isScheduler(latest)) {
            return Verdict.clear();
        }
        return cause(window)
                .map(cause -> Verdict.found(finding(latest, window, late, starts, cause)))
                .orElseGet(() -> Verdict.unknown("why tasks start late although workers idle"));
    }

    /** In other pools the time from acceptance to start is the wait in the queue. */
    private static boolean isScheduler(PoolWindow window) {
        return window.peers().stream()
                .anyMatch(pool -> pool.scheduler() && pool.name().equals(window.pool()));
    }

    private static long late(PoolWindow window) {
        if (window.queueWait().seconds() < window.threshold(SECONDS)) {
            return 0; // all waits together are shorter than one late start
        }
        Distribution starts = window.after().queueWait().since(window.before().queueWait());
        Duration limit = Duration.ofNanos(Math.round(window.threshold(SECONDS) * 1e9));
        return Math.max(0, starts.count() - starts.countBelow(limit));
    }

    /** What keeps the workers, with the stack of one that is at it, if there is one. */
    private record Cause(String text, String kind, List<StackTraceElement> stack) {}

    private static Optional<Cause> cause(PoolWindow window) {
        double limit = window.threshold(SECONDS);
        Optional<WorkerWindow> running = window.workers().stream()
                .filter(worker -> worker.busy() && seconds(worker.runningFor()) >= limit)
                .max(Comparator.comparing(WorkerWindow::runningFor));
        Optional<TaskKind> longest = kindsIn(window).stream()
                .filter(kind -> seconds(kind.wall()) / kind.count() >= limit)
                .max(Comparator.comparing(TaskKind::wall));
        if (longest.isPresent()) {
            TaskKind kind = longest.get();
            return Optional.of(new Cause(
                    Units.format(
                            "%s takes %s (%s in %s)",
                            kind.name(),
                            Units.time(seconds(kind.wall()) / kind.count()),
                            Counted.of(kind.count(), "run"),
                            Units.time(window.length())),
                    kind.name(),
                    running.filter(worker -> worker.kind().equals(kind.name()))
                            .map(worker -> window.breakdown().stackOf(worker.threadId()))
                            .orElse(List.of())));
        }
        if (running.isPresent()) {
            WorkerWindow worker = running.get();
            return Optional.of(new Cause(
                    Units.format("%s has been running for %s", worker.kind(), Units.time(worker.runningFor())),
                    worker.kind(),
                    window.breakdown().stackOf(worker.threadId())));
        }
        return window.utilisation() < window.threshold(BUSY)
                ? Optional.empty()
                : kindsIn(window).stream()
                        .max(Comparator.comparing(TaskKind::wall))
                        .map(kind -> new Cause(
                                Units.format(
                                        "all workers are busy, mostly with %s (%s)",
                                        kind.name(), Counted.of(kind.count(), "run")),
                                kind.name(),
                                List.of()));
    }

    /** The kinds of tasks that ended in the window, with what they did in it. */
    private static List<TaskKind> kindsIn(PoolWindow window) {
        Map<String, TaskKind> before = window.before().kinds().stream()
                .collect(Collectors.toMap(TaskKind::name, Function.identity(), (one, other) -> one));
        return window.after().kinds().stream()
                .map(kind -> since(before, kind))
                .filter(kind -> kind.count() > 0)
                .toList();
    }

    private static TaskKind since(Map<String, TaskKind> before, TaskKind after) {
        return Optional.ofNullable(before.get(after.name()))
                .map(then -> new TaskKind(
                        after.name(),
                        after.count() - then.count(),
                        after.wall().minus(then.wall()),
                        after.cpu().minus(then.cpu()),
                        after.queueWait().minus(then.queueWait())))
                .orElse(after);
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    private static Finding finding(PoolWindow latest, PoolWindow window, long late, long starts, Cause cause) {
        int workers = window.after().size();
        Finding.Builder finding = Finding.of(ID, latest)
                .summary(
                        "%d of %s in %s came more than %s late (%s on average) in a pool of %s: %s%s",
                        late,
                        Counted.of(starts, "scheduled start"),
                        Units.time(window.length()),
                        Units.time(window.threshold(SECONDS)),
                        Units.time(window.queueWait().meanSeconds()),
                        Counted.of(workers, "worker"),
                        cause.text(),
                        cause.stack().isEmpty() ? "" : ", now at " + UserFrames.place(cause.stack()))
                .advice(
                        "Do not let %s occupy the scheduler's threads: let the scheduled task submit it to another"
                                + " pool, give it a scheduler of its own, or use more threads.",
                        cause.kind())
                .evidence("lateStarts", late)
                .evidence("starts", starts)
                .evidence("meanLateness", window.queueWait().mean())
                .evidence("kind", cause.kind())
                .evidence("workers", workers)
                .evidence("utilisation", window.utilisation());
        if (!cause.stack().isEmpty()) {
            finding.evidence("stack", lines(cause.stack()));
        }
        return finding.build();
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        return window.isMeasured() && late(window) > 0 ? Set.of(Evidence.STACKS) : Set.of();
    }
}
