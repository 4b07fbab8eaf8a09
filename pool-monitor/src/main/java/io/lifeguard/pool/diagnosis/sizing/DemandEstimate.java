package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.diagnosis.bottleneck.LockStation;
import io.lifeguard.pool.diagnosis.bottleneck.Standstill;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.Span;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Estimates what one task of a window asked for, and how much of that was measured. Not thread-safe; used once.
 *
 * <p>A time per task is the sum over the window divided by the tasks completed in it. Wall time is that of busy
 * workers, so tasks that have not ended count as well. The wait outside is the rest of wall time after CPU time,
 * run-queue delay and waits for locks.
 */
final class DemandEstimate {

    /** 16 tasks: with fewer, the standard error of the mean exceeds a quarter even for exponential times. */
    static final int FEWEST_TASKS = 16;

    /**
     * CPUs that the JVM's own threads and an idle program use. Measured: 0.03 to 0.04, beside single workers and beside
     * pools that only compute.
     */
    private static final double BACKGROUND = 0.03;

    /**
     * How long, in seconds, a thread keeps its CPU although others want it. Linux gives out slices of 0.7 to 3 ms,
     * longer ones on more CPUs. It checks at each tick of 1 to 4 ms whether a slice has ended (kernel/sched/fair.c).
     */
    private static final double SLICE = 0.004;

    /**
     * The variability of CPU times of which one in a thousand is a hundred times as long. So few tasks cannot show
     * more.
     */
    private static final double MOST_VARIABILITY = 6;

    /** Error of the difference, as a share of wall time: its three parts come from different clocks, with 1 % each. */
    private static final double ERROR = 0.03;

    /** A wait for a lock that a quarter of the workers may have had would change the size. */
    private static final double MOST_UNKNOWN = 0.25;

    /** {@code ∫dx / x} over the times between two powers of two, whose logarithms are taken as evenly spread. */
    private static final double LN_2 = Math.log(2);

    /** Mean of the squares of those times, by the square of the lower power of two and {@link #LN_2}. */
    private static final double MEAN_SQUARE = 1.5;

    /** The lower power of two of the shortest times that are told apart, in nanoseconds: reading a clock takes 30. */
    private static final long SHORTEST_NANOS = 64;

    /** Tasks: with so many, the mean of exponential times has a standard error of 10 %. */
    private static final int MANY_TASKS = 100;

    /**
     * Tasks of each busy worker, from which on tasks are short. The pool's own account then leaves out a fifth of the
     * CPU time at most: that of tasks under way at the end of the window.
     */
    private static final int SHORT_TASKS = 5;

    /** Share of the window for which the machine stood still: service times are too long by as much. */
    private static final double MOST_LATE = 0.1;

    /**
     * CPU time of other threads by that of the task, below which they work beside the task. A judgement: no collector
     * of a healthy program takes more. From twice as much on, the task waits for them; between, it does so in part.
     */
    private static final double BESIDE = 0.25;

    /**
     * Threads of other processes by CPU that want a CPU at once, at most. A judgement: on a machine with more, nothing
     * is done in time. Linux gives runnable threads of one priority equal time
     * (Documentation/scheduler/sched-eevdf.rst).
     */
    private static final double MOST_RIVALS = 16;

    /** Halvings of an interval: the wait is found to a billionth of the service time. */
    private static final int HALVINGS = 30;

    /** Seconds for which a lock is held at least: the model does not take a task that asks for nothing. */
    private static final double HARDLY_ANY_LOCK = 1e-9;

    /** CPUs at least: the model divides by them. */
    private static final double HARDLY_ANY_CPU = 1e-3;

    /** The lowest of fewer windows is no better than their mean. */
    private static final int FEWEST_CALM = 3;

    /** With 30, a wait of no worker has an error of 3 % of the workers. */
    private static final int FEWEST_STACKS = 30;

    /** Waits that other workers do not lengthen. A line is as long as there are workers too many, so it is none. */
    private static final Doing[] WAITS = {Doing.WAITING_OUTSIDE, Doing.SLEEPING, Doing.WAITING_FOR_RESULT};

    private final PoolWindow window;
    private final List<PoolWindow> parts;
    private final double tasks;
    private final double busy;
    private final List<String> doubts = new ArrayList<>();
    private Certainty certainty = Certainty.GOOD;

    final double wall;
    double cpu;
    private double helpers; // CPU time of other threads of the process, per task
    OptionalDouble delay = OptionalDouble.empty();
    double lockWait;
    private double lock;
    private boolean isRestUnseen;
    private double unseenRest;
    double cores;
    double otherProcesses;

    private DemandEstimate(PoolWindow window, List<PoolWindow> parts) {
        this.window = window;
        this.parts = parts;
        this.tasks = window.completed();
        this.busy = Standstill.busyIn(window);
        this.wall = busy * window.seconds() / tasks;
    }

    /**
     * {@return the estimate; empty when too few tasks ended, or nothing is known of their CPU time}
     *
     * @param window all windows that are used, as one
     * @param parts the same windows one by one
     */
    static Optional<DemandEstimate> of(PoolWindow window, List<PoolWindow> parts) {
        if (window.completed() < FEWEST_TASKS) {
            return Optional.empty();
        }
        DemandEstimate estimate = new DemandEstimate(window, parts);
        return estimate.busy > 0 && estimate.measure() ? Optional.of(estimate) : Optional.empty();
    }

    private boolean measure() {
        if (tasks < MANY_TASKS) {
            doubt(Certainty.FAIR, "only " + Counted.of(Math.round(tasks), "task was", "tasks were") + " seen");
        }
        OptionalDouble measured = cpuOfTasks();
        if (measured.isEmpty()) {
            return false;
        }
        cpu = Math.min(wall, measured.getAsDouble());
        measureCores();
        measureLock();
        Duration late = window.process().late();
        if (late.toNanos() / 1e9 > MOST_LATE * window.seconds()) {
            doubt(Certainty.FAIR, "the machine stood still for " + Units.time(late));
        }
        Optional<ThreadTimes> system = window.workerTimes();
        if (system.isPresent()) {
            double measuredDelay = delayOfTasks(window, system.get()) / tasks;
            delay = OptionalDouble.of(Math.min(measuredDelay, wall - cpu));
        } else {
            doubt(Certainty.FAIR, "how long threads wait for a CPU is unknown here, and was calculated");
        }
        return true;
    }

    /**
     * {@return how many seconds workers waited for a CPU while they had a task}
     *
     * <p>An idle worker that is woken counts as idle until it has a CPU, but the system counts its wait. So of the wait
     * of all workers the idle ones have as much as of their time, and at most one wait for each task. Measured: 70 of
     * 96 workers busy on 2 CPUs, because the submitter waited for a CPU as well. All waits were 25.5 ms per task, which
     * took 26.9 ms, and it seemed to do nothing but compute.
     */
    private static double delayOfTasks(PoolWindow window, ThreadTimes times) {
        double workers = (window.before().size() + window.after().size()) / 2.0;
        double idle = workers == 0 ? 0 : Math.max(0, 1 - Standstill.busyIn(window) / workers);
        double waits = (double) times.voluntarySwitches() + times.involuntarySwitches();
        double wakes = window.completed() / Math.max(1, waits);
        return times.runQueueDelay().toNanos() / 1e9 * (1 - Math.min(1, Math.min(idle, wakes)));
    }

    /**
     * CPU time per task. For short tasks the pool's own account is better, because it leaves out what workers burn
     * between tasks. Otherwise the system's account is better.
     */
    private OptionalDouble cpuOfTasks() {
        Optional<Span> own = window.cpuTime();
        Optional<ThreadTimes> system = window.workerTimes();
        boolean areShort = tasks >= SHORT_TASKS * busy;
        if (own.isPresent() && (areShort || system.isEmpty())) {
            return OptionalDouble.of(own.get().seconds() / tasks);
        }
        if (system.isPresent()) {
            return OptionalDouble.of(system.get().cpu().toNanos() / 1e9 / tasks);
        }
        OptionalDouble process = window.process().cpu();
        if (process.isEmpty()) {
            return process;
        }
        doubt(Certainty.POOR, "the CPU time of tasks is unknown here; that of the process was used");
        return OptionalDouble.of(process.getAsDouble() * window.seconds() / tasks);
    }

    /**
     * CPU time that other threads of this process burn for the sake of tasks grows with the tasks. What other
     * processes, an idle virtual machine and its compilers burn does not.
     */
    private void measureCores() {
        ProcessWindow process = window.process();
        cores = process.cores();
        if (process.cpu().isEmpty()) {
            doubt(Certainty.FAIR, "it is unknown here what else uses the CPUs");
            return;
        }
        double used = process.cpu().getAsDouble();
        otherProcesses = ProcessCpus.others(process);
        double own = cpu * tasks / window.seconds();
        double others = Math.max(0, used - own);
        // compilers finish their work one day, so it is no part of what tasks need
        double compilers = Math.min(others, process.compilerCpu().orElse(0));
        if (compilers > Samples.WORTH_SAYING * process.cores()) {
            doubt(
                    Certainty.FAIR,
                    "the JVM was compiling, on " + Units.fixed(compilers, 1) + " of " + Units.fixed(process.cores(), 1)
                            + " CPUs");
        }
        others -= compilers;
        if (window.isSaturated()) {
            double background = Math.min(BACKGROUND, others);
            helpers = (others - background) * window.seconds() / tasks;
            cores = Math.min(cores, Math.max(used, cores - otherProcesses)) - background;
        } else {
            cores = Math.max(own, cores - otherProcesses - others);
        }
        cores = Math.max(ProcessCpus.LEAST, cores);
        if (otherProcesses > Samples.WORTH_SAYING * process.cores()) {
            doubt(
                    Certainty.FAIR,
                    "other processes use " + Units.fixed(otherProcesses, 1) + " of " + Units.fixed(process.cores(), 1)
                            + " CPUs");
        }
    }

    /** Measures the lock with most waiters, see {@link LockStation}. */
    private void measureLock() {
        TimeBreakdown times = window.breakdown();
        Estimate waiting = times.workers(Doing.WAITING_FOR_LOCK);
        if (times.unknown() > MOST_UNKNOWN * busy) {
            doubt(
                    Certainty.FAIR,
                    "it is unknown what " + Units.percent(Math.min(1, times.unknown() / busy))
                            + " of the workers wait for");
        }
        if (waiting.value() == 0) {
            return;
        }
        double throughput = window.throughput();
        lockWait = Math.min(waiting.value() / throughput, wall - cpu);
        Optional<LockStation> station = LockStation.of(window, busy);
        lock = station.isPresent() ? Math.min(wall - lockWait, station.get().busy() / throughput) : 0;
    }

    Demand demand(double growth) {
        return demand(delay.isPresent() ? outside(delay.getAsDouble()) : outsideWithoutDelay(growth), growth);
    }

    /**
     * Wall time without CPU, run-queue delay and locks.
     *
     * <p>Other threads of the process may do much of the work while a task waits for them. They queue for a CPU as
     * well, and the scheduler shares CPUs fairly. So each unit of their work waits as long as the task does for its
     * own. A collector or a feeder works beside the task and burns less than a quarter of its CPU time. The result is a
     * difference of large numbers, and counts as 0 when it is smaller than their error.
     */
    private double outside(double ownDelay) {
        double all = ownDelay > cpu ? leastRest().orElse(wall - cpu - ownDelay) : wall - cpu - ownDelay;
        double rest = Math.max(0, all - lockWait);
        if (ownDelay > cpu) {
            OptionalDouble seen = seenWaiting();
            rest = Math.min(rest, seen.orElse(rest));
            isRestUnseen = seen.isEmpty() && rest > cpu;
            if (isRestUnseen) {
                unseenRest = rest;
                rest *= waitsPerTask();
            }
        }
        if (rest < ERROR * wall) {
            return 0;
        }
        double ratio = cpu == 0 ? 0 : helpers / cpu;
        double isService = Math.max(0, Math.min(1, (ratio - BESIDE) / BESIDE));
        return Math.max(Math.min(rest, helpers), rest - isService * Math.min(1, ratio) * ownDelay);
    }

    /**
     * {@return how long a task waits for anything but CPUs, locks and lines, by stacks, and one standard error more;
     * empty with fewer than {@value #FEWEST_STACKS} stacks}
     *
     * <p>Where threads queue for the CPUs, the rest of wall time is not only what tasks wait for: all workers stand
     * still while the collector works, and until the last of them has had a CPU to stop. No stack shows a wait then.
     */
    private OptionalDouble seenWaiting() {
        double stacks = 0;
        double waiting = 0;
        double workers = 0;
        for (PoolWindow part : parts) {
            TimeBreakdown times = part.breakdown();
            stacks += times.stacks();
            workers += times.stacks() * times.workers();
            waiting += times.stacks() * times.workers(WAITS).value();
        }
        if (stacks < FEWEST_STACKS) {
            return OptionalDouble.empty();
        }
        double all = workers / stacks;
        double share = all == 0 ? 0 : Math.min(1, waiting / stacks / all);
        Estimate seen = Estimate.ofSample(share * stacks, stacks, all);
        return OptionalDouble.of((seen.value() + seen.error()) / window.throughput());
    }

    /**
     * {@return how often a task gave its CPU up of its own accord, at most 1; 1 where the system does not say}
     *
     * <p>Whoever waits does so at least once. Measured: 64 workers that only hash gave up the CPU for one task in 25,
     * for collections and safepoints, and their rest was 6 ms in 33 ms.
     */
    private double waitsPerTask() {
        Optional<ThreadTimes> times = window.workerTimes();
        return times.isPresent() ? Math.min(1, times.get().voluntarySwitches() / tasks) : 1;
    }

    /** {@return the longest wait outside that is possible, while most of the rest was neither measured nor seen} */
    double unseenRest() {
        return unseenRest;
    }

    /** {@return whether most of what a task does beside computing was neither measured nor seen} */
    boolean isRestUnseen() {
        return isRestUnseen;
    }

    /**
     * {@return wall time without CPU and run-queue delay, as the lower quartile of the windows; empty when too few
     * windows have enough tasks for a mean}
     *
     * <p>Where threads queue for the CPU, a collection lets all workers sleep for much longer than it takes. Workers
     * that stop early wait until the last one has had a CPU to stop, too, or to release a lock of the JVM. Whatever
     * answers them in this process waits for a CPU as well. Measured: 64 workers on 2 CPUs waited 2.0 ms for something
     * outside. It looked like 5.5 ms in windows with a collection, and like 2.1 ms in the others. Collections only add
     * time, and far more than windows differ by chance.
     */
    private OptionalDouble leastRest() {
        List<Double> rests = new ArrayList<>();
        for (PoolWindow part : parts) {
            if (part.completed() >= MANY_TASKS && part.workerTimes().isPresent()) {
                ThreadTimes times = part.workerTimes().get();
                double inside = times.cpu().toNanos() / 1e9 + delayOfTasks(part, times);
                rests.add((Standstill.busyIn(part) * part.seconds() - inside) / part.completed());
            }
        }
        Collections.sort(rests);
        return rests.size() < FEWEST_CALM
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.max(0, rests.get((rests.size() - 1) / 4)));
    }

    /*
     * The lock is held while computing or while waiting, in proportion. So its station takes its part from both. Other
     * threads of the process work for a task while it waits (a service in the same process), or beside it (a
     * collector). The CPU's station gets their work too, and the wait gets shorter by as much, down to 0. The ceiling
     * is right either way, and so is the service time of a single worker.
     */
    private Demand demand(double outside, double growth) {
        double alone = cpu + outside;
        double share = alone == 0 ? 0 : Math.max(0, 1 - Math.min(lock, alone) / alone);
        double computing = cpu * share;
        double waiting = outside * share;
        double all = computing + helpers;
        double station = Math.min(all, computing + waiting);
        double effective = all == 0 ? cores : cores * station / all;
        double concurrency = Math.max(1, window.throughput() * waiting);
        double held = alone == 0 ? Math.max(lock, HARDLY_ANY_LOCK) : Math.min(lock, alone);
        return new Demand(
                station, computing + waiting - station, held, Math.max(HARDLY_ANY_CPU, effective), growth, concurrency);
    }

    /**
     * {@return the longest wait outside with which the model still gives the measured wall time; but no less than other
     * processes leave}
     *
     * <p>The model takes the CPUs that others use for lost. Where others use nearly all, it takes every wait for one of
     * a CPU. But a process that uses little beside others has few threads that want a CPU, because these would get as
     * much as each thread of the others.
     */
    private double outsideWithoutDelay(double growth) {
        int size = (int) Math.max(1, Math.min(ServiceCurve.LARGEST_SIZE, Math.round(busy)));
        double low = 0;
        double high = Math.max(0, wall - cpu - lockWait);
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            boolean isPossible =
                    ServiceCurve.of(demand(middle, growth)).at(size).serviceTime() <= wall;
            low = isPossible ? middle : low;
            high = isPossible ? high : middle;
        }
        if (cpuShare() > Samples.FULL) {
            doubt(Certainty.POOR, "while the CPUs are busy, waiting for them looks like waiting outside");
        }
        return Math.max(low, wall - lockWait - Math.max(cpu, mostAtCpus()));
    }

    /**
     * {@return how long a task has or wants a CPU at most, in seconds, by what other processes use; infinite if they
     * use none, or if it is unknown what this process uses}
     */
    private double mostAtCpus() {
        ProcessWindow process = window.process();
        if (otherProcesses == 0 || process.cpu().isEmpty() || window.throughput() <= 0) {
            return Double.POSITIVE_INFINITY;
        }
        double wanting = MOST_RIVALS * process.cores() * process.cpu().getAsDouble() / otherProcesses;
        return wanting / window.throughput();
    }

    /**
     * {@return how much longer the queue for the CPU is than that of exponential CPU times}
     *
     * <p>A task that comes meets another one in proportion to its length S (the inspection paradox). It waits for half
     * of the time for which that one may keep its CPU: E[S · min(S, slice)] / 2E[S]. With exponential times shorter
     * than slices that is E[S]. Work in tasks longer than slices is shared, and counts as exponential. The histogram of
     * CPU times places each time somewhere between two powers of two.
     */
    double variability() {
        Distribution before = window.before().cpuTime();
        Distribution after = window.after().cpuTime();
        if (!before.isKnown() || !after.isKnown()) {
            return 1;
        }
        Distribution times = after.since(before);
        double sum = 0;
        double held = 0;
        double shared = 0;
        long below = 0;
        for (long bound = SHORTEST_NANOS; below < times.count() && bound < Long.MAX_VALUE / 4; bound *= 2) {
            long all = Math.min(times.count(), times.countBelow(Duration.ofNanos(2 * bound)));
            double here = Math.max(0, all - below);
            below = Math.max(below, all);
            double low = bound / 1e9;
            sum += here * low / LN_2;
            held += here * low * (low < SLICE ? MEAN_SQUARE * low : SLICE) / LN_2;
            shared += low < SLICE ? 0 : here * low / LN_2;
        }
        if (below < MANY_TASKS) {
            return 1;
        }
        double inTurn = held * below / (2 * sum * sum);
        double all = inTurn + Math.max(0, 1 - inTurn) * shared / sum;
        return Math.max(ServiceCurve.LEAST_VARIABILITY, Math.min(MOST_VARIABILITY, all));
    }

    private double cpuShare() {
        return (cpu + helpers) * tasks / window.seconds() / cores;
    }

    private void doubt(Certainty most, String why) {
        doubts.add(why);
        certainty = most.compareTo(certainty) > 0 ? most : certainty;
    }

    List<String> doubts() {
        return List.copyOf(doubts);
    }

    Certainty certainty() {
        return certainty;
    }
}
