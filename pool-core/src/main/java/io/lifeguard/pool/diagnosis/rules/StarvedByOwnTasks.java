package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.StackSample;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Units;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Workers wait for the results of tasks that sit in their own pool's queue, and so keep those from being run.
 * Stateless, thread-safe.
 *
 * <p><b>Formula.</b> s of n workers wait for a future that is in the queue: certain, since future and queue are
 * compared by identity. When all do (95 % of them, as stacks are not all taken at once) and nothing is completed any
 * more, nothing will ever run again: a deadlock. Where the result cannot be found in the queue
 * ({@code CompletableFuture}, a latch), it is deduced: all workers wait for a result of unknown origin, tasks are
 * queued, and nothing is completed.
 *
 * <p><b>Window.</b> The latest with stacks, which are asked for when nine in ten workers are busy without computing
 * while tasks wait. For what is deduced, nothing must have been completed in the last 4 windows.
 *
 * <p><b>Threshold.</b> A quarter of the workers: their work is lost to the pool, and a burst that blocks three more
 * quarters is a deadlock. Judgement, not measured.
 *
 * <p><b>Closest healthy workload.</b> Workers that wait for the results of another pool's tasks: none of these is in
 * this queue, and the others let this pool complete something within 4 windows.
 */
public final class StarvedByOwnTasks extends StandardRule {

    static final String ID = "starved-by-own-tasks";

    static final Threshold SHARE = new Threshold(
            ID + ".share",
            0.25,
            "share of the workers that wait for tasks in their own queue; a judgement: three more such bursts are a"
                    + " deadlock");

    private static final double ALL = 0.95;
    private static final int STANDSTILL_WINDOWS = 4;

    public StarvedByOwnTasks() {
        super(ID, SHARE);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        StackSample stacks = Suspicion.recentStacks(window).orElse(null);
        int workers = window.after().size();
        if (workers == 0 || window.after().queued() == 0) {
            return Verdict.clear();
        }
        if (stacks == null) {
            return Suspicion.workersWait(window) ? Verdict.unknown("the workers' stacks") : Verdict.clear();
        }
        double certain = stacks.starvedWorkers();
        double waiting = certain + stacks.perhapsStarvedWorkers();
        boolean standstill = isStandstill(window) && waiting >= ALL * workers;
        if (!standstill && certain < window.threshold(SHARE) * workers) {
            return Verdict.clear();
        }
        double starved = standstill ? waiting : certain;
        boolean isCertain = certain >= window.threshold(SHARE) * workers;
        Finding.Builder finding = Finding.of(ID, window)
                .severity(standstill ? Severity.CRITICAL : Severity.WARNING)
                .evidence("starvedWorkers", starved)
                .evidence("workers", workers)
                .evidence("queued", window.after().queued())
                .evidence("certain", isCertain)
                .evidence("deadlock", standstill);
        place(stacks)
                .ifPresent(group -> finding.evidence("place", group.place()).evidence("stack", lines(group.stack())));
        String where = place(stacks).map(group -> " at " + group.place()).orElse("");
        finding.summary(
                standstill
                        ? (workers == 1 ? "the only worker waits" : "all %2$d workers wait")
                                + "%3$s for results of tasks that %4$s in "
                                + (workers == 1 ? "its" : "their")
                                + " own queue of %5$d: nothing will run any more"
                        : "%1$s of %2$d workers wait%3$s for results of tasks that %4$s in their own queue of %5$d",
                Units.rate(starved),
                workers,
                where,
                isCertain ? "sit" : "must be",
                window.after().queued());
        return Verdict.found(
                finding.advice("Do not wait in a task for another task of the same pool: continue with thenCompose or"
                                + " thenCombine,"
                                + " run the part at once on the waiting worker, or give the parts a pool of their"
                                + " own. A larger pool only postpones it.")
                        .build());
    }

    private static boolean isStandstill(PoolWindow window) {
        return window.windows() >= STANDSTILL_WINDOWS
                && window.last(STANDSTILL_WINDOWS).completed() == 0
                && window.last(STANDSTILL_WINDOWS).before().queued() > 0;
    }

    private static Optional<StackSample.Group> place(StackSample stacks) {
        List<StackSample.Group> groups = stacks.groups();
        return groups.stream()
                .filter(group -> group.doing() == Doing.WAITING_FOR_RESULT)
                .findFirst();
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        boolean standsStill = window.completed() == 0 && window.utilisation() >= ALL;
        boolean suspected = window.after().queued() > 0
                && window.utilisation() >= 0.9
                && (standsStill || (Suspicion.workersWait(window) && Suspicion.mayLookAgain(window)));
        return suspected || examine(window).finding().isPresent() ? Set.of(Evidence.STACKS) : Set.of();
    }
}
