package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.bottleneck.WaitingWorkers;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.sizing.SizeRange;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds pools that spend much CPU time on switching between threads instead of on tasks. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> The bottleneck is the CPU or a lock ({@link Bottlenecks}). The kernel has at least 30 % of the
 * process's CPU time, and the process uses at least 30 % of its CPUs. The pool's workers are switched at least 5,000
 * times per second of that CPU time. There are more busy workers than CPUs, and fewer than a quarter of them are in I/O
 * or asleep, by the upper bound. A size is named where the CPU is the bottleneck; for a lock, {@code lock-contention}
 * names it.
 *
 * <p><b>Window.</b> 2 s; shares of the last second.
 *
 * <p><b>Thresholds.</b> Independent tasks that compute stay below 2 % in the kernel on 2 to 100 threads; a fair lock at
 * which threads convoy brings 55 to 76 % (measured on two CPUs). 5,000 per second are one switch every 200 µs of CPU
 * time; below 30 % of the CPUs there is little to win. Both are choices, not measured.
 *
 * <p><b>Closest healthy workload.</b> Tasks whose own I/O runs in the kernel. They are switched as often when calls are
 * short, so only what the workers do tells the difference.
 */
public final class HighSystemCpu extends StandardRule {

    static final String ID = "high-system-cpu";

    static final Threshold SYSTEM = new Threshold(
            ID + ".system", 0.3, "share of the process's CPU time spent in the kernel, 0 to 1; 0.02 without convoys");
    /** Switches of workers per second of CPU time; fewer cannot be what the CPU is spent on. */
    private static final double SWITCHES = 5000;

    /** Share of the CPUs that the process uses, 0 to 1; with less there is little to win. */
    private static final double CPU = 0.3;
    /**
     * Share of the busy workers in I/O or asleep, 0 to 1, from which on the kernel may work for them; and share that
     * yields, from which on the advice is about that; a judgement.
     */
    private static final double OTHERS = 0.25;

    private static final Duration RECENT = Duration.ofSeconds(2);

    public HighSystemCpu() {
        super(ID, SYSTEM);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        Optional<Verdict> other = Limits.otherThan(window, Bottleneck.CPU, Bottleneck.LOCK);
        return other.isPresent() ? other.get() : judge(window);
    }

    private static Verdict judge(PoolWindow window) {
        PoolWindow recent = window.last(RECENT);
        ProcessWindow process = recent.process();
        if (process.cpuShare().isEmpty() || process.systemCpu().isEmpty()) {
            return Verdict.unknown("how much CPU time the process used");
        }
        if (!isSuspect(recent)) {
            return Verdict.clear();
        }
        Optional<ThreadTimes> times = recent.workerTimes();
        if (times.isEmpty()) {
            return Verdict.unknown("how often workers are switched");
        }
        if (!isSwitching(recent, times.get())) {
            return Verdict.clear();
        }
        TimeBreakdown doing = Limits.recent(window);
        Estimate inIo = doing.workers(Doing.WAITING_OUTSIDE, Doing.SLEEPING);
        double most = OTHERS * Bottlenecks.busyWorkers(window);
        if (inIo.high() + doing.unknown() >= most) {
            return inIo.low() >= most ? Verdict.clear() : Verdict.unknown("whether the workers do I/O of their own");
        }
        return Verdict.found(finding(window, recent, times.get()));
    }

    private static boolean isSuspect(PoolWindow window) {
        ProcessWindow process = window.process();
        return process.cpuShare().isPresent()
                && process.cpuShare().getAsDouble() >= CPU
                && Bottlenecks.busyWorkers(window) > process.cores()
                && systemShare(process) >= window.threshold(SYSTEM);
    }

    private static double systemShare(ProcessWindow process) {
        return process.systemCpu().orElse(0) / Math.max(1e-9, process.cpu().orElse(0));
    }

    private static boolean isSwitching(PoolWindow window, ThreadTimes times) {
        double cpu = Math.max(1e-9, window.process().cpu().orElse(0)) * window.seconds();
        return switches(times) / cpu >= SWITCHES;
    }

    private static double switches(ThreadTimes times) {
        return times.voluntarySwitches() + times.involuntarySwitches();
    }

    private static double perTask(PoolWindow recent, ThreadTimes times) {
        return switches(times) / Math.max(1, recent.completed());
    }

    private static Finding finding(PoolWindow window, PoolWindow recent, ThreadTimes times) {
        int workers = window.after().size();
        Optional<SizeRange> fewer = fewer(window);
        List<Share> yielding = yielding(window);
        String yields = Places.clause(yielding, workers);
        String advice = yields.isEmpty()
                ? "Reduce switching between threads: use an unfair lock, hold locks less often, or combine very small"
                        + " tasks"
                : "Let them wait on a queue or a semaphore instead: threads that yield take CPU time from the threads"
                        + " that they wait for";
        Finding.Builder finding = Finding.of(ID, window)
                .summary(
                        "%s of the CPU time is spent in the kernel, which switches %s times a second between %s"
                                + " (%s%s of them because a thread waited)%s",
                        Units.percent(systemShare(recent.process())),
                        Units.rate(switches(times) / recent.seconds()),
                        Counted.of(workers, "thread"),
                        recent.countsTasks() ? Units.format("%.1f times per task, ", perTask(recent, times)) : "",
                        Units.percent(times.voluntarySwitches() / Math.max(1, switches(times))),
                        yields.isEmpty() ? "" : "; " + yields + " and yield until something has changed")
                .advice("%s", advice)
                .evidence("systemShare", systemShare(recent.process()))
                .evidence("switchesPerSecond", switches(times) / recent.seconds())
                .evidence("voluntarySwitches", times.voluntarySwitches())
                .evidence("involuntarySwitches", times.involuntarySwitches())
                .evidence("workers", workers);
        if (recent.countsTasks()) {
            finding.evidence("switchesPerTask", perTask(recent, times)).evidence("throughput", recent.throughput());
        }
        fewer.ifPresent(
                range -> SizingEvidence.size(finding, range, "Shrink the pool to %d. %s", range.size(), advice));
        Places.add(finding, yielding);
        WaitingWorkers.of(Limits.recent(window), Doing.WAITING_FOR_LOCK).stream()
                .findFirst()
                .ifPresent(group -> Places.add(finding, group.shares()).evidence("lock", LockContention.name(group)));
        return finding.build();
    }

    /** The places at which workers yield until something has changed, if a quarter of the busy ones do. */
    private static List<Share> yielding(PoolWindow window) {
        List<Share> yielding = Limits.recent(window).shares().stream()
                .filter(share -> share.doing() == Doing.COMPUTING || share.doing() == Doing.WAITING_FOR_CPU)
                .filter(share -> UserFrames.yields(share.stack()))
                .toList();
        double workers =
                yielding.stream().mapToDouble(share -> share.workers().value()).sum();
        return workers >= OTHERS * Bottlenecks.busyWorkers(window) ? yielding : List.of();
    }

    /** A smaller size that does as much, where the CPU is the bottleneck. */
    private static Optional<SizeRange> fewer(PoolWindow window) {
        Optional<Sizing> sizing = Sizing.of(window);
        return window.bottleneck() == Bottleneck.LOCK
                        || SizingEvidence.whyNoSize(window, sizing).isPresent()
                ? Optional.empty()
                : sizing.map(Sizing::saturatedRange)
                        .filter(range -> range.high() < window.after().size());
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        return isSuspect(window) ? EnumSet.allOf(Evidence.class) : Set.of();
    }
}
