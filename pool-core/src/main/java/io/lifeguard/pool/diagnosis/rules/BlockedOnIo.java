package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.sizing.Certainty;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.StackSample;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * {@code blocked-on-io}: all workers wait for something outside, the CPUs idle, and tasks queue. Stateless.
 *
 * <p>Formula: the backlog stays, the machine's CPUs are less than 80 % busy, at least half of the service time is spent
 * outside, stacks show fewer than 30 % of the workers waiting inside the process, and the model expects at least 1.2
 * times the throughput from the recommended size. Silent where a quota stopped the process for more than 5 % of the
 * time, and where the pool has tried more calls at once of late and twice as many had less than 1.4 times the
 * throughput (an elasticity of 0.5). A size is named unless it is known with poor certainty only. Window: a backlog
 * over 5 windows; times as far back as the size and the load were alike, at most 10; stacks of the last 5, without
 * which this rule is silent.
 *
 * <p>Thresholds: below half the task mostly computes. 80 %: above that the CPUs are within 1.25 of the end, and 1.2
 * could not be reached. 5 % as in {@code cpu-throttled}; an elasticity of 0.5 as in {@code downstream-saturated}; 30 %
 * is a choice.
 *
 * <p>Closest healthy workload: slow calls that all find a worker (no backlog), or a burst that is about to be done. Not
 * healthy but another finding: calls that get slower the more there are ({@code downstream-saturated}), locks
 * ({@code lock-contention}), waiting for tasks of the own queue ({@code starved-by-own-tasks}).
 */
public final class BlockedOnIo extends StandardRule {

    static final String ID = "blocked-on-io";

    static final Threshold OUTSIDE = new Threshold(
            ID + ".outside",
            0.5,
            "share of the service time that is waiting outside, 0 to 1; below it the task mostly computes");
    static final Threshold GAIN =
            new Threshold(ID + ".gain", 1.2, "expected throughput by the present one; less is not worth the threads");

    /** Beyond that the model has nothing to go by: nobody knows what the service behind does under such a load. */
    private static final int MOST_GROWTH = 8;

    private static final double MACHINE_BUSY = 0.8;
    private static final double THROTTLED = 0.05; // of the window; stopped by a quota is neither at work nor outside
    private static final double ELASTICITY = 0.5; // below it growing did not help of late
    private static final double INSIDE = 0.3; // share of workers that wait inside the process, for locks or for tasks

    public BlockedOnIo() {
        super(ID, OUTSIDE, GAIN);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        if (!isSuspect(window)) {
            return Verdict.clear();
        }
        Optional<StackSample> stacks = window.last(5).stacks();
        if (stacks.isEmpty()) {
            return Verdict.unknown("the workers' stacks");
        }
        if (!waitOutside(stacks.get())) {
            return Verdict.clear();
        }
        return SizingEvidence.judge(window, sizing -> holds(window, sizing), sizing -> finding(window, sizing));
    }

    private static boolean isSuspect(PoolWindow window) {
        ProcessWindow process = window.process();
        boolean isThrottled = process.throttled().toNanos() > THROTTLED * 1e9 * window.seconds();
        return !isThrottled
                && process.machineBusy().orElse(process.cpuShare().orElse(0)) < MACHINE_BUSY
                && Backlog.stays(window);
    }

    /** Only stacks tell a wait for a lock or for another task from one for the world outside. */
    private static boolean waitOutside(StackSample stacks) {
        return stacks.starvedWorkers()
                        + stacks.workers(Doing.WAITING_FOR_LOCK)
                        + stacks.workers(Doing.WAITING_FOR_RESULT)
                < INSIDE * stacks.workersPerRound();
    }

    private static boolean holds(PoolWindow window, Sizing sizing) {
        return SizingEvidence.outside(sizing) >= window.threshold(OUTSIDE) * sizing.serviceTime()
                && DownstreamSaturated.sign(window, sizing).isEmpty()
                && !(sizing.concurrency().isKnown() && sizing.concurrency().elasticity() < ELASTICITY)
                && sizing.curve().at(size(sizing)).throughput()
                        >= window.threshold(GAIN) * sizing.now().throughput();
    }

    private static int size(Sizing sizing) {
        return Math.max(1, Math.min(sizing.recommendedSize(), sizing.workers() * MOST_GROWTH));
    }

    private static Finding finding(PoolWindow window, Sizing sizing) {
        double outside = SizingEvidence.outside(sizing);
        Finding.Builder finding = Finding.of(ID, window)
                .summary(
                        "%s for something outside (%s of %s service time), so %s ÷ %s = %s tasks/s is all %s can"
                                + " do; %s",
                        sizing.workers() == 1 ? "the only worker waits" : "all " + sizing.workers() + " workers wait",
                        Units.percent(outside / sizing.serviceTime()),
                        Units.time(sizing.serviceTime()),
                        Counted.of(sizing.workers(), "worker"),
                        Units.time(sizing.serviceTime()),
                        Units.rate(sizing.workers() / sizing.serviceTime()),
                        sizing.workers() == 1 ? "it" : "they",
                        waiting(window))
                .evidence("outsideShare", outside / sizing.serviceTime())
                .evidence("queued", window.after().queued())
                .evidence("blockedSubmitters", window.after().saturation().blockedNow());
        window.process().machineBusy().ifPresent(busy -> finding.evidence("machineBusy", busy));
        SizingEvidence.add(finding, sizing);
        return advise(finding, sizing).build();
    }

    private static Finding.Builder advise(Finding.Builder finding, Sizing sizing) {
        String tried = sizing.concurrency().isKnown()
                ? "as calls got no slower when there were more of them"
                : "if what they wait for can take it, which this pool has not tried yet";
        if (sizing.certainty() == Certainty.POOR) {
            return SizingEvidence.certainty(finding, sizing)
                    .advice(
                            "Grow the pool, %s, or make the call asynchronous; to which size is not known well"
                                    + " enough to say: %s",
                            tried, String.join("; ", sizing.doubts()));
        }
        int size = size(sizing);
        return SizingEvidence.expect(finding, sizing, size)
                .advice(
                        "Grow the pool to %d%s, or make the call asynchronous; expect %s, %s",
                        size, size < sizing.recommendedSize() ? " and look again" : "", sizing.change(size), tried);
    }

    private static String waiting(PoolWindow window) {
        int queued = window.after().queued();
        int blocked = window.after().saturation().blockedNow();
        String tasks = Counted.of(queued, "task queues", "tasks queue");
        if (blocked == 0) {
            return tasks;
        }
        return tasks + ", " + Counted.of(blocked, "submitter waits", "submitters wait");
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        return isSuspect(window) ? EnumSet.allOf(Evidence.class) : Set.of();
    }
}
