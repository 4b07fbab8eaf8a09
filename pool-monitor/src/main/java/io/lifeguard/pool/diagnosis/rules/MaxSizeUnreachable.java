package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Thresholds;
import io.lifeguard.pool.diagnosis.sizing.SizeRange;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Finds pools whose maximum size above the core size is never reached, or is of no use. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> There are four cases. A {@code ThreadPoolExecutor} grows beyond its core only when the queue
 * refuses a task, and a queue without a bound never does. A bounded queue does when it is full, and then its tasks wait
 * for capacity × service time ÷ core. In the third case the pool has grown although the CPUs were full: n = cores × (1
 * + Z/C) workers fill them, where C is CPU time and Z is what is neither CPU time nor run-queue delay, so with a core
 * size near n every further worker queues for a CPU. The size to keep is that of {@link Sizing#saturatedSize()},
 * because chance leaves CPUs idle with n; where the pool has no more workers, nothing is said. In the fourth case a
 * pool without a bound explodes: 200 threads or more, four times as many as a minute before. Thousands of virtual
 * threads are normal. An executor with a thread per task whose tasks have no known CPU time has virtual threads.
 *
 * <p><b>Window.</b> The latest; the last 2 s for the third case, where more workers are busy than the core size and
 * than there are CPUs. The other cases need a pool that wants more workers: tasks wait, and all workers are busy.
 * Workers' times are asked for when a pool has grown and the process uses 90 % of its CPUs.
 *
 * <p><b>Thresholds.</b> After a wait of 10 s in a full queue most callers have given up: 30 s is the longest usual
 * time-out, and the queue is only part of the way. CPUs 95 % full and a core size of 0.8 n are what a measurement of a
 * second can tell.
 *
 * <p><b>Closest healthy workload.</b> A pool with a short queue that has grown under a load that waits for something
 * outside. And a scheduled pool, whose maximum is not meant to be reached: such pools never have more threads than
 * their core size.
 */
public final class MaxSizeUnreachable extends StandardRule {

    static final String ID = "max-size-unreachable";

    static final Threshold WAIT = new Threshold(
            ID + ".wait",
            10,
            "seconds that tasks in the queue must wait before it is full and the pool grows; most callers have"
                    + " given up by then");
    private static final double CPU = 0.95; // share of the CPUs that is in use; as good as full

    static final Threshold EXPLODED = new Threshold(
            ID + ".exploded",
            200,
            "threads of a pool without a bound that has grown to four times its size in a minute; Tomcat's default"
                    + " is as many for a whole server");

    /** How many times the size of a minute before such a pool has; a judgement. */
    private static final double EXPLOSION = 4;

    /** Core size, as a share of the workers that fill the CPUs, 0 to 1; what a measurement of a second can tell. */
    private static final double ENOUGH = 0.8;

    private static final double BUSY = 0.95; // share of the workers that are busy, 0 to 1; the rest is changing tasks

    /** Error of a difference of times from three clocks, as a share of the largest, 0 to 1; measured. */
    private static final double ERROR = 0.05;

    private static final Verdict VIRTUAL =
            Verdict.unknown("whether its threads are virtual, of which thousands are normal");

    private static final Duration RECENT = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration MINUTE = Duration.ofSeconds(60);

    public MaxSizeUnreachable() {
        super(ID, WAIT, EXPLODED);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        if (!window.countsQueue()) {
            return UNKNOWN_QUEUE;
        }
        PoolSnapshot.Limits limits = window.after().limits();
        if (limits.maximumSize() <= limits.coreSize() || window.state() != PoolState.RUNNING) {
            return Verdict.clear();
        }
        if (limits.maximumSize() == Integer.MAX_VALUE) {
            return explodes(window, limits);
        }
        int size = window.after().size();
        if (size > Math.max(1, limits.coreSize())) {
            return Limits.otherThan(window, Bottleneck.CPU).orElseGet(() -> grownInVain(window, limits));
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
        double wait = window.queueCapacity() * window.last(LONG).serviceTime().meanSeconds() / Math.max(1, size);
        return wait >= window.threshold(WAIT) ? Verdict.found(growsTooLate(window, limits, wait)) : Verdict.clear();
    }

    private static Finding neverGrows(PoolWindow window, PoolSnapshot.Limits limits) {
        return start(window, limits)
                .summary(
                        "the pool will never have more than %s: it would grow to %d only when its queue is full,"
                                + " and that has no bound; %s",
                        Counted.of(Math.max(1, limits.coreSize()), "worker"),
                        limits.maximumSize(),
                        Counted.of(window.after().queued(), "task waits", "tasks wait"))
                .changesSize()
                .advice("%s", oneSize(window, limits))
                .build();
    }

    private static Finding growsTooLate(PoolWindow window, PoolSnapshot.Limits limits, double wait) {
        return start(window, limits)
                .summary(
                        "the pool stays at %s although %d are allowed: it grows when %s, and by then %s %s (now %s)",
                        Counted.of(window.after().size(), "worker"),
                        limits.maximumSize(),
                        Counted.of(window.queueCapacity(), "task waits", "tasks wait"),
                        window.queueCapacity() == 1 ? "it waits" : "they wait",
                        Units.time(wait),
                        Counted.of(window.after().queued(), "does", "do"))
                .changesSize()
                .advice("%s", oneSize(window, limits))
                .evidence("secondsToWaitWhenFull", wait)
                .build();
    }

    /** Growing is no advice where something else than the number of workers limits the pool. */
    private static String oneSize(PoolWindow window, PoolSnapshot.Limits limits) {
        int core = Math.max(1, limits.coreSize());
        boolean mayGrow = switch (window.bottleneck()) {
            case OUTSIDE, NONE, UNKNOWN -> true;
            default -> false;
        };
        return mayGrow
                ? Units.format(
                        "Decide on one size between %d and %d; core and maximum are the same then.",
                        core, limits.maximumSize())
                : Units.format(
                        "Decide on one size; core and maximum are the same then. More than the present %d would not"
                                + " help now.",
                        core);
    }

    private static Verdict grownInVain(PoolWindow latest, PoolSnapshot.Limits limits) {
        PoolWindow window = latest.last(RECENT);
        boolean isBusy = window.busyWorkers() > limits.coreSize()
                && window.busyWorkers() > window.process().cores();
        if (!isBusy) {
            return Verdict.clear();
        }
        OptionalDouble used = cpusInUse(window);
        if (used.isEmpty()) {
            return Verdict.unknown("how much of the CPUs is in use");
        }
        if (used.getAsDouble() < CPU) {
            return Verdict.clear();
        }
        ThreadTimes times = window.workerTimes().orElse(null);
        if (times == null || times.cpu().isZero()) {
            return Verdict.unknown("how long workers wait for a CPU");
        }
        double cpu = times.cpu().toNanos() / 1e9;
        double delay = times.runQueueDelay().toNanos() / 1e9;
        double wall = window.busyWorkers() * window.seconds();
        double error = ERROR;
        double outside = wall - cpu - delay < error * wall ? 0 : wall - cpu - delay;
        double enough = window.process().cores() * (1 + outside / cpu);
        // as many as fill the CPUs on paper leave up to 15 % of them idle, since tasks come and go by chance
        SizeRange range = Sizing.saturatedRange(
                window.process(), outside / cpu * (1 - error), outside / cpu, outside / cpu * (1 + error));
        if (limits.coreSize() < ENOUGH * enough
                || range.high() >= window.after().size()) {
            return Verdict.clear();
        }
        Finding.Builder finding = start(window, limits)
                .summary(
                        "the pool has grown from %d to %s, but %s of the CPUs are in use and %s them: the others"
                                + " only queue for a CPU (%s of their time)",
                        limits.coreSize(),
                        Counted.of(window.after().size(), "worker"),
                        Units.percent(used.getAsDouble()),
                        Counted.of(Units.rate(enough), "worker fills", "workers fill"),
                        Units.percent(delay / (cpu + delay + outside)))
                .evidence("cpuShare", used.getAsDouble())
                .evidence("workersThatFillTheCpus", enough)
                .evidence("runQueueDelaySeconds", delay);
        finding.changesSize()
                .advice("Make it static: core = maximum. The same throughput, and each task takes less time.");
        Optional<String> why = Sizing.whyNone(latest);
        return Verdict.found(
                why.isPresent()
                        ? SizingEvidence.noSize(finding, why.get()).build()
                        : SizingEvidence.size(
                                        finding,
                                        range,
                                        "Make it static: core = maximum = %s. At least the same throughput, and each"
                                                + " task takes less time.",
                                        SizingEvidence.text(range, Sizing.sharing(latest)))
                                .build());
    }

    private static Verdict explodes(PoolWindow window, PoolSnapshot.Limits limits) {
        PoolWindow recent = window.last(MINUTE);
        int size = window.after().size();
        int before = recent.before().size();
        boolean isLarge = size >= window.threshold(EXPLODED) && size > limits.coreSize();
        boolean hasGrown = size >= EXPLOSION * Math.max(1, Math.max(before, limits.coreSize()));
        if (!isLarge || !hasGrown) {
            return Verdict.clear();
        }
        if (window.isMeasured()
                && window.workers().isEmpty()
                && !window.after().cpuTime().isKnown()) {
            return VIRTUAL;
        }
        TimeBreakdown times = window.last(RECENT).breakdown();
        List<Share> notIdle = new ArrayList<>(times.shares());
        notIdle.removeIf(share -> share.doing() == Doing.IDLE);
        String places = Places.clause(notIdle, size);
        Finding.Builder finding = start(window, limits)
                .summary(
                        "the pool has no bound, and has grown from %d to %s in %s%s",
                        before,
                        Counted.of(size, "thread"),
                        Units.time(recent.length()),
                        places.isEmpty() ? "" : "; " + places)
                .advice("Bound it: a fixed size and a queue of limited length, in which submitters wait"
                        + " (BlockingWaitPolicy). A burst of slow tasks otherwise takes one thread each, until memory"
                        + " or the system's limit ends it.")
                .evidence("sizeBefore", before)
                .evidence("busyWorkers", window.busyWorkers());
        return Verdict.found(Places.add(finding, notIdle).build());
    }

    /** By this process or by others: those that others use are not to be had. Empty where nothing is known. */
    private static OptionalDouble cpusInUse(PoolWindow window) {
        OptionalDouble own = window.process().cpuShare();
        OptionalDouble all = window.process().machineBusy();
        if (own.isEmpty()) {
            return all;
        }
        return OptionalDouble.of(Math.max(own.getAsDouble(), all.orElse(0)));
    }

    private static Finding.Builder start(PoolWindow window, PoolSnapshot.Limits limits) {
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
        boolean full = cpusInUse(window).orElse(1) >= Thresholds.CPU_FULL; // unknown: it may be
        return grown && full ? Set.of(Evidence.WORKERS) : Set.of();
    }
}
