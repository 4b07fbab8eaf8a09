package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Span;
import io.lifeguard.pool.diagnosis.window.StackSample;
import io.lifeguard.pool.diagnosis.window.StackSample.Lock;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.UserFrames;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.Set;

/**
 * Workers queue for one lock, and the queue costs throughput. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> A lock is a station with one server. With k workers busy, w of them waiting for it in the mean,
 * and w never near zero, the lock is held nearly all the time and sets the pace; without it k / (k − w) of the
 * throughput is possible, but no more than cores ÷ CPU time per task. A size that does as much while the lock is there
 * is named if it is less than 0.7 of the present one, and known with more than poor certainty.
 *
 * <p><b>Window.</b> The latest one with stacks, not more than four windows ago. They are asked for when workers are
 * busy for less than 70 % with computing, every fourth window until a queue is found.
 *
 * <p><b>Thresholds.</b> A mean queue of 2: in a single-server station with random arrivals, queue ρ²/(1 − ρ), that is a
 * lock held 73 % of the time (Lazowska et al., <i>Quantitative System Performance</i>, 1984); in a pool of fewer than
 * five workers 40 % of the busy ones. And 20 % of the busy workers, which is a gain of 25 %.
 *
 * <p><b>Closest healthy workload.</b> A short queue on a lock held half of the time: mean queue 0.5.
 */
public final class LockContention extends StandardRule {

    static final String ID = "lock-contention";

    static final Threshold WAITERS = new Threshold(
            ID + ".waiters", 2, "mean number of workers that wait for the lock; a lock held 73 % of the time");
    static final Threshold SHARE = new Threshold(
            ID + ".share",
            0.2,
            "share of the busy workers that wait for the lock; without it the throughput is 1.25 times as high");

    private static final double SHARE_OF_A_SMALL_POOL = 0.4;

    /** From here on a smaller size is advised while the lock is there: a difference that a window can tell. */
    private static final double CLEARLY_FEWER = 0.7;

    private static final double WORTH_SAYING = 1.05;

    public LockContention() {
        super(ID, WAITERS, SHARE);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        StackSample stacks = Suspicion.recentStacks(window).orElse(null);
        if (stacks == null) {
            return Suspicion.workersWait(window) ? Verdict.unknown("the workers' stacks") : Verdict.clear();
        }
        return stacks.locks().stream()
                .filter(lock -> isLimit(window, stacks, lock))
                .findFirst()
                .map(lock -> Verdict.found(finding(window, stacks, lock)))
                .orElse(Verdict.clear());
    }

    private static boolean isLimit(PoolWindow window, StackSample stacks, Lock lock) {
        double busy = busy(window, stacks);
        double fewest = Math.min(window.threshold(WAITERS), SHARE_OF_A_SMALL_POOL * busy);
        return lock.waiters() >= fewest && lock.waiters() >= window.threshold(SHARE) * busy && lock.waiters() > 0;
    }

    /** The workers that have a task, and at least those that wait for a lock. */
    private static double busy(PoolWindow window, StackSample stacks) {
        double atLocks = stacks.locks().stream().mapToDouble(Lock::waiters).sum();
        return Math.max(window.busyWorkers(), atLocks);
    }

    private static Finding finding(PoolWindow window, StackSample stacks, Lock lock) {
        double busy = busy(window, stacks);
        double rate = window.throughput();
        double gain = busy / Math.max(1, busy - lock.waiters());
        double cpu = window.cpuTime().map(Span::meanSeconds).orElse(0.0);
        if (cpu > 0 && rate > 0) {
            gain = Math.max(1, Math.min(gain, window.process().cores() / cpu / rate));
        }
        String owner = lock.owner().map(name -> "held by " + name).orElse("its holder is not known");
        String ownerPlace = lock.ownerStack().isEmpty() ? "" : " at " + UserFrames.place(lock.ownerStack());
        int size = SizingEvidence.trusted(window).map(Sizing::recommendedSize).orElse(Integer.MAX_VALUE);
        boolean fewerDo = size < CLEARLY_FEWER * window.after().size();
        Finding.Builder finding = Finding.of(ID, window)
                .summary(
                        "%s of %s busy workers wait for %s %s at %s; it is %s",
                        Units.rate(lock.waiters()),
                        Units.rate(busy),
                        lock.monitor() ? "the monitor of" : "the lock",
                        lock.lock(),
                        lock.place(),
                        lock.owner().isPresent() ? owner + ownerPlace : "not known by whom it is held")
                .advice(
                        "Hold it for less, or make the locked part unnecessary (a value computed once, a concurrent"
                                + " map, one lock per key);"
                                + " more workers only lengthen the queue%s. Without it expect %s.",
                        fewerDo ? ", and as long as it is there " + Counted.of(size, "does", "do") + " as much" : "",
                        gain < WORTH_SAYING
                                ? "hardly more throughput, as the CPUs are full"
                                : "up to " + Units.times(gain) + " the throughput")
                .evidence("lock", lock.lock())
                .evidence("synchronized", lock.monitor())
                .evidence("place", lock.place())
                .evidence("waitingWorkers", lock.waiters())
                .evidence("busyWorkers", busy)
                .evidence("owner", lock.owner().orElse("unknown"))
                .evidence("throughput", rate)
                .evidence("gainWithoutLock", gain);
        if (fewerDo) {
            finding.recommendedSize(size);
        }
        window.cpuTime().ifPresent(time -> finding.evidence("cpusUsedByTasks", time.seconds() / window.seconds()));
        if (!lock.ownerStack().isEmpty()) {
            finding.evidence("ownerStack", lines(lock.ownerStack()));
        }
        return finding.build();
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        boolean confirmed = examine(window).finding().isPresent();
        return confirmed || (Suspicion.workersWait(window) && Suspicion.mayLookAgain(window))
                ? Set.of(Evidence.STACKS)
                : Set.of();
    }
}
