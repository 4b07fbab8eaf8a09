package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.sizing.Certainty;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.Set;

/**
 * {@code cpu-saturated}: threads queue for the CPU, and fewer of them would do the same. Stateless.
 *
 * <p>Formula: run-queue delay ÷ service time ≥ 0.25, with more than 1.2 busy workers for each CPU, the process itself
 * on at least 60 % of its CPUs, less than 20 % of the time in collections, and a {@link Sizing#saturatedSize()} of at
 * most two thirds of the busy workers, known with more than poor certainty. Window: as far back as the size and the
 * load were alike, at most 10 windows.
 *
 * <p>Thresholds: at the size that reaches 99 % of the ceiling the machine-repairman model has tasks wait for a CPU 43
 * to 18 % of their time on 2 CPUs and 24 to 8 % on 8 (wait from 1 to 30 times the CPU time), so the delay alone cannot
 * tell: it only shows that the CPU is what is waited for. The size tells. Two thirds is a choice: 1.5 times the right
 * size costs no throughput, only service time.
 *
 * <p>Closest healthy workload: a pool of exactly the right size that keeps the CPUs full; its delay may be above the
 * threshold, its recommended size is its own. Next: a pool that is slowed by other processes; its delay is high at any
 * size, and the process has not got 60 % of the CPUs, or others have a quarter.
 */
public final class CpuSaturated extends StandardRule {

    static final String ID = "cpu-saturated";

    static final Threshold DELAY = new Threshold(
            ID + ".delay",
            0.25,
            "share of the service time that is waiting for a CPU, 0 to 1; on 2 CPUs the model has 0.18 to 0.43 at"
                    + " the right size");
    static final Threshold SIZE = new Threshold(
            ID + ".size",
            0.67,
            "recommended size divided by busy workers, above which nothing is said; nobody could tell the difference");

    private static final double CPU_SHARE = 0.6;
    private static final double OTHERS_SHARE = 0.25;
    private static final double GC_SHARE = 0.2; // a storm of collections: not what threads are too many for

    public CpuSaturated() {
        super(ID, DELAY, SIZE);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        if (!isSuspect(window)) {
            return Verdict.clear();
        }
        if (window.workerTimes().isEmpty()) {
            return Verdict.unknown("how long workers wait for a CPU");
        }
        return SizingEvidence.judge(window, sizing -> holds(window, sizing), sizing -> finding(window, sizing));
    }

    private static boolean isSuspect(PoolWindow window) {
        ProcessWindow process = window.process();
        return window.busyWorkers() > 1.2 * process.cores()
                && process.cpuShare().orElse(1) >= CPU_SHARE
                && process.gcTime().toNanos() / 1e9 < GC_SHARE * window.seconds();
    }

    private static boolean holds(PoolWindow window, Sizing sizing) {
        double queueing = sizing.runQueueDelay().orElse(0) / sizing.serviceTime();
        return sizing.certainty() != Certainty.POOR
                && queueing >= window.threshold(DELAY)
                && sizing.otherProcesses() <= OTHERS_SHARE * window.process().cores()
                && sizing.saturatedSize() <= window.threshold(SIZE) * window.busyWorkers();
    }

    private static Finding finding(PoolWindow window, Sizing sizing) {
        int size = sizing.saturatedSize();
        double delay = sizing.runQueueDelay().orElse(0);
        Finding.Builder finding = Finding.of(ID, window)
                .summary(
                        "%s for %s: of %s service time %s is waiting for a CPU, %s is work",
                        Counted.of(sizing.workers(), "thread queues", "threads queue"),
                        Counted.of(Units.count(window.process().cores()), "CPU", "CPUs"),
                        Units.time(sizing.serviceTime()),
                        Units.percent(delay / sizing.serviceTime()),
                        Units.time(sizing.cpuTime()))
                .advice("Shrink the pool to %d; expect %s", size, sizing.change(size))
                .evidence("delayShare", delay / sizing.serviceTime());
        SizingEvidence.add(finding, sizing);
        return SizingEvidence.expect(finding, sizing, size).build();
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        return isSuspect(window) ? Set.of(Evidence.WORKERS) : Set.of();
    }
}
