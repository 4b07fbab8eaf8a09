package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.sizing.Demand;
import io.lifeguard.pool.diagnosis.sizing.ServiceCurve;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.Set;

/**
 * A maximum size above the core size that does not do what was hoped for: it cannot be reached, or reaching it is of no
 * use. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> A {@code ThreadPoolExecutor} grows beyond its core only when the queue refuses a task. A queue
 * without a bound never does. A bounded one does when it is full, and then the tasks in it wait capacity × service time
 * ÷ core. The third case is a pool that has grown although the CPUs were full before: n = cores × (1 + Z/C) workers
 * fill them, where C is CPU time and Z what is neither CPU time nor run-queue delay; a core size of n or more makes
 * every further worker queue for the CPU. The size to keep is not n, with which chance leaves CPUs idle, but that of
 * {@link Sizing#saturatedSize()}; where the pool has no more, nothing is said.
 *
 * <p><b>Window.</b> The latest; the latest four for the third case, where more workers are busy than the core and than
 * there are CPUs. The others are said only of a pool that needs more workers: tasks wait, and all workers are busy.
 * Workers' times are asked for when a pool has grown and the process uses 90 % of its CPUs.
 *
 * <p><b>Thresholds.</b> A wait of 10 s in a full queue, at which most callers have given up (30 s is the longest usual
 * time-out, and there is more on the way than a queue). CPUs 95 % full, a core size of 0.8 n: what a measurement of one
 * second can tell.
 *
 * <p><b>Closest healthy workload.</b> A pool with a short queue that has grown under a load that waits for something
 * outside. And a scheduled pool, whose maximum is not meant to be reached: it is left out, with every other one of
 * {@code Integer.MAX_VALUE} threads.
 */
public final class MaxSizeUnreachable extends StandardRule {

    static final String ID = "max-size-unreachable";

    static final Threshold WAIT = new Threshold(
            ID + ".wait",
            10,
            "seconds that tasks in the queue must wait before it is full and the pool grows; most callers have"
                    + " given up by then");
    static final Threshold CPU = new Threshold(ID + ".cpu", 0.95, "share of the CPUs that is in use; as good as full");

    private static final double NEARLY_ENOUGH = 0.8;
    private static final double BUSY = 0.95;
    private static final double ERROR = 0.05; // of a difference of times from three clocks, as a share of the largest
    private static final int RECENT = 4;

    public MaxSizeUnreachable() {
        super(ID, WAIT, CPU);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        Limits limits = window.after().limits();
        if (limits.maximumSize() <= limits.coreSize()
                || limits.maximumSize() == Integer.MAX_VALUE
                || window.state() != PoolState.RUNNING) {
            return Verdict.clear();
        }
        int size = window.after().size();
        if (size > Math.max(1, limits.coreSize())) {
            return grownInVain(window.last(RECENT), limits);
        }
        if (window.utilisation() < BUSY
                || window.before().queued() == 0
                || window.after().queued() == 0) {
            return Verdict.clear();
        }
        if (window.isQueueUnbounded()) {
            return Verdict.found(neverGrows(window, limits));
        }
        if (!window.isMeasured()) {
            return UNMEASURED;
        }
        double wait = window.queueCapacity() * window.last(10).serviceTime().meanSeconds() / Math.max(1, size);
        return wait >= window.threshold(WAIT) ? Verdict.found(growsTooLate(window, limits, wait)) : Verdict.clear();
    }

    private static Finding neverGrows(PoolWindow window, Limits limits) {
        return start(window, limits)
                .summary(
                        "the pool will never have more than %s: it would grow to %d only when its queue is full,"
                                + " and that has no bound; %s",
                        Counted.of(Math.max(1, limits.coreSize()), "worker"),
                        limits.maximumSize(),
                        Counted.of(window.after().queued(), "task waits", "tasks wait"))
                .advice(
                        "Decide on one size: size(n) with n between %d and %d; core and maximum are the same then.",
                        Math.max(1, limits.coreSize()), limits.maximumSize())
                .build();
    }

    private static Finding growsTooLate(PoolWindow window, Limits limits, double wait) {
        return start(window, limits)
                .summary(
                        "the pool stays at %s although %d are allowed: it grows when %s, and by then %s %s (now %s)",
                        Counted.of(window.after().size(), "worker"),
                        limits.maximumSize(),
                        Counted.of(window.queueCapacity(), "task waits", "tasks wait"),
                        window.queueCapacity() == 1 ? "it waits" : "they wait",
                        Units.time(wait),
                        Counted.of(window.after().queued(), "does", "do"))
                .advice(
                        "Decide on one size: size(n) with n between %d and %d; core and maximum are the same then."
                                + " Or make the queue much shorter.",
                        Math.max(1, limits.coreSize()), limits.maximumSize())
                .evidence("secondsToWaitWhenFull", wait)
                .build();
    }

    private static Verdict grownInVain(PoolWindow window, Limits limits) {
        ThreadTimes times = window.workerTimes().orElse(null);
        double used = cpusInUse(window);
        boolean isBusy = window.busyWorkers() > limits.coreSize()
                && window.busyWorkers() > window.process().cores();
        if (used < window.threshold(CPU) || !isBusy) {
            return Verdict.clear();
        }
        if (times == null || times.cpu().isZero()) {
            return Verdict.unknown("how long workers wait for a CPU");
        }
        double cpu = times.cpu().toNanos() / 1e9;
        double delay = times.runQueueDelay().toNanos() / 1e9;
        double wall = window.busyWorkers() * window.seconds();
        double outside = wall - cpu - delay < ERROR * wall ? 0 : wall - cpu - delay;
        double enough = window.process().cores() * (1 + outside / cpu);
        int size = staticSize(cpu, outside, window.process().cores());
        if (limits.coreSize() < NEARLY_ENOUGH * enough || size >= window.after().size()) {
            return Verdict.clear();
        }
        return Verdict.found(start(window, limits)
                .summary(
                        "the pool has grown from %d to %s, but %s of the CPUs are in use and %s them: the others"
                                + " only queue for a CPU (%s of their time)",
                        limits.coreSize(),
                        Counted.of(window.after().size(), "worker"),
                        Units.percent(used),
                        Counted.of(Units.rate(enough), "worker fills", "workers fill"),
                        Units.percent(delay / (cpu + delay + outside)))
                .advice(
                        "Make it static: core = maximum = %d. The same throughput, and each task takes less time.",
                        size)
                .evidence("cpuShare", used)
                .evidence("workersThatFillTheCpus", enough)
                .evidence("runQueueDelaySeconds", delay)
                .recommendedSize(size)
                .build());
    }

    /** As many as fill the CPUs on paper leave up to 15 % of them idle, since tasks come and go by chance. */
    private static int staticSize(double cpu, double outside, double cores) {
        return Sizing.saturatedSize(ServiceCurve.of(Demand.of(cpu, outside, cores)));
    }

    /** By this process or by others: those that others use are not to be had. */
    private static double cpusInUse(PoolWindow window) {
        return Math.max(
                window.process().cpuShare().orElse(0),
                window.process().machineBusy().orElse(0));
    }

    private static Finding.Builder start(PoolWindow window, Limits limits) {
        return Finding.of(ID, window)
                .evidence("size", window.after().size())
                .evidence("coreSize", limits.coreSize())
                .evidence("maximumSize", limits.maximumSize())
                .evidence("queued", window.after().queued())
                .evidence("queueCapacity", window.isQueueUnbounded() ? "unbounded" : (Object) window.queueCapacity());
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        boolean grown =
                window.after().size() > Math.max(1, window.after().limits().coreSize());
        boolean full = cpusInUse(window) >= 0.9;
        return grown && full ? Set.of(Evidence.WORKERS) : Set.of();
    }
}
