package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.bottleneck.Judgement;
import io.lifeguard.pool.diagnosis.bottleneck.Thresholds;
import io.lifeguard.pool.diagnosis.sizing.Certainty;
import io.lifeguard.pool.diagnosis.sizing.SizeRange;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Finds pools whose threads queue for the CPUs, and for which fewer threads would do at least as much. Stateless,
 * thread-safe.
 *
 * <p><b>Formula.</b> The bottleneck is the CPU ({@link Bottlenecks}), and a quarter of the busy workers wait for one,
 * by the lower bound. Workers that wait for locks count as well where more workers than CPUs wait for a CPU, because a
 * thread without a CPU holds its locks for longer. There are more than 1.2 busy workers for each CPU. The process uses
 * 60 % of its CPUs, or 20 % while other processes use the rest. The upper bound of {@link Sizing#saturatedRange()} is
 * at most two thirds of the busy workers; it is the size for all CPUs, even where other processes use some. The answer
 * is unknown where the size is poorly known, and while the garbage collector uses much of the time. No size is named
 * while the JVM compiles the code.
 *
 * <p><b>Window.</b> Shares of the last second; times as far back as size and load were alike, at most 10 windows. Found
 * in two windows, or in one of 1.5 s or more: on full CPUs the monitor's own windows are late and long. Where three
 * quarters of the busy workers queue, a window that is a tenth late suffices.
 *
 * <p><b>Thresholds.</b> At the size that reaches 99 % of the ceiling, the machine-repairman model has tasks wait for a
 * CPU for 43 to 18 % of their time on 2 CPUs, and for 24 to 8 % on 8 CPUs, if a task waits 1 to 30 times its CPU time.
 * So the delay shows only that the workers wait for the CPU; the size decides. Two thirds is a choice: 1.5 times the
 * right size costs no throughput, only service time.
 *
 * <p><b>Closest healthy workload.</b> A pool of exactly the right size that keeps the CPUs full: its delay may exceed
 * the threshold, but its recommended size is its own. Next comes a pool that other processes slow down, whose delay is
 * high at any size.
 */
public final class CpuSaturated extends StandardRule {

    static final String ID = "cpu-saturated";

    /** Recommended size divided by busy workers, above which nothing is said; the difference could not be told. */
    private static final double SIZE = 0.67;

    /**
     * Seconds of a window that is enough by itself; the monitor was late by half a window, as it is where threads queue
     * for CPUs.
     */
    private static final double LONG = 1.5;

    /**
     * Seconds of a window that is enough by itself where nearly all workers queue; longer than any that ends when it is
     * due.
     */
    private static final double LATE = 1.1;

    /**
     * Share of the busy workers' time in which they queued for a CPU, as the system counts it, 0 to 1; three times the
     * least share, so that chance cannot make it.
     */
    private static final double NEARLY_ALL = 0.75;

    /**
     * Share of the CPUs that the process uses while others use the rest, 0 to 1; with less, its threads queue because
     * of the others.
     */
    private static final double LEAST_SHARE = 0.2;

    /** Share of the busy workers that may be unseen where a size follows from their time alone, 0 to 1; a judgement. */
    private static final double MAY_BE_UNKNOWN = 0.1;

    /** Share of the time in which the garbage collector ran, 0 to 1; from there on it is what takes the CPUs. */
    private static final double GC_SHARE = 0.2;

    private static final String SHRINK = "Shrink the pool: fewer threads do at least as much.";

    private static final Duration PLACES = Duration.ofSeconds(10);
    private static final double MENTIONED = 0.05; // of the busy workers, in a text

    public CpuSaturated() {
        super(ID);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        if (window.bottleneck() == Bottleneck.CPU && !mayBeTooMany(window)) {
            return Verdict.clear();
        }
        Optional<Verdict> other = Limits.unless(window, Bottleneck.CPU);
        return other.isPresent() ? other.get() : explain(window, Bottlenecks.judge(window, Bottleneck.CPU));
    }

    private static Verdict explain(PoolWindow window, Judgement judgement) {
        double collecting = window.process().gcTime().orElse(Duration.ZERO).toNanos() / 1e9;
        if (collecting >= GC_SHARE * window.seconds()) {
            return Verdict.unknown("what the threads do while the garbage collector leaves them the CPUs");
        }
        TimeBreakdown times = Limits.recent(window);
        if (!window.countsTasks()) {
            return explainByShares(window, times, judgement);
        }
        Sizing sizing = Sizing.of(window).orElse(null);
        if (sizing == null || sizing.certainty() == Certainty.POOR) {
            return Verdict.unknown("how many threads are enough: "
                    + SizingEvidence.whyNoSize(window, Optional.ofNullable(sizing))
                            .orElse(""));
        }
        Optional<String> why = Sizing.whyNone(window);
        SizeRange range = sizing.saturatedRange();
        double most = SIZE * judgement.busy();
        if (range.high() > most) {
            return range.low() > most && why.isEmpty()
                    ? Verdict.clear()
                    : Verdict.unknown("how many threads are enough, with enough certainty");
        }
        return Verdict.found(finding(window, times, sizing, range, why));
    }

    /**
     * Where tasks are not counted, the workers' time alone tells the size: the model needs only the time outside
     * divided by the time on a CPU. The upper end is the size for all CPUs, so the pool is too big whatever others use.
     */
    private static Verdict explainByShares(PoolWindow window, TimeBreakdown times, Judgement judgement) {
        Optional<String> why = Sizing.whyNone(window);
        Optional<SizeRange> range = sizeByShares(window, times);
        if (range.isEmpty()) {
            return Verdict.unknown("too little evidence about the workers to say how many are enough");
        }
        double waiting = judgement.workers().value() / judgement.busy();
        double most = SIZE * judgement.busy();
        if (range.get().high() > most) {
            return range.get().low() > most && why.isEmpty()
                    ? Verdict.clear()
                    : Verdict.unknown("how many threads are enough, with enough certainty");
        }
        Finding.Builder finding = Finding.of(ID, window)
                .summary(
                        "%s for %s: waiting for a CPU is %s of the busy workers' time",
                        Counted.of(window.after().size(), "thread queues", "threads queue"),
                        Counted.of(Units.count(window.process().cores()), "CPU", "CPUs"),
                        Units.percent(waiting))
                .evidence("delayShare", waiting)
                .evidence("workers", window.after().size());
        Places.add(finding, Places.of(times, Doing.COMPUTING));
        if (why.isPresent()) {
            return Verdict.found(shrink(SizingEvidence.noSize(finding, why.get()), why.get()));
        }
        Optional<String> sharing = Sizing.sharing(window);
        return Verdict.found(SizingEvidence.size(
                        SizingEvidence.sharing(finding, sharing).changesSize().advice(SHRINK),
                        range.get(),
                        "Shrink the pool to %s; the CPUs will do as much, and each task will be done sooner",
                        SizingEvidence.text(range.get(), sharing))
                .build());
    }

    /**
     * From the CPUs that the process uses or that are free, to all of them. Empty where more than a tenth of the busy
     * workers' time is unknown, unless each look has met each worker. Then all that may be time outside is counted as
     * such, and the rest is that in which the JVM stood still for the looks.
     */
    private static Optional<SizeRange> sizeByShares(PoolWindow window, TimeBreakdown times) {
        Estimate cpu = times.workers(Doing.COMPUTING);
        Estimate outside = times.workers(Doing.WAITING_OUTSIDE, Doing.SLEEPING);
        boolean areAllSeen = times.stacks() > 0 && times.stacks() >= Math.round(times.looks() * times.workers());
        double mayBeUnknown = MAY_BE_UNKNOWN * Bottlenecks.busyWorkers(window);
        if (cpu.low() <= 0 || (!areAllSeen && times.unknown() > mayBeUnknown)) {
            return Optional.empty();
        }
        return Optional.of(Sizing.saturatedRange(
                window.process(),
                outside.low() / cpu.high(),
                outside.value() / cpu.value(),
                outside.high() / cpu.low()));
    }

    /** Whether there are more busy workers than CPUs, and they may be what uses them. */
    private static boolean mayBeTooMany(PoolWindow window) {
        ProcessWindow process = window.process();
        double own = process.cpuShare().orElse(1);
        return Bottlenecks.busyWorkers(window) > Thresholds.PER_CPU * process.cores()
                && (own >= window.threshold(Thresholds.CPU_USED)
                        || (own >= LEAST_SHARE && process.machineBusy().orElse(0) >= Thresholds.CPU_FULL));
    }

    /** The last second, or where it has no stacks, because the one that takes them had no CPU, the last ten. */
    private static TimeBreakdown places(PoolWindow window, TimeBreakdown times) {
        return times.stacks() > 0 ? times : window.last(PLACES).breakdown();
    }

    private static Finding finding(
            PoolWindow window, TimeBreakdown times, Sizing sizing, SizeRange range, Optional<String> whyNoSize) {
        double busy = Bottlenecks.busyWorkers(window);
        double waiting = Math.max(0, 1 - sizing.cpuTime() / sizing.serviceTime());
        double share = Math.min(waiting, times.workers(Doing.WAITING_FOR_CPU).value() / busy);
        double locks = times.workers(Doing.WAITING_FOR_LOCK).value() / busy;
        TimeBreakdown placed = places(window, times);
        String places = Places.clause(Places.of(placed, Doing.COMPUTING), sizing.workers());
        double growth = sizing.cpuGrowth();
        Finding.Builder finding = Finding.of(ID, window)
                .summary(
                        "%s for %s: a task takes %s, of which %s is waiting for a CPU%s and %s is work%s",
                        Counted.of(sizing.workers(), "thread queues", "threads queue"),
                        Counted.of(Units.count(window.process().cores()), "CPU", "CPUs"),
                        Units.time(sizing.serviceTime()),
                        Units.percent(share),
                        locks < MENTIONED
                                ? ""
                                : ", " + Units.percent(locks) + " is waiting for locks of threads that want a CPU",
                        Units.time(sizing.cpuTime()),
                        growth == 0
                                ? ""
                                : Units.format(
                                        "; with twice as many threads, each task uses %s the CPU time",
                                        Units.times(Math.pow(2, growth))))
                .evidence("delayShare", share);
        if (locks >= MENTIONED) {
            finding.evidence("lockShare", locks);
        }
        if (!places.isEmpty()) {
            finding.evidence("computing", places);
        }
        if (growth > 0) {
            finding.evidence("cpuTimeGrowth", growth);
        }
        Places.add(finding, Places.of(placed, Doing.COMPUTING));
        SizingEvidence.add(finding, sizing);
        if (whyNoSize.isPresent()) {
            SizingEvidence.certainty(finding, sizing);
            return shrink(SizingEvidence.noSize(finding, whyNoSize.get()), whyNoSize.get());
        }
        SizingEvidence.sharing(finding, Sizing.sharing(window));
        return SizingEvidence.size(
                        SizingEvidence.expect(finding.changesSize().advice(SHRINK), sizing, range.size()),
                        range,
                        "Shrink the pool to %s; expect %s",
                        SizingEvidence.text(range, Sizing.sharing(window)),
                        sizing.change(range.size()))
                .build();
    }

    private static Finding shrink(Finding.Builder finding, String whyNoSize) {
        return finding.changesSize()
                .advice(SHRINK + " No size can be computed: %s", whyNoSize)
                .build();
    }

    @Override
    public int windowsToRaise(PoolWindow window) {
        return window.workerTimes()
                .filter(times -> window.seconds() >= LONG || doNearlyAllQueue(window, times))
                .map(times -> 1)
                .orElse(windowsToRaise());
    }

    private static boolean doNearlyAllQueue(PoolWindow window, ThreadTimes times) {
        double queued = times.runQueueDelay().toNanos() / 1e9 / window.seconds();
        return window.seconds() >= LATE && queued >= NEARLY_ALL * Bottlenecks.busyWorkers(window);
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        return mayBeTooMany(window) ? Set.of(Evidence.WORKERS) : Set.of();
    }
}
