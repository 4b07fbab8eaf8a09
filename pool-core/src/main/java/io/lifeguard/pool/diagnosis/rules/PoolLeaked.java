package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.UserFrames;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A pool that nobody will ever end: shut down and not drained, or one of many that were made at the same place and left
 * alone. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> Shut down, still not terminated after 30 s, and nothing completed in all that time. Or: at least
 * 20 live pools from one place ({@code X:42}, {@code X:42#2}, …), nine in ten of which are idle and have run fewer than
 * 100 tasks each. A pool with workers is never garbage-collected, as its threads refer to it; so that nobody else does
 * cannot be known, only supposed from this.
 *
 * <p><b>Window.</b> As many as 30 s have; for pools of one place the latest, judged once for all of them with the pool
 * that has the name without a number.
 *
 * <p><b>Thresholds.</b> 30 s is the usual grace of a shutdown (Kubernetes, Spring Boot). 20 pools of one place: more
 * than a JVM usually has processors to make one pool for each. 100 tasks: what one request or one test gives a pool of
 * its own. The last two are judgement.
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
    static final Threshold FEW_TASKS = new Threshold(
            ID + ".fewTasks", 100, "tasks that a pool has run at most when it was made for one use; a judgement");

    private static final double NEARLY_ALL = 0.9;

    private final Supplier<? extends Collection<InstrumentedPool>> live;

    public PoolLeaked() {
        this(Pools::live);
    }

    PoolLeaked(Supplier<? extends Collection<InstrumentedPool>> live) {
        super(ID, SHUTDOWN_SECONDS, SAME_PLACE, FEW_TASKS);
        this.live = live;
    }

    @Override
    public Verdict examine(PoolWindow window) {
        return window.state() == PoolState.SHUTTING_DOWN ? notDrained(window) : leftAlone(window);
    }

    private static Verdict notDrained(PoolWindow latest) {
        double seconds = latest.seconds();
        int windows = 1;
        for (PoolWindow earlier : latest.earlier()) {
            if (earlier.state() != PoolState.SHUTTING_DOWN || earlier.completed() > 0) {
                break;
            }
            seconds += earlier.seconds();
            windows++;
        }
        if (latest.completed() > 0 || seconds < latest.threshold(SHUTDOWN_SECONDS)) {
            return Verdict.clear();
        }
        Optional<WorkerWindow> holder = latest.workers().stream()
                .filter(WorkerWindow::busy)
                .max(Comparator.comparing(WorkerWindow::runningFor));
        List<StackTraceElement> stack = latest.last(windows)
                .stacks()
                .flatMap(stacks -> holder.map(worker -> stacks.stackOf(worker.threadId())))
                .orElse(List.of());
        Finding.Builder finding = Finding.of(ID, latest)
                .summary(
                        "shut down for at least %s and still not terminated: %s and %s are left, and none has ended"
                                + " since%s%s",
                        Units.time(seconds),
                        Counted.of(latest.after().size(), "worker"),
                        Counted.of(latest.after().queued(), "queued task"),
                        holder.map(worker -> Units.format(
                                        "; %s has been running %s for %s",
                                        worker.thread(), worker.kind(), Units.time(worker.runningFor())))
                                .orElse(""),
                        stack.isEmpty() ? "" : " at " + UserFrames.place(stack))
                .advice("Interrupt the tasks with shutdownNow() after a limited awaitTermination, and let them heed"
                        + " the interrupt.")
                .evidence("secondsSinceShutdown", seconds)
                .evidence("workers", latest.after().size())
                .evidence("queued", latest.after().queued());
        holder.ifPresent(worker -> finding.evidence("worker", worker.thread())
                .evidence("kind", worker.kind())
                .evidence("runningFor", worker.runningFor()));
        if (!stack.isEmpty()) {
            finding.evidence("stack", lines(stack));
        }
        return Verdict.found(finding.build());
    }

    private Verdict leftAlone(PoolWindow window) {
        if (window.pool().contains("#")) {
            return Verdict.clear();
        }
        List<InstrumentedPool> siblings = live.get().stream()
                .filter(pool -> isFrom(window.pool(), pool.name()))
                .toList();
        if (siblings.size() < window.threshold(SAME_PLACE)) {
            return Verdict.clear();
        }
        List<PoolSnapshot> alone = siblings.stream()
                .map(InstrumentedPool::snapshot)
                .filter(pool ->
                        pool.active() == 0 && pool.queued() == 0 && pool.submitted() <= window.threshold(FEW_TASKS))
                .toList();
        if (alone.size() < NEARLY_ALL * siblings.size()) {
            return Verdict.clear();
        }
        long threads = alone.stream().mapToLong(PoolSnapshot::size).sum();
        double tasks =
                alone.stream().mapToLong(PoolSnapshot::submitted).average().orElse(0);
        return Verdict.found(Finding.of(ID, window)
                .summary(
                        "%d pools were made at %s and never shut down; %d of them are idle after %s each, and keep %s",
                        siblings.size(),
                        window.pool(),
                        alone.size(),
                        Counted.of(Units.rate(tasks), "task", "tasks"),
                        Counted.of(threads, "thread"))
                .advice("Make one pool and keep it, or end each where it was made (try-with-resources or shutdown"
                        + " in finally).")
                .evidence("pools", siblings.size())
                .evidence("idlePools", alone.size())
                .evidence("threads", threads)
                .evidence("meanTasksPerPool", tasks)
                .build());
    }

    private static boolean isFrom(String place, String name) {
        return name.equals(place) || (name.startsWith(place) && name.startsWith("#", place.length()));
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        boolean standsStill = window.state() == PoolState.SHUTTING_DOWN && window.completed() == 0;
        return standsStill && Suspicion.mayLookAgain(window) ? Set.of(Evidence.STACKS) : Set.of();
    }
}
