package io.lifeguard.pool.diagnosis.testing;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.RejectionReason;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Says what happened in a window, for tests of rules. One object describes one window, by what a person would say of it
 * (rates and means); what was not said is that of a healthy pool: 4 workers, 2 busy, 100 tasks of 20 ms in a second,
 * nothing queued, nothing known of the system. Not thread-safe.
 */
public final class Windows {

    private final String pool;
    private double seconds = 1;
    private int core = 4;
    private int maximum = 4;
    private int size = 4;
    private int sizeBefore = -1; // as many as after
    private double busy = 2;
    private double there = 1;
    private long submitted = 100;
    private long completed = 100;
    private long failed;
    private long rejected;
    private long callerRuns;
    private double callerRunSeconds;
    private long leftToHandler;
    private long blockedSubmits;
    private double blockedSeconds;
    private int queuedBefore;
    private int queuedAfter;
    private int capacity = 1024;
    private int blockedBefore;
    private int blockedAfter;
    private double oldestQueued;
    private double serviceMean = 0.02;
    private double cpuMean = -1;
    private double longShare;
    private double longCpu;
    private double waitMean;
    private Optional<ThreadTimes> times = Optional.empty();
    private List<WorkerWindow> workers = List.of();
    private List<PoolSnapshot.Caller> callers = List.of();
    private List<String> cycles = List.of();
    private long cyclesBroken;
    private List<PoolSnapshot.EventLoop> eventLoopsBefore = List.of();
    private List<PoolSnapshot.EventLoop> eventLoops = List.of();
    private List<PoolSnapshot.Unseen> unseenBefore = List.of();
    private List<PoolSnapshot.Unseen> unseenAfter = List.of();
    private List<PoolSnapshot.TaskKind> kinds = List.of();
    private PoolState state = PoolState.RUNNING;
    private boolean isFromOutside;
    private Optional<TimeBreakdown> breakdown = Optional.empty();
    private Optional<Bottleneck> bottleneck = Optional.empty(); // that which the window shows
    private Map<String, Double> thresholds = Map.of();
    private ProcessWindow process = ProcessWindow.unknown(2);

    private Windows(String pool) {
        this.pool = pool;
    }

    public static Windows of(String pool) {
        return new Windows(pool);
    }

    public Windows seconds(double length) {
        seconds = length;
        return this;
    }

    /** Core and maximum size, and workers alive. */
    public Windows size(int workerCount) {
        size = workerCount;
        return limits(workerCount, workerCount);
    }

    public Windows limits(int coreSize, int maximumSize) {
        core = coreSize;
        maximum = maximumSize;
        return this;
    }

    /** Workers alive. */
    public Windows alive(int workerCount) {
        size = workerCount;
        return this;
    }

    /** Workers alive at the beginning. */
    public Windows grownFrom(int workerCount) {
        sizeBefore = workerCount;
        return this;
    }

    /** The share of the window's time for which workers were there, summed over them. */
    public Windows there(double share) {
        there = share;
        return this;
    }

    /** Busy workers on average. */
    public Windows busy(double workerCount) {
        busy = workerCount;
        return this;
    }

    /** Tasks that came, as many as went. */
    public Windows tasks(long count) {
        return tasks(count, count);
    }

    public Windows tasks(long in, long out) {
        submitted = in;
        completed = out;
        return this;
    }

    public Windows failed(long count) {
        failed = count;
        return this;
    }

    public Windows rejected(long count) {
        rejected = count;
        return this;
    }

    /** Tasks that callers ran, and for how long in sum. */
    public Windows callerRuns(long count, double secondsInSum, PoolSnapshot.Caller... who) {
        callerRuns = count;
        callerRunSeconds = secondsInSum;
        callers = List.of(who);
        return this;
    }

    /** Tasks that found no room, and that the user's own handler got. */
    public Windows leftToHandler(long count) {
        leftToHandler = count;
        return this;
    }

    /** Event loops that the pool held up in this window. */
    public Windows eventLoops(PoolSnapshot.EventLoop... which) {
        eventLoops = List.of(which);
        return this;
    }

    /** Event loops that the pool has held up before, and not in this window. */
    public Windows eventLoopsBefore(PoolSnapshot.EventLoop... which) {
        eventLoopsBefore = List.of(which);
        eventLoops = List.of(which);
        return this;
    }

    /** What is known of unseen failures, at both ends. */
    public Windows unseen(List<PoolSnapshot.Unseen> before, List<PoolSnapshot.Unseen> after) {
        unseenBefore = before;
        unseenAfter = after;
        return this;
    }

    /** The tasks by kind since the pool was made. */
    public Windows kinds(PoolSnapshot.TaskKind... all) {
        kinds = List.of(all);
        return this;
    }

    /** Waits of submitters that ended, and for how long they waited in sum. */
    public Windows blockedSubmits(long count, double secondsInSum) {
        blockedSubmits = count;
        blockedSeconds = secondsInSum;
        return this;
    }

    public Windows queued(int tasks) {
        return queued(tasks, tasks);
    }

    public Windows queued(int before, int after) {
        queuedBefore = before;
        queuedAfter = after;
        return this;
    }

    public Windows capacity(int places) {
        capacity = places;
        return this;
    }

    /** Submitters that wait, at both ends. */
    public Windows blockedNow(int submitters) {
        blockedBefore = submitters;
        blockedAfter = submitters;
        return this;
    }

    public Windows oldestQueued(double age) {
        oldestQueued = age;
        return this;
    }

    /** Mean service time in seconds. */
    public Windows service(double mean) {
        serviceMean = mean;
        return this;
    }

    /** Mean CPU time in seconds, as the pool itself measures it; unknown until told. */
    public Windows cpu(double mean) {
        cpuMean = mean;
        return this;
    }

    /** CPU times in seconds: most tasks burn the one, a share of them the other, all of both kinds exactly as much. */
    public Windows cpuOfTwoKinds(double most, double others, double share) {
        longShare = share;
        longCpu = others;
        return cpu(most * (1 - share) + others * share);
    }

    /** Mean queue wait in seconds. */
    public Windows queueWait(double mean) {
        waitMean = mean;
        return this;
    }

    /** What the system says of all workers in sum; seconds. Makes as many workers as are alive. */
    public Windows system(double cpu, double delay, long voluntarySwitches, long involuntarySwitches) {
        times = Optional.of(
                new ThreadTimes(Times.nanos(cpu), Times.nanos(delay), voluntarySwitches, involuntarySwitches));
        return this;
    }

    public Windows workers(WorkerWindow... all) {
        workers = List.of(all);
        return this;
    }

    public Windows process(ProcessWindow what) {
        process = what;
        return this;
    }

    public Windows cores(double count) {
        return process(ProcessWindow.unknown(count));
    }

    /**
     * CPUs: how many, used by the process in user mode and in the kernel, and the share of the machine that is busy.
     */
    public Windows process(double cores, double user, double system, double machineBusy) {
        return process(cores, user, system, machineBusy, 0);
    }

    public Windows process(double cores, double user, double system, double machineBusy, double throttledSeconds) {
        return process(new ProcessWindow(
                cores,
                OptionalDouble.of(user),
                OptionalDouble.of(system),
                OptionalDouble.empty(),
                OptionalDouble.of(machineBusy),
                Optional.of(Times.nanos(throttledSeconds)),
                Optional.of(Duration.ZERO),
                Duration.ZERO));
    }

    /** Workers of these pools waited for each other, and so often one of them exceeded the capacity of this pool. */
    public Windows cycle(List<String> pools, long broken) {
        cycles = pools;
        cyclesBroken = broken;
        return this;
    }

    /** What the workers did; unknown until told. */
    public Windows doing(TimeBreakdown what) {
        breakdown = Optional.of(what);
        return this;
    }

    public Windows doing(Breakdowns what) {
        return doing(what.build());
    }

    /** As thread dumps show the pool: numbers of tasks, the queue and all times of tasks are not known. */
    public Windows fromOutside() {
        isFromOutside = true;
        return this;
    }

    /** What limits the pool; what the window shows until told. */
    public Windows bottleneck(Bottleneck limit) {
        bottleneck = Optional.of(limit);
        return this;
    }

    public Windows state(PoolState now) {
        state = now;
        return this;
    }

    public Windows threshold(Threshold threshold, double value) {
        thresholds = Map.of(threshold.key(), value);
        return this;
    }

    /** The window alone, without a history. */
    public PoolWindow build() {
        return history(this);
    }

    /** As many such windows in a row, the last of them with the others as its history. */
    public PoolWindow times(int count) {
        Windows[] all = new Windows[count];
        Arrays.fill(all, this);
        return history(all);
    }

    /** Windows in a row, the earliest first: the last of them, with the others as its history. */
    public static PoolWindow history(Windows... inOrder) {
        List<PoolWindow> latestFirst = new ArrayList<>();
        Totals totals = new Totals();
        PoolSnapshot before = inOrder[0].snapshot(totals, true);
        for (int i = 0; i < inOrder.length; i++) {
            Windows what = inOrder[i];
            before = i > 0 && inOrder[i - 1] != what ? what.snapshot(totals, true) : before;
            totals.add(what);
            PoolSnapshot after = what.snapshot(totals, false);
            PoolWindow.Builder builder = PoolWindow.between(before, after)
                    .end(Instant.EPOCH.plus(Times.nanos(totals.time)))
                    .state(what.state)
                    .process(what.process)
                    .workers(what.workerWindows())
                    .thresholds(what.thresholds);
            what.breakdown.ifPresent(builder::breakdown);
            latestFirst.add(
                    0,
                    i < inOrder.length - 1
                            ? builder.build()
                            : what.decided(builder.earlier(latestFirst).build()));
            before = after;
        }
        return latestFirst.get(0);
    }

    private PoolWindow decided(PoolWindow window) {
        return window.toBuilder()
                .bottleneck(bottleneck.orElseGet(() -> Bottlenecks.of(window)))
                .build();
    }

    /** The pool at the end, and that it is so late. */
    public PoolSnapshot at(long nanoTime) {
        Totals totals = new Totals();
        totals.time = nanoTime / 1e9;
        return snapshot(totals, false);
    }

    private List<WorkerWindow> workerWindows() {
        if (!workers.isEmpty() || times.isEmpty()) {
            return workers;
        }
        List<WorkerWindow> all = new ArrayList<>(size);
        ThreadTimes sum = times.get();
        for (int i = 0; i < size; i++) {
            boolean isFirst = i == 0; // which has what cannot be divided
            ThreadTimes share = new ThreadTimes(
                    sum.cpu().dividedBy(size),
                    sum.runQueueDelay().dividedBy(size),
                    sum.voluntarySwitches() / size + (isFirst ? sum.voluntarySwitches() % size : 0),
                    sum.involuntarySwitches() / size + (isFirst ? sum.involuntarySwitches() % size : 0));
            all.add(new WorkerWindow(
                    pool + "-" + (i + 1),
                    i + 1,
                    i < busy,
                    Optional.of("Task"),
                    Times.nanos(i < busy ? 0.001 : 0),
                    Optional.of(share)));
        }
        return all;
    }

    private PoolSnapshot snapshot(Totals totals, boolean isBefore) {
        PoolSnapshot known = knownSnapshot(totals, isBefore);
        return isFromOutside ? outside(known) : known;
    }

    private static PoolSnapshot outside(PoolSnapshot known) {
        int unknown = (int) PoolSnapshot.UNKNOWN;
        return PoolSnapshot.builder(known.name())
                .nanoTime(known.nanoTime())
                .load(new PoolSnapshot.Load(known.size(), known.active(), unknown, Duration.ZERO))
                .limits(new PoolSnapshot.Limits(known.size(), known.size(), 0))
                .counts(new PoolSnapshot.Counts(unknown, unknown, 0, 0, 0, 0))
                .build();
    }

    private PoolSnapshot knownSnapshot(Totals totals, boolean isBefore) {
        int queued = isBefore ? queuedBefore : queuedAfter;
        int alive = isBefore && sizeBefore >= 0 ? sizeBefore : size;
        return PoolSnapshot.builder(pool)
                .nanoTime(Times.nanos(totals.time).toNanos())
                .load(new PoolSnapshot.Load(
                        alive, (int) Math.min(alive, Math.round(busy)), queued, Times.nanos(oldestQueued)))
                .limits(new PoolSnapshot.Limits(
                        core, maximum, capacity == Integer.MAX_VALUE ? capacity : Math.max(0, capacity - queued)))
                .counts(new PoolSnapshot.Counts(
                        totals.submitted, totals.completed, totals.failed, totals.rejected, totals.callerRuns, 0))
                .times(new PoolSnapshot.Times(
                        Times.exponential(totals.completed, totals.wait),
                        Times.exponential(totals.completed, totals.service),
                        cpuTime(totals),
                        Times.exponential(totals.blockedSubmits, totals.blocked),
                        Times.exponential(totals.callerRuns, totals.callerRun),
                        Times.nanos(totals.idle)))
                .saturation(new PoolSnapshot.Saturation(
                        isBefore ? blockedBefore : blockedAfter,
                        0,
                        Duration.ZERO,
                        Map.of(RejectionReason.LEFT_TO_HANDLER, totals.leftToHandler),
                        isBefore ? List.of() : callers,
                        isBefore ? eventLoopsBefore : eventLoops,
                        cycles.isEmpty() ? List.of() : List.of(new PoolSnapshot.Cycle(cycles, totals.cyclesBroken))))
                .unseenFailures(isBefore ? unseenBefore : unseenAfter)
                .kinds(kinds)
                .build();
    }

    private Distribution cpuTime(Totals totals) {
        if (longShare > 0) {
            return Times.ofTwoKinds(totals.completed, cpuMean, longCpu, longShare);
        }
        return cpuMean < 0 ? Times.unknown(totals.completed) : Times.exponential(totals.completed, totals.cpu);
    }

    /** What has happened since the pool was made. */
    private static final class Totals {
        private double time = 1000;
        private double idle = 1;
        private long submitted = 10_000;
        private long completed = 10_000;
        private long failed;
        private long rejected;
        private long callerRuns;
        private long leftToHandler;
        private long cyclesBroken;
        private long blockedSubmits;
        private double wait;
        private double service = 1;
        private double cpu;
        private double blocked;
        private double callerRun;

        void add(Windows what) {
            time += what.seconds;
            idle += Math.max(0, what.there * what.size - what.busy) * what.seconds;
            submitted += what.submitted;
            completed += what.completed;
            failed += what.failed;
            rejected += what.rejected;
            callerRuns += what.callerRuns;
            leftToHandler += what.leftToHandler;
            cyclesBroken += what.cyclesBroken;
            blockedSubmits += what.blockedSubmits;
            wait += what.waitMean * what.completed;
            service += what.serviceMean * what.completed;
            cpu += Math.max(0, what.cpuMean) * what.completed;
            blocked += what.blockedSeconds;
            callerRun += what.callerRunSeconds;
        }
    }
}
