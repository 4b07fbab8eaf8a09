package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.TaskKind;
import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.Peer;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
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
 * <p><b>Formula.</b> The next task is more than 100 ms late now, no worker is free, and a task has been running for so
 * long. Or of the tasks that started in the last 10 s, at least 3 and at least 10 % started more than 100 ms after
 * their time, one of them in the latest 2 s. And the pool itself is the cause: its workers were busy for 90 % of the
 * time, or a kind of task takes as long as that lateness, or a task has been running for so long, or three runs of the
 * only worker took so long, which a kind with short runs hides. Where workers idle and all tasks are short, the machine
 * was late, and nothing is said. For 60 s after a late start it is unknown whether the long task comes again, so that a
 * finding stays between its runs.
 *
 * <p>Of a pool that is watched from outside only the first half is known: the next task is more than 500 ms late, and
 * no worker is free. Half a second, because what the workers do is seen in samples only. Where
 * {@code schedule-late.seconds} is set higher, that counts here, too.
 *
 * <p><b>Window.</b> The last 10 s.
 *
 * <p><b>Thresholds.</b> 100 ms is what Netty and Pekko tolerate of a timer before they warn of a late one. 3 tasks and
 * 10 % are judgement.
 *
 * <p><b>Closest healthy workload.</b> One late start after a pause of the collector; a first run that is long because
 * it loads classes or opens connections; and fixed-rate tasks that catch up after a debugger stopped everything.
 */
public final class ScheduleLate extends StandardRule {

    static final String ID = "schedule-late";

    static final Threshold SECONDS = new Threshold(
            ID + ".seconds", 0.1, "seconds after its time at which a start is late; timers of frameworks warn then");
    private static final double SHARE = 0.1; // share of the starts that are late, 0 to 1; a judgement

    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration RECENT = Duration.ofSeconds(2);
    private static final double STARTS = 3; // late starts; one or two are chance
    /** Share of the workers' time that is busy, 0 to 1; with less the machine was late. */
    private static final double BUSY = 0.9;

    static final Threshold MEMORY = new Threshold(
            ID + ".memory",
            60,
            "seconds after a late start in which the long task may run again; a job that runs once a minute");
    /**
     * Seconds after its time at which a start is late in a pool that is watched from outside, where workers are seen in
     * samples; five times what frameworks warn of.
     */
    private static final double WATCHED_SECONDS = 0.5;
    /**
     * Seconds after a late start in which such a pool is not yet well; a judgement: its windows are remembered for less
     * than a minute.
     */
    private static final double WATCHED_MEMORY = 20;

    public ScheduleLate() {
        super(ID, SECONDS, MEMORY);
    }

    @Override
    public Verdict examine(PoolWindow latest) {
        if (!latest.isMeasured()) {
            return examineWatched(latest);
        }
        if (!isScheduler(latest)) {
            return Verdict.clear();
        }
        Optional<Cause> keeper = isHeadLate(latest, latest.threshold(SECONDS)) ? running(latest) : Optional.empty();
        if (keeper.isPresent()) {
            return Verdict.found(headLate(latest, keeper.get()));
        }
        PoolWindow window = latest.last(LONG);
        long late = late(window);
        long starts = window.queueWait().count();
        if (late < STARTS || late < SHARE * starts) {
            return mayComeAgain(latest.last(MEMORY)) ? AGAIN : Verdict.clear();
        }
        if (late(latest.last(RECENT)) == 0) {
            return AGAIN;
        }
        return cause(window)
                .map(cause -> Verdict.found(finding(latest, window, late, starts, cause)))
                .orElseGet(() -> Verdict.unknown("why tasks start late although workers idle"));
    }

    /** Half of the share is enough, because a long task that comes seldom makes fewer starts of a minute late. */
    private static boolean mayComeAgain(PoolWindow minute) {
        double late = late(minute);
        return late >= STARTS && late >= SHARE / 2 * minute.queueWait().count();
    }

    private static final Verdict AGAIN = Verdict.unknown("whether the task that made others late runs again");

    /** From outside, only a pool for scheduled tasks says how old the head of its queue is. */
    private static Verdict examineWatched(PoolWindow latest) {
        double limit = watchedLimit(latest);
        if (isHeadLate(latest, limit)) {
            return Verdict.found(headLate(latest, seen(latest)));
        }
        List<PoolWindow> parts = latest.parts(PoolWindow.HISTORY);
        // a pool with little to do has long windows, and one with an undecided finding so short ones that it forgets
        double known = parts.stream().mapToDouble(PoolWindow::seconds).sum();
        double memory = Math.min(WATCHED_MEMORY, known / 2);
        double ago = 0;
        for (PoolWindow window : parts) {
            if (isHeadLate(window, limit)) {
                return ago < memory ? AGAIN : Verdict.clear();
            }
            ago += window.seconds();
        }
        return UNMEASURED;
    }

    /** A start that is not late in a pool that measures its tasks is not late in one that is seen in samples. */
    private static double watchedLimit(PoolWindow window) {
        return Math.max(window.threshold(SECONDS), WATCHED_SECONDS);
    }

    /** Whether the next task should have begun so long ago, and no worker is free for it. */
    private static boolean isHeadLate(PoolWindow window, double limit) {
        PoolSnapshot now = window.after();
        return seconds(now.load().oldestQueued()) >= limit && now.size() > 0 && now.active() >= now.size();
    }

    /** What a worker is at that runs no task of a known kind, because the pool is watched from outside. */
    private static Cause seen(PoolWindow window) {
        List<StackTraceElement> stack = window.workers().stream()
                .filter(WorkerWindow::busy)
                .map(worker -> window.breakdown().stackOf(worker.threadId()))
                .filter(UserFrames::hasUsersFrame)
                .findFirst()
                .orElse(List.of());
        String kind = firstMethod(stack).orElse("a task");
        return new Cause(kind + " keeps " + (window.after().size() == 1 ? "it" : "them"), kind, stack);
    }

    private static String now(Cause cause) {
        if (cause.stack().isEmpty()) {
            return "";
        }
        String name = nameOf(cause);
        String task = name.equals(cause.kind()) ? "" : "in " + name + " ";
        return ", now " + task + "at " + UserFrames.place(cause.stack());
    }

    /** A framework wraps all tasks into one class of its own. Then the method that it has called tells more. */
    private static String nameOf(Cause cause) {
        return UserFrames.isUsers(cause.kind())
                ? cause.kind()
                : firstMethod(cause.stack()).orElse("long tasks");
    }

    /** The method of the user's that the scheduler has called, as the name of the task. */
    private static Optional<String> firstMethod(List<StackTraceElement> stack) {
        for (int i = stack.size() - 1; i >= 0; i--) {
            StackTraceElement frame = stack.get(i);
            if (UserFrames.hasUsersFrame(List.of(frame))) {
                return Optional.of(frame.getClassName() + '.' + frame.getMethodName());
            }
        }
        return Optional.empty();
    }

    /** In other pools the time from acceptance to start is the wait in the queue. */
    private static boolean isScheduler(PoolWindow window) {
        for (Peer pool : Peer.in(window)) {
            if (pool.scheduler() && pool.name().equals(window.pool())) {
                return true;
            }
        }
        return false;
    }

    private static long late(PoolWindow window) {
        if (window.queueWait().seconds() < window.threshold(SECONDS)) {
            return 0; // all waits together are shorter than one late start
        }
        return countLong(window, PoolSnapshot::queueWait);
    }

    /** How many of these times in the window reached the threshold. */
    private static long countLong(PoolWindow window, Function<PoolSnapshot, Distribution> times) {
        Distribution now = times.apply(window.after()).since(times.apply(window.before()));
        Duration limit = Duration.ofNanos(Math.round(window.threshold(SECONDS) * 1e9));
        return Math.max(0, now.count() - now.countBelow(limit));
    }

    /** What keeps the workers, with the stack of one that is at it, if there is one. */
    private record Cause(String text, String kind, List<StackTraceElement> stack) {}

    private static Optional<WorkerWindow> longest(PoolWindow window) {
        return window.workers().stream()
                .filter(worker -> worker.busy() && seconds(worker.runningFor()) >= window.threshold(SECONDS))
                .max(Comparator.comparing(WorkerWindow::runningFor));
    }

    private static Optional<Cause> running(PoolWindow window) {
        return longest(window)
                .map(worker -> new Cause(
                        Units.format("%s has been running for %s", kind(worker), Units.time(worker.runningFor())),
                        kind(worker),
                        window.breakdown().stackOf(worker.threadId())));
    }

    private static Optional<Cause> cause(PoolWindow window) {
        double limit = window.threshold(SECONDS);
        Optional<WorkerWindow> running = longest(window);
        Optional<TaskKind> longest = kindsIn(window).stream()
                .filter(kind -> seconds(kind.wall()) / kind.count() >= limit && hasRunTwice(window, kind.name()))
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
                    running.filter(worker -> kind(worker).equals(kind.name()))
                            .map(worker -> window.breakdown().stackOf(worker.threadId()))
                            .orElse(List.of())));
        }
        if (running.isPresent()) {
            return running(window);
        }
        Optional<Cause> amongShort = longRunsAmongShortOnes(window);
        if (amongShort.isPresent()) {
            return amongShort;
        }
        return window.utilisation() < BUSY
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

    /**
     * All lambdas of a class are one kind, whose mean hides the long runs of one of them. Only a single worker is
     * certainly kept by a long run; beside others, the machine may have been late.
     */
    private static Optional<Cause> longRunsAmongShortOnes(PoolWindow window) {
        if (window.after().size() != 1
                || !window.after().serviceTime().isKnown()
                || !window.before().serviceTime().isKnown()) {
            return Optional.empty();
        }
        double limit = window.threshold(SECONDS);
        long runs = countLong(window, PoolSnapshot::serviceTime);
        return kindsIn(window).stream()
                .filter(kind -> runs >= STARTS && seconds(kind.wall()) >= runs * limit)
                .max(Comparator.comparing(TaskKind::wall))
                .map(kind -> new Cause(
                        Units.format(
                                "%s took more than %s each, and most of the time goes to %s",
                                Counted.of(runs, "run"), Units.time(limit), kind.name()),
                        kind.name(),
                        List.of()));
    }

    /**
     * The first run of a task is long where it loads classes, or opens connections. It is not blamed once it is over.
     */
    private static boolean hasRunTwice(PoolWindow window, String kind) {
        return window.after().kinds().stream().anyMatch(known -> known.name().equals(kind) && known.count() > 1);
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
                        now(cause))
                .evidence("lateStarts", late)
                .evidence("starts", starts)
                .evidence("meanLateness", window.queueWait().mean())
                .evidence("utilisation", window.utilisation());
        return blaming(finding, cause, workers);
    }

    private static Finding headLate(PoolWindow window, Cause cause) {
        int workers = window.after().size();
        Duration late = window.after().load().oldestQueued();
        Finding.Builder finding = Finding.of(ID, window)
                .summary(
                        "the next scheduled task is %s late, because no thread is free in a pool of %s: %s%s",
                        Units.time(late), Counted.of(workers, "worker"), cause.text(), now(cause))
                .evidence("lateness", late);
        return blaming(finding, cause, workers);
    }

    private static Finding blaming(Finding.Builder finding, Cause cause, int workers) {
        finding.changesSize()
                .advice(
                        "Do not let %s occupy the scheduler's threads: let the scheduled task submit it to another"
                                + " pool, give it a scheduler of its own, or use more threads.",
                        nameOf(cause))
                .evidence("kind", cause.kind())
                .evidence("workers", workers);
        if (!cause.stack().isEmpty()) {
            finding.place(UserFrames.place(cause.stack())).stack(lines(cause.stack()));
        }
        return finding.build();
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        boolean isLate = window.isMeasured()
                ? isScheduler(window) && (late(window) > 0 || isHeadLate(window, window.threshold(SECONDS)))
                : isHeadLate(window, watchedLimit(window));
        return isLate ? Set.of(Evidence.STACKS) : Set.of();
    }
}
