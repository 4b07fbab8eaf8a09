package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.RejectionReason;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.List;

/**
 * Finds full pools whose policy throws tasks away, so that neither the submitter nor anybody else is told. Stateless,
 * thread-safe.
 *
 * <p><b>Formula.</b> A {@code DiscardPolicy} or a {@code DiscardOldestPolicy} has thrown tasks away, as the pool counts
 * them, in this window too. Tasks that a pool refuses with an exception are not counted, nor what a user's own handler
 * does: there somebody is told. A pool that is watched from outside does not count them. There, at each look for 5 s
 * all workers were busy, and the queue had at most one free place for each of them; at half of the looks it had none.
 * Tasks were completed nevertheless: so tasks came, and each that comes to a full queue costs one.
 *
 * <p><b>Window.</b> The last 5 s.
 *
 * <p><b>Thresholds.</b> Five tasks: fewer may be lost in one burst. A judgement.
 *
 * <p><b>Closest healthy workload.</b> A pool whose own handler counts what it drops.
 */
public final class TasksDiscarded extends StandardRule {

    static final String ID = "tasks-discarded";

    static final Threshold TASKS = new Threshold(
            ID + ".tasks", 5, "tasks thrown away in 5 s, below which nothing is said; a burst may lose fewer");

    /** Share of the looks at which the queue of a watched pool is full, 0 to 1; a judgement. */
    private static final double FULL = 0.5;

    private static final Duration RECENT = Duration.ofSeconds(5);

    public TasksDiscarded() {
        super(ID, TASKS);
    }

    @Override
    public Verdict examine(PoolWindow latest) {
        if (!latest.isMeasured()) {
            return examineWatched(latest);
        }
        if (discarded(latest) == 0) {
            return Verdict.clear();
        }
        PoolWindow window = latest.last(RECENT);
        return discarded(window) < latest.threshold(TASKS) ? Verdict.clear() : Verdict.found(finding(latest, window));
    }

    private static Verdict examineWatched(PoolWindow latest) {
        RejectionReason reason = latest.seen(RejectionReason.class).orElse(null);
        PoolWindow window = latest.last(RECENT);
        if (reason == null || !window.lasts(RECENT.toNanos() / 1e9)) {
            return UNMEASURED;
        }
        List<PoolWindow> looks = latest.parts(1 + latest.windows() - window.windows());
        long full = looks.stream().filter(look -> free(look) == 0).count();
        boolean areNearlyFull =
                looks.stream().allMatch(look -> free(look) <= look.after().size());
        return areNearlyFull && full >= FULL * looks.size() && window.completed() > 0
                ? Verdict.found(findingOfWatched(latest, window, full, looks.size(), policy(reason)))
                : Verdict.clear();
    }

    /** How many places the queue has at the end of a window; many where workers are idle, or it never had one. */
    private static int free(PoolWindow look) {
        PoolSnapshot now = look.after();
        boolean isInUse = now.queued() > 0 && now.active() >= now.size();
        return isInUse ? now.limits().queueRemaining() : Integer.MAX_VALUE;
    }

    private static Finding findingOfWatched(PoolWindow latest, PoolWindow window, long full, int looks, String policy) {
        return finding(latest, window, policy)
                .summary(
                        "its queue of %,d was full at %d of %d looks in %s, and nearly full at the others: each task"
                                + " that comes to a full queue costs one, and nobody is told, because its policy is %s;"
                                + " how many is unknown",
                        window.queueCapacity(), full, looks, Units.time(window.seconds()), policy)
                .evidence("looks", looks)
                .evidence("looksAtFullQueue", full)
                .build();
    }

    private static String policy(RejectionReason reason) {
        return reason == RejectionReason.DISCARDED_OLDEST ? "DiscardOldestPolicy" : "DiscardPolicy";
    }

    private static long discarded(PoolWindow window) {
        return count(window, RejectionReason.DISCARDED) + count(window, RejectionReason.DISCARDED_OLDEST);
    }

    private static long count(PoolWindow window, RejectionReason reason) {
        return count(window.after(), reason) - count(window.before(), reason);
    }

    private static long count(PoolSnapshot snapshot, RejectionReason reason) {
        return snapshot.saturation().rejections().getOrDefault(reason, 0L);
    }

    private static Finding finding(PoolWindow latest, PoolWindow window) {
        long newest = count(window, RejectionReason.DISCARDED);
        long oldest = count(window, RejectionReason.DISCARDED_OLDEST);
        long all = newest + oldest;
        long came = window.submitted() + newest; // those in the queue were accepted
        double rate = all / window.seconds();
        String policy = policy(oldest > newest ? RejectionReason.DISCARDED_OLDEST : RejectionReason.DISCARDED);
        int capacity = window.queueCapacity();
        return finding(latest, window, policy)
                .summary(
                        "%s of %s that came in the last %s %s thrown away, %s/s, and nobody is told: the policy of the"
                                + " full pool is %s%s",
                        Units.count((double) all),
                        Counted.of(came, "task", "tasks"),
                        Units.time(window.seconds()),
                        all == 1 ? "was" : "were",
                        Units.rate(rate),
                        policy,
                        capacity == 0 || capacity == Integer.MAX_VALUE
                                ? ""
                                : Units.format(", and its queue has room for %,d", capacity))
                .evidence("discarded", all)
                .evidence("discardedPerSecond", rate)
                .evidence("submitted", came)
                .build();
    }

    private static Finding.Builder finding(PoolWindow latest, PoolWindow window, String policy) {
        int capacity = window.queueCapacity();
        return Finding.of(ID, latest)
                .advice(
                        "Let submitters wait (BlockingWaitPolicy), or tell them (AbortPolicy), unless nobody needs these"
                                + " tasks. If they may be lost, count them in a handler of your own. A future of such a task"
                                + " never completes, so wait for it with a time-out only.")
                .evidence("completedPerSecond", window.throughput())
                .evidence("policy", policy)
                .evidence("workers", window.after().size())
                .evidence("queueCapacity", capacity == Integer.MAX_VALUE ? "unbounded" : capacity)
                .changesSaturation();
    }
}
