package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Backlog;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.bottleneck.Judgement;
import io.lifeguard.pool.diagnosis.bottleneck.Standstill;
import io.lifeguard.pool.diagnosis.bottleneck.WaitingWorkers;
import io.lifeguard.pool.diagnosis.seen.SaidLock;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.sizing.SizeRange;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds workers that queue for one lock, where the queue costs throughput. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> The bottleneck is a lock ({@link Bottlenecks}), which is a station with one server. With k workers
 * busy and seen, w of which wait for it on average, the lock is held nearly all the time and sets the pace. Without it
 * at least k / (k − w) of the throughput is possible, with the lower bound of w, as far as the CPUs can carry that.
 * Workers that were not seen count neither as k nor as w. While the lock is there, the busy workers that do not wait
 * would do as much; a size is named if its upper bound is less than 0.7 of the present one ({@link PacedSize}). Its
 * interval is that of their number, and of their number without those that wait for a CPU.
 *
 * <p><b>Window.</b> The last second.
 *
 * <p><b>Thresholds.</b> A mean queue of 2, by the lower bound: in a single-server station with random arrivals, queue
 * ρ²/(1 − ρ), that is a lock held 73 % of the time (Lazowska et al., <i>Quantitative System Performance</i>, 1984). In
 * a pool of fewer than five workers, and where fewer than five are busy and are half of all, 40 % of the busy ones. And
 * 20 % of the busy workers, which is a gain of 25 %. And as many as wait for a lock that is held for 70 % of the time.
 * The gain is said while tasks keep queueing: otherwise the pool does all that comes.
 *
 * <p><b>Closest healthy workload.</b> A short queue on a lock that is held half of the time: a mean queue of 0.5.
 */
public final class LockContention extends StandardRule {

    static final String ID = SaidLock.ID;

    static final Threshold FEWER = new Threshold(
            ID + ".fewer",
            0.7,
            "share of the present workers, 0 to 1: fewer workers are named only where surely no more than this share of"
                    + " them do as much; a difference that a window can tell");

    private static final double WORTH_SAYING = 1.05; // a gain that a measurement of a second can tell
    private static final double SMALLEST_REST = 0.5; // workers: the holder, and it may be another thread at times

    public LockContention() {
        super(ID, FEWER);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        if (Standstill.of(window).isPresent()) {
            return Verdict.clear(); // what stands-still says
        }
        Optional<Verdict> other = Limits.unless(window, Bottleneck.LOCK);
        if (other.isPresent()) {
            return other.get();
        }
        return Standstill.mayStandStill(window)
                ? Verdict.unknown("whether anything moves")
                : Verdict.found(finding(window, Bottlenecks.judge(window, Bottleneck.LOCK)));
    }

    private static Finding finding(PoolWindow window, Judgement judgement) {
        WaitingWorkers waiting = judgement.group().orElseThrow();
        double waiters = waiting.workers().value();
        double busy = Math.max(
                judgement.busy(),
                Limits.recent(window).workers(Doing.WAITING_FOR_LOCK).value());
        double rate = window.throughput();
        Awaited.Lock lock = waiting.largest().awaited().orElse(null) instanceof Awaited.Lock known ? known : null;
        Finding.Builder finding = Finding.of(ID, window);
        finding.summary(
                        "%s of %s for %s%s; %s",
                        Places.count(waiters),
                        Counted.of(Places.count(busy), "busy worker waits", "busy workers wait"),
                        lock == null ? "a lock" : (lock.monitor() ? "the monitor of " : "the lock ") + lock.name(),
                        waiting.place().isEmpty() ? "" : " at " + waiting.place(),
                        holder(lock))
                .evidence("workers", window.after().size())
                .evidence("waitingWorkers", waiters)
                .evidence("busyWorkers", busy);
        if (lock != null && lock.owner().isPresent()) {
            finding.evidence("owner", lock.owner().get());
        }
        if (window.countsTasks()) {
            finding.evidence("throughput", rate);
        }
        if (lock != null) {
            finding.evidence("lock", lock.name())
                    .evidence("synchronized", lock.monitor())
                    .evidence("otherWaiters", lock.otherWaiters());
            if (!lock.ownerStack().isEmpty()) {
                finding.evidence("ownerStack", lines(lock.ownerStack()));
            }
        }
        Places.add(finding, waiting.shares());
        if (window.cpuTime().isPresent()) {
            finding.evidence("cpusUsedByTasks", window.cpuTime().get().seconds() / window.seconds());
        }
        Optional<Double> most = carried(window);
        Gain gain = null;
        // without a backlog the pool does all that comes, with the lock too
        if (most.isPresent() && !judgement.standsStill() && Backlog.stays(window)) {
            gain = new Gain(seenGain(Limits.recent(window), busy, waiting.workers()), Math.max(1, most.get()));
            finding.evidence("gainWithoutLock", Math.min(gain.least(), gain.most()))
                    .evidence("gainAtMost", gain.most());
        }
        if (judgement.standsStill()) {
            return finding.advice("Look at who holds the lock, and at what that thread waits for: it does not give the"
                            + " lock back. More workers only lengthen the queue.")
                    .build();
        }
        if (gain != null) {
            finding.gain("%s", gain.text());
        }
        size(finding.advice(SaidLock.ADVICE), window, waiting);
        return finding.build();
    }

    /** The lock's name; the place where it is waited for when it has none. */
    static String name(WaitingWorkers waiting) {
        return waiting.largest().awaited().orElse(null) instanceof Awaited.Lock lock ? lock.name() : waiting.place();
    }

    private static String holder(Awaited.@Nullable Lock lock) {
        if (lock == null || lock.owner().isEmpty()) {
            return "its holder is unknown";
        }
        String place = lock.ownerStack().isEmpty() ? "" : " at " + UserFrames.place(lock.ownerStack());
        return "it is held by " + lock.owner().get() + place;
    }

    private static void size(Finding.Builder finding, PoolWindow window, WaitingWorkers waiting) {
        Estimate others = waiting.othersLately(window, Doing.WAITING_FOR_LOCK);
        double forCpu = Limits.recent(window).workers(Doing.WAITING_FOR_CPU).value(); // because of others, perhaps
        SizeRange range = new SizeRange(
                (int) Math.ceil(Math.max(0, others.low() - forCpu)),
                PacedSize.sizeFor(Math.max(1, others.value()), 1),
                PacedSize.sizeFor(Math.max(1, others.high()), 1));
        if (range.high() >= window.threshold(FEWER) * window.after().size()) {
            return;
        }
        Optional<String> why = Sizing.whyNoneServed(window);
        if (why.isPresent()) {
            SizingEvidence.noSize(finding, why.get());
            return;
        }
        SizingEvidence.size(
                finding,
                range,
                "%s While it stays, %s as fast as %d.",
                SaidLock.ADVICE,
                Counted.of(range.size(), "worker is", "workers are"),
                window.after().size());
    }

    /**
     * What is possible without the lock: by the wait, and by the CPUs. Immutable.
     *
     * @param least {@code 1 / (1 - share)}, where the share of the seen workers that wait for the lock is at its lower
     *     bound; at least 1
     * @param most what the CPUs can carry with the present CPU time per task; at least 1
     */
    private record Gain(double least, double most) {

        String text() {
            if (most < WORTH_SAYING) {
                return " Without it expect hardly more throughput, because the CPUs are full.";
            }
            return most <= least
                    ? " Without it expect up to " + Units.times(most) + " the throughput, which fills the CPUs."
                    : " Without it expect at least " + Units.times(least)
                            + " the throughput, if nothing else limits it first.";
        }
    }

    /** Workers of which nothing is known may wait for the lock or not, so they are left out of both sides. */
    private static double seenGain(TimeBreakdown times, double busy, Estimate waiting) {
        double seen = Math.max(waiting.value(), busy - times.unknown());
        double passed = Math.max(SMALLEST_REST, seen - waiting.low());
        return Math.max(1, seen / passed);
    }

    /** How many times the present throughput the CPUs can carry; empty where that is unknown. */
    private static Optional<Double> carried(PoolWindow window) {
        double cpu = window.cpuTime().isPresent() ? window.cpuTime().get().meanSeconds() : 0;
        double rate = window.throughput();
        if (cpu > 0 && rate > 0) {
            return Optional.of(window.process().cores() / cpu / rate);
        }
        OptionalDouble used = window.process().cpuShare();
        return used.isPresent() ? Optional.of(1 / Math.max(1e-9, used.getAsDouble())) : Optional.empty();
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        return Suspicion.workersWait(window) ? Set.of(Evidence.STACKS) : Set.of();
    }
}
