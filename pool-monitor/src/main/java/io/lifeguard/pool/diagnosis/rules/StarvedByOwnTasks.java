package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.bottleneck.Judgement;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.text.Counted;
import java.util.Optional;
import java.util.Set;

/**
 * Finds workers that wait for the results of tasks in their own pool's queue, and so keep those tasks from being run.
 * Stateless, thread-safe.
 *
 * <p><b>Formula.</b> The bottleneck is the pool's own queue ({@link Bottlenecks}). A number of workers wait for a
 * future that is in the queue, which is certain because future and queue are compared by identity. Then workers that
 * wait for a part which another worker of the pool runs are counted as well. When all do (95 % by the lower bound,
 * because not all are looked at in the same moment) and nothing is completed, nothing will ever run again: a deadlock.
 * Where the result cannot be found in the queue ({@code CompletableFuture}, a latch), the deadlock is deduced: all
 * workers wait for results of unknown origin, tasks are queued, and nothing is completed.
 *
 * <p><b>Window.</b> The last second. For what is deduced, nothing must have been completed in the last 4 s.
 *
 * <p><b>Thresholds.</b> A quarter of the workers: their work is lost to the pool, and a burst that blocks the other
 * three quarters is a deadlock. Judgement, not measured.
 *
 * <p><b>Closest healthy workload.</b> Workers that wait for the results of another pool's tasks: none of these is in
 * this queue, and the others let this pool complete something within 4 s.
 */
public final class StarvedByOwnTasks extends StandardRule {

    static final String ID = "starved-by-own-tasks";

    /** Share of the workers that are busy before stacks are taken, 0 to 1; idle ones could run the tasks. */
    private static final double BUSY = 0.9;

    public StarvedByOwnTasks() {
        super(ID);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        Optional<Verdict> other = Limits.unless(window, Bottleneck.OWN_TASKS);
        if (other.isPresent()) {
            return other.get();
        }
        Judgement judgement = Bottlenecks.judge(window, Bottleneck.OWN_TASKS);
        return judgement.standsStill() && !judgement.isCertain() && NothingMoves.waitsForSomethingElse(window)
                ? Verdict.clear()
                : Verdict.found(finding(window, judgement));
    }

    private static Finding finding(PoolWindow window, Judgement judgement) {
        TimeBreakdown times = Limits.recent(window);
        boolean standstill = judgement.standsStill();
        boolean isCertain = judgement.isCertain();
        int workers = window.after().size();
        int queued = window.after().queued();
        double starved = standstill
                ? times.workers(Doing.WAITING_FOR_RESULT).value()
                : judgement.workers().value();
        String place = times.places(Doing.WAITING_FOR_RESULT)
                .map(Share::place)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .map(each -> " at " + each)
                .orElse("");
        Finding.Builder finding = Finding.of(ID, window)
                .severity(standstill ? Severity.CRITICAL : Severity.WARNING)
                .evidence("starvedWorkers", starved)
                .evidence("workers", workers)
                .evidence("certain", isCertain)
                .evidence("deadlock", standstill)
                .advice("Do not wait in a task for another task of the same pool: continue with thenCompose or"
                        + " thenCombine, run the part at once on the waiting worker, or give the parts a pool of their"
                        + " own. A larger pool only postpones it.");
        String length = "";
        if (window.countsQueue()) {
            finding.evidence("queued", queued);
            length = " of " + queued;
        }
        if (standstill) {
            finding.summary(
                    "%s%s for results%s in %s own queue%s: nothing will ever run again%s",
                    workers == 1 ? "the only worker waits" : "all " + workers + " workers wait",
                    place,
                    isCertain ? " of tasks that sit" : ", and the tasks that may bring them wait",
                    workers == 1 ? "its" : "their",
                    length,
                    isCertain ? "" : " unless something else brings these results");
        } else {
            boolean areMostQueued = judgement
                    .group()
                    .filter(group -> group.workers().low() >= judgement.threshold())
                    .isPresent();
            finding.summary(
                    "%s of %s wait%s for results of tasks %s",
                    Places.count(starved),
                    Counted.of(workers, "worker"),
                    place,
                    areMostQueued
                            ? "that sit in their own queue" + length
                            : "of their own pool, some of which sit in its queue" + length);
        }
        return Places.add(finding, Places.of(times, Doing.WAITING_FOR_RESULT)).build();
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        boolean suspected = window.after().queued() > 0 && window.utilisation() >= BUSY;
        boolean standsStill = !window.countsTasks() || window.completed() == 0;
        return suspected && (standsStill || Suspicion.workersWait(window)) ? Set.of(Evidence.STACKS) : Set.of();
    }
}
