package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.Peer;
import io.lifeguard.pool.diagnosis.seen.Peer.Use;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds pools that were shut down and do not end, and pools that are made again and again and never shut down.
 * Stateless, thread-safe.
 *
 * <p><b>Formula.</b> Shut down, not terminated after 30 s, and nothing completed in all that time. Or: at least 20 live
 * pools of one place or name ({@code X:42}, {@code X:42#2}, …), nine in ten of which are idle and have run fewer than
 * 100 tasks each. A scheduler, and a pool whose tasks are not counted, must instead have worked for less than 1 % of
 * the time. Of pools with names of their own that differ in digits only ({@code session-17}), at least five must be
 * younger than a minute and five older. A pool with workers is never garbage-collected, because its threads refer to
 * it; that no other object does is a conclusion from this.
 *
 * <p><b>Window.</b> 30 s; for pools of one place the latest, judged once for all of them with the pool that has the
 * shortest name.
 *
 * <p><b>Thresholds.</b> 30 s is the usual grace of a shutdown (Kubernetes, Spring Boot). 20 pools of one place are more
 * than a JVM usually has processors to make one pool for each. 100 tasks are what one request or one test gives a pool
 * of its own. The last two are judgement.
 *
 * <p><b>Closest healthy workload.</b> A pool that drains its queue for minutes after shutdown: it completes tasks.
 * Pools of shards, made in a loop: they are used.
 */
public final class PoolLeaked extends StandardRule {

    static final String ID = "pool-leaked";

    static final Threshold SHUTDOWN_SECONDS = new Threshold(
            ID + ".shutdownSeconds",
            30,
            "seconds after shutdown in which nothing was completed; the usual grace of Kubernetes and Spring Boot");
    static final Threshold SAME_PLACE =
            new Threshold(ID + ".samePlace", 20, "live pools made at the same place; a judgement");
    /** Tasks that a pool has run at most when it was made for one use; a judgement. */
    private static final double FEW_TASKS = 100;

    /** Share of the pools of one place that are idle, 0 to 1; the last ones are still in use. */
    private static final double IDLE = 0.9;
    /** Share of its time that a scheduler, or a pool without counts, has worked, 0 to 1; a judgement. */
    private static final double WORKED = 0.01;
    /** Seconds after which a pool with a name of its own is old; a minute. */
    private static final double YOUNG_SECONDS = 60;
    /** Young pools, and old ones, that show that pools are made again and again; a judgement. */
    private static final double SOME = 5;

    public PoolLeaked() {
        super(ID, SHUTDOWN_SECONDS, SAME_PLACE);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        return window.state() == PoolState.SHUTTING_DOWN ? notDrained(window) : leftAlone(window);
    }

    private static Verdict notDrained(PoolWindow latest) {
        if (!latest.countsQueue()) {
            return UNKNOWN_QUEUE;
        }
        if (!latest.countsTasks()) {
            return UNMEASURED;
        }
        double seconds = latest.seconds();
        int windows = 1;
        for (PoolWindow earlier : latest.earlier()) {
            if (earlier.state() != PoolState.SHUTTING_DOWN || earlier.completed() > 0) {
                break;
            }
            seconds += earlier.seconds();
            windows++;
        }
        int shutDown = windows;
        if (latest.completed() > 0 || seconds < latest.threshold(SHUTDOWN_SECONDS)) {
            return Verdict.clear();
        }
        Optional<WorkerWindow> holder = latest.workers().stream()
                .filter(WorkerWindow::busy)
                .max(Comparator.comparing(WorkerWindow::runningFor));
        List<StackTraceElement> stack = holder.map(
                        worker -> latest.last(shutDown).breakdown().stackOf(worker.threadId()))
                .orElse(List.of());
        Finding.Builder finding = Finding.of(ID, latest)
                .summary(
                        "shut down for at least %s and still not terminated: %s and %s are left, and no task has"
                                + " ended since%s%s",
                        Units.time(seconds),
                        Counted.of(latest.after().size(), "worker"),
                        Counted.of(latest.after().queued(), "queued task"),
                        holder.map(worker -> Units.format(
                                        "; %s has been running %s for %s",
                                        worker.thread(), kind(worker), Units.time(worker.runningFor())))
                                .orElse(""),
                        stack.isEmpty() ? "" : " at " + UserFrames.place(stack))
                .advice("Interrupt the tasks with shutdownNow() after a limited awaitTermination, and let them end"
                        + " when they are interrupted.")
                .evidence("secondsSinceShutdown", seconds)
                .evidence("workers", latest.after().size())
                .evidence("queued", latest.after().queued());
        holder.ifPresent(worker -> finding.evidence("worker", worker.thread())
                .evidence("kind", kind(worker))
                .evidence("runningFor", worker.runningFor()));
        if (!stack.isEmpty()) {
            finding.stack(lines(stack));
        }
        return Verdict.found(finding.build());
    }

    private static Verdict leftAlone(PoolWindow window) {
        String name = window.pool();
        List<Peer> siblings = new ArrayList<>();
        for (Peer pool : Peer.in(window)) {
            if (isLike(name, pool.name())) {
                if (comesBefore(pool.name(), name)) {
                    return Verdict.clear(); // it is judged with that one
                }
                siblings.add(pool);
            }
        }
        if (siblings.isEmpty() && !window.countsQueue()) {
            return Verdict.unknown("which other pools there are");
        }
        if (siblings.size() < window.threshold(SAME_PLACE)) {
            return Verdict.clear();
        }
        List<Use> alone = new ArrayList<>();
        for (int i = 0; i < siblings.size(); i++) {
            Peer pool = siblings.get(i);
            Use use = pool.use().get();
            if (isLeft(use, pool.scheduler())) {
                alone.add(use);
            } else if (i + 1 - alone.size() > (1 - IDLE) * siblings.size()) {
                return Verdict.clear(); // enough are used, and each snapshot costs as much as a window's
            }
        }
        boolean isOnePlace = isPlace(name);
        boolean isOneName =
                siblings.stream().allMatch(pool -> withoutNumber(pool.name()).equals(withoutNumber(name)));
        if (alone.size() < IDLE * siblings.size() || (!isOneName && !areMadeAgainAndAgain(alone))) {
            return Verdict.clear();
        }
        long threads = alone.stream().mapToLong(Use::workers).sum();
        Finding.Builder finding = Finding.of(ID, window);
        if (window.isMeasured() && alone.stream().allMatch(Use::countsTasks)) {
            double tasks = alone.stream().mapToLong(Use::tasks).average().orElse(0);
            finding.summary(
                            "%d pools were made at %s and never shut down; %d of them are idle after %s each, and keep"
                                    + " %s",
                            siblings.size(),
                            isOnePlace ? name : "one place, named like " + name,
                            alone.size(),
                            Counted.of(Units.rate(tasks), "task", "tasks"),
                            Counted.of(threads, "thread"))
                    .evidence("meanTasksPerPool", tasks);
        } else {
            finding.summary(
                    "%d pools have names like %s%s: %d are idle, have hardly worked, and keep %s",
                    siblings.size(),
                    name,
                    isOneName ? "" : ", and more of them are made",
                    alone.size(),
                    Counted.of(threads, "thread"));
        }
        return Verdict.found(finding.advice(
                        "Make one pool and keep it, or shut each down where it was made (try-with-resources or shutdown"
                                + " in finally).")
                .evidence("pools", siblings.size())
                .evidence("idlePools", alone.size())
                .evidence("threads", threads)
                .build());
    }

    /** A scheduler's queue holds what is due later, and each run of a periodic task counts as a task. */
    private static boolean isLeft(Use pool, boolean isScheduler) {
        if (pool.busy() > 0) {
            return false;
        }
        return (isScheduler || !pool.countsTasks())
                ? pool.worked() <= WORKED * (pool.worked() + pool.idled())
                : pool.queued() == 0 && pool.tasks() <= FEW_TASKS;
    }

    /** Pools with names of their own may be shards, made once. So some must be new, and some older than a minute. */
    private static boolean areMadeAgainAndAgain(List<Use> pools) {
        long young = pools.stream().filter(pool -> age(pool) < YOUNG_SECONDS).count();
        return Math.min(young, pools.size() - young) >= SOME;
    }

    /** For how many seconds its workers have been there on average. */
    private static double age(Use pool) {
        return (pool.worked() + pool.idled()) / Math.max(1, pool.workers());
    }

    /** Whether a name is that of the class and line that made the pool, as {@code Api:42} or {@code Api:42#7}. */
    private static boolean isPlace(String name) {
        return name.contains(":");
    }

    /** Whether two names differ by the number of a name that was taken, or by the digits in names of their own. */
    private static boolean isLike(String one, String other) {
        return withoutNumber(one).equals(withoutNumber(other))
                || (!isPlace(one) && !isPlace(other) && differOnlyInDigits(one, other));
    }

    private static String withoutNumber(String name) {
        int number = name.indexOf('#');
        return number < 0 ? name : name.substring(0, number);
    }

    private static boolean differOnlyInDigits(String one, String other) {
        int i = 0;
        int j = 0;
        while (i < one.length() && j < other.length()) {
            if (Character.isDigit(one.charAt(i)) && Character.isDigit(other.charAt(j))) {
                i = afterDigits(one, i);
                j = afterDigits(other, j);
            } else if (one.charAt(i++) != other.charAt(j++)) {
                return false;
            }
        }
        return i == one.length() && j == other.length();
    }

    private static int afterDigits(String name, int from) {
        int end = from;
        while (end < name.length() && Character.isDigit(name.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean comesBefore(String one, String other) {
        return one.length() == other.length() ? one.compareTo(other) < 0 : one.length() < other.length();
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        boolean standsStill = window.state() == PoolState.SHUTTING_DOWN && window.completed() == 0;
        return standsStill ? Set.of(Evidence.STACKS) : Set.of();
    }
}
