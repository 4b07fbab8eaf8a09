package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.diagnosis.bottleneck.AwaitedResults.Origin;
import io.lifeguard.pool.diagnosis.bottleneck.Judgement.Answer;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.seen.WaitChain;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * Decides what limits a pool's throughput in a window. Stateless.
 *
 * <p>The questions are asked in this order. The first one that is answered with yes decides.
 *
 * <table>
 * <caption>The decision</caption>
 * <tr><th>Bottleneck</th><th>Yes, if</th></tr>
 * <tr><td>OWN_TASKS</td><td>tasks are queued; and a quarter of the workers wait for results of this pool's tasks,
 *     some of which are in its queue, or all wait for results, and nothing was completed for 4 s</td></tr>
 * <tr><td>CPU</td><td>more than 1.2 workers per CPU compute or wait for a CPU; and the process uses 90 % of its CPUs,
 *     or it does together with other processes, the workers that want a CPU have one for less than a quarter of that
 *     time, and fewer than half a worker waits outside or sleeps</td></tr>
 * <tr><td>LOCK</td><td>2 workers (in small pools 40 % of the busy ones) and 20 % of the busy ones wait for one
 *     lock</td></tr>
 * <tr><td>LINE</td><td>30 % of the busy workers queue for one resource; and all of it is in use, or the pool
 *     {@linkplain Standstill stands still}, or tasks are completed, and the backlog stays or, on average, a worker
 *     queues for something known to be limited; where no frame is the application's, for 5 s</td></tr>
 * <tr><td>OTHER_POOL</td><td>90 % of the workers are busy, and 30 % of these wait for results of other pools; or for
 *     results of unknown origin in code of the application, while the backlog stays, and tasks were completed in the
 *     last 2 s or the pool {@linkplain Standstill stands still}</td></tr>
 * <tr><td>CPU</td><td>a quarter of the busy workers wait for a CPU, or more than 1.2 workers per CPU compute, and 60 %
 *     of the CPUs are used; or the pool is saturated, the process uses 80 % of its CPUs, and half of the busy workers
 *     compute or wait for a CPU</td></tr>
 * <tr><td>DISPATCHER</td><td>submitters run tasks, and waiting would gain 5 % ({@link CallerRuns})</td></tr>
 * <tr><td>OUTSIDE</td><td>the backlog stays, and half of the busy workers wait outside the process or sleep</td></tr>
 * <tr><td>DISPATCHER</td><td>submitters were seen to run tasks of a pool that does not count them
 *     ({@link CallersSeen}); or no question is left open, and workers idle while a handler gets tasks
 *     ({@link HandedBack})</td></tr>
 * <tr><td>NONE</td><td>no question is left open</td></tr>
 * <tr><td>UNKNOWN</td><td>otherwise</td></tr>
 * </table>
 *
 * <p><i>Yes</i> needs the lower bound of the workers that were seen. <i>No</i> needs the upper bound, together with all
 * workers of which nothing is known. Otherwise the question is left open. The workers' time is that of the last second.
 * The CPUs come before locks when they are full, because a thread without a CPU holds its locks for longer. A lock that
 * is the limit by itself is held all the time. If no worker waits outside with it, its holder is one of the workers
 * that want a CPU.
 *
 * <p>Every number is a {@link Threshold} that says where it comes from.
 */
public final class Bottlenecks {

    /** The time that is looked at: enough for 60 stacks, and short enough to see a cure within a second. */
    public static final Duration RECENT = Duration.ofSeconds(1);

    private static final Origin[] MAY_BE_OWN = {Origin.OWN_QUEUE, Origin.OWN_WORKERS, Origin.FRAMEWORK, Origin.UNKNOWN};

    private final PoolWindow window;
    private final TimeBreakdown times;
    private final AwaitedResults results;
    private final double busy;
    private final double unknown;
    private final Map<Question, Judgement> judgements = new EnumMap<>(Question.class);

    /** In the order in which they are asked. */
    private enum Question {
        OWN_TASKS,
        FULL_CPUS,
        LOCK,
        LINE,
        OTHER_POOL,
        CPUS,
        CALLER_RUNS,
        OUTSIDE,
        CALLERS_SEEN
    }

    private static final Question[] QUESTIONS = Question.values();

    private Bottlenecks(PoolWindow window) {
        this.window = window;
        this.times = window.last(RECENT).breakdown();
        this.results = new AwaitedResults(window.pool(), times);
        this.busy = busyWorkers(window);
        this.unknown = Math.min(busy, times.unknown());
    }

    /** {@return what limits the pool's throughput, as far as this window and those right before it tell} */
    public static Bottleneck of(PoolWindow window) {
        return in(window).decide();
    }

    /**
     * {@return whether this is what limits the pool's throughput, with the workers that wait for it}
     *
     * @throws IllegalArgumentException if it is DISPATCHER, NONE or UNKNOWN, for which no workers wait
     */
    public static Judgement judge(PoolWindow window, Bottleneck bottleneck) {
        return in(window)
                .judged(
                        switch (bottleneck) {
                            case OWN_TASKS -> Question.OWN_TASKS;
                            case CPU -> Question.CPUS;
                            case LOCK -> Question.LOCK;
                            case LINE -> Question.LINE;
                            case OTHER_POOL -> Question.OTHER_POOL;
                            case OUTSIDE -> Question.OUTSIDE;
                            case DISPATCHER, NONE, UNKNOWN ->
                                throw new IllegalArgumentException("no workers wait for it (was " + bottleneck + ")");
                        });
    }

    private static Bottlenecks in(PoolWindow window) {
        return window.once(Bottlenecks.class, new Deciding());
    }

    private static final class Deciding implements Function<PoolWindow, Bottlenecks> {
        @Override
        public Bottlenecks apply(PoolWindow window) {
            return new Bottlenecks(window);
        }
    }

    /** The answer to a question, which is found once: the rules that explain the decision ask again. */
    private Judgement judged(Question question) {
        Judgement known = judgements.get(question);
        if (known == null) {
            known = switch (question) {
                case OWN_TASKS -> ownTasks();
                case FULL_CPUS -> fullCpus();
                case LOCK -> lock();
                case LINE -> line();
                case OTHER_POOL -> otherPool();
                case CPUS -> cpus();
                case CALLER_RUNS -> callerRuns();
                case OUTSIDE -> outside();
                case CALLERS_SEEN -> callersSeen();
            };
            judgements.put(question, known);
        }
        return known;
    }

    /**
     * {@return the mean number of workers that had a task in the last second}
     *
     * <p>A pool that measures its tasks knows it exactly. Of others the looks at their workers tell.
     */
    public static double busyWorkers(PoolWindow window) {
        return Standstill.busyWorkers(window);
    }

    private Bottleneck decide() {
        boolean isOpen = false;
        for (Question question : QUESTIONS) {
            Judgement judgement = judged(question);
            if (judgement.answer() == Answer.YES) {
                return judgement.bottleneck();
            }
            isOpen |= judgement.answer() == Answer.OPEN;
        }
        if (isOpen) {
            return Bottleneck.UNKNOWN;
        }
        return HandedBack.in(window).isPresent() ? Bottleneck.DISPATCHER : Bottleneck.NONE;
    }

    // ---- results of tasks ----

    private Judgement ownTasks() {
        Estimate certain = results.workers(Origin.OWN_QUEUE);
        double threshold = Thresholds.OWN_TASKS * window.after().size();
        boolean isQueueEmpty = window.countsQueue()
                && window.before().queued() == 0
                && window.after().queued() == 0;
        if (busy == 0 || isQueueEmpty) {
            return judgement(Bottleneck.OWN_TASKS, Answer.NO, Answer.NO, certain, threshold, Optional.empty(), false);
        }
        boolean standsStill = isStandstill(window);
        Estimate own = results.workers(Origin.OWN_QUEUE, Origin.OWN_WORKERS);
        Estimate starved = certain.low() > 0 ? own : certain;
        boolean isFound = standsStill || Judgement.isEnough(starved, threshold);
        Estimate maybe = results.workers(MAY_BE_OWN);
        // Where tasks are completed, the wait for results of unknown origin is no standstill.
        boolean mayStandStill = window.countsTasks() && window.last(RECENT).completed() == 0;
        boolean isQueueEmptied = window.countsQueue() && window.after().queued() == 0;
        Answer rest = isQueueEmptied ? Answer.NO : answer(mayStandStill ? maybe : starved, threshold);
        return judgement(
                Bottleneck.OWN_TASKS,
                isFound ? Answer.YES : answer(maybe, threshold),
                isFound ? Answer.YES : rest,
                starved,
                threshold,
                results.group(Origin.OWN_QUEUE),
                standsStill);
    }

    /**
     * {@return whether nothing will run any more: all workers wait for results of tasks that are in their own queue, or
     * may be, and nothing was completed for 4 s}
     *
     * <p>Where tasks and queue are not counted, all tasks must be known to be in that queue, and no worker may have run
     * for 4 s.
     */
    public static boolean isStandstill(PoolWindow window) {
        PoolWindow recent = window.last(Thresholds.DEADLOCK_SECONDS);
        if (!recent.lasts(window.threshold(Thresholds.DEADLOCK_SECONDS)) || areAtBarrier(window)) {
            return false;
        }
        double all = Thresholds.ALL_WAIT * window.after().size();
        if (!recent.countsQueue()) {
            AwaitedResults then = new AwaitedResults(window.pool(), recent.breakdown());
            return Standstill.hasNobodyMoved(recent)
                    && then.workers(Origin.OWN_QUEUE).low() >= all;
        }
        boolean standsStill = recent.countsTasks()
                && recent.completed() == 0
                && recent.before().queued() > 0
                && recent.after().queued() > 0;
        AwaitedResults now =
                new AwaitedResults(window.pool(), window.last(RECENT).breakdown());
        return standsStill && now.workers(MAY_BE_OWN).low() >= all;
    }

    /** What a barrier, a phaser or an exchanger lacks is a party, and no result of a task. A latch may lack either. */
    private static boolean areAtBarrier(PoolWindow window) {
        WaitChain chain = window.seen(WaitChain.class).orElse(null);
        return chain != null
                && chain.end() == WaitChain.End.PARTY
                && !chain.first().thing().endsWith("CountDownLatch");
    }

    /**
     * {@return the pools that wait only for each other, this one included, if none of its workers has run for 4 s;
     * empty otherwise}
     *
     * <p>Only seen from outside. Pools that know their tasks find cycles by the pools that have the awaited tasks.
     */
    public static Set<String> circle(PoolWindow window) {
        Set<String> pools = window.waitsOfOthers().getOrDefault(window.pool(), Set.of());
        PoolWindow recent = window.last(Thresholds.DEADLOCK_SECONDS);
        return pools.contains(window.pool())
                        && !window.countsTasks()
                        && recent.lasts(window.threshold(Thresholds.DEADLOCK_SECONDS))
                        && Standstill.hasNobodyMoved(recent)
                ? pools
                : Set.of();
    }

    private boolean isStandstillOfCircle() {
        double all = Thresholds.ALL_WAIT * window.after().size();
        return !circle(window).isEmpty()
                && results.workers(Origin.FRAMEWORK, Origin.UNKNOWN).low() >= all;
    }

    /** {@return the names of the other pools for whose results a quarter of the workers wait, by the lower bound} */
    public static Set<String> awaitedPools(PoolWindow window) {
        AwaitedResults now =
                new AwaitedResults(window.pool(), window.last(RECENT).breakdown());
        double threshold = Thresholds.OWN_TASKS * window.after().size();
        Set<String> pools = new HashSet<>();
        for (Map.Entry<String, Estimate> pool : now.workersByPool().entrySet()) {
            if (Judgement.isEnough(pool.getValue(), threshold)) {
                pools.add(pool.getKey());
            }
        }
        return pools;
    }

    private Judgement otherPool() {
        double threshold = window.threshold(Thresholds.OTHER_POOL) * busy;
        Estimate certain = results.workers(Origin.OTHER_POOL);
        Estimate unknownOrigin = results.workers(Origin.UNKNOWN);
        boolean isUnknownEnough = Judgement.isEnough(unknownOrigin, threshold) && Backlog.stays(window);
        boolean isCircle = isStandstillOfCircle();
        Optional<WaitingWorkers> group = results.mostAwaited();
        if (group.isEmpty() || !Judgement.isEnough(group.get().workers(), threshold)) {
            group = results.group(Origin.OTHER_POOL);
        }
        if (group.isEmpty() || !Judgement.isEnough(group.get().workers(), threshold)) {
            group = isCircle
                    ? results.group(Origin.FRAMEWORK, Origin.UNKNOWN)
                    : isUnknownEnough ? results.group(Origin.UNKNOWN) : Optional.empty();
        }
        Answer holds = group.isPresent() ? Answer.YES : answer(times.workers(Doing.WAITING_FOR_RESULT), threshold);
        boolean standsStill = isCircle || Standstill.isStandstill(window, times, busy);
        boolean isFound = isCircle
                || Judgement.isEnough(certain, threshold)
                || (isUnknownEnough && isHeldUpByUnknown(unknownOrigin, standsStill));
        Answer answer = isFound ? Answer.YES : answer(certain.plus(unknownOrigin), threshold);
        boolean areMostBusy =
                busy >= Thresholds.OTHER_POOL_BUSY * window.after().size();
        return judgement(
                Bottleneck.OTHER_POOL,
                areMostBusy ? answer : Answer.NO,
                holds,
                group.isPresent() ? group.get().workers() : certain,
                threshold,
                group,
                standsStill);
    }

    /**
     * Whether waiting for results of unknown origin holds the pool up. As long as tasks are completed they are not, or
     * not all, in its own queue. From outside, workers that get onto a CPU have got results.
     */
    private boolean isHeldUpByUnknown(Estimate waiting, boolean standsStill) {
        if (!window.countsTasks()) {
            return Standstill.hasMoved(window.last(Thresholds.OTHER_POOL_SECONDS));
        }
        boolean mayBeOwnTasks =
                waiting.low() >= Thresholds.ALL_WAIT * window.after().size();
        return window.last(Thresholds.OTHER_POOL_SECONDS).completed() > 0 || (!mayBeOwnTasks && standsStill);
    }

    // ---- locks and limited resources ----

    private Judgement lock() {
        int workers = window.after().size();
        boolean isSmall = workers < Thresholds.LOCK_SMALL_SIZE || busy >= Thresholds.LOCK_UTILISED * workers;
        double waiters = Thresholds.LOCK_WAITERS;
        double few = isSmall ? Math.min(waiters, Thresholds.LOCK_SMALL_POOL * busy) : waiters;
        double held = LockStation.waiters(Thresholds.LOCK_HELD, busy);
        double threshold = Math.max(few, Math.max(window.threshold(Thresholds.LOCK_SHARE) * busy, held));
        List<WaitingWorkers> large = large(Doing.WAITING_FOR_LOCK, threshold);
        return queue(Bottleneck.LOCK, Doing.WAITING_FOR_LOCK, threshold, large, first(large), true);
    }

    private Judgement line() {
        double threshold = Thresholds.IN_LINE * busy;
        boolean backlog = Backlog.stays(window);
        PoolWindow recent = window.last(Thresholds.MOVES_SECONDS);
        boolean moves = !recent.countsTasks() || recent.completed() > 0;
        boolean standsStill = Standstill.isStandstill(window, times, busy);
        List<WaitingWorkers> large = large(Doing.WAITING_IN_LINE, threshold);
        List<WaitingWorkers> limits = new ArrayList<>();
        for (WaitingWorkers group : large) {
            boolean isLimit = (backlog && moves) || (moves && isQueue(group) && isLimited(group.largest()));
            if (standsStill
                    || ((backlog || isQueue(group)) && isUsedUp(group.largest()))
                    || (isLimit && (UserFrames.isUsers(group.place()) || lasts(group, recent)))) {
                limits.add(group);
            }
        }
        return queue(Bottleneck.LINE, Doing.WAITING_IN_LINE, threshold, large, first(limits), backlog);
    }

    /** What a framework does for itself, as Spring Batch's workers commit in turn, is a limit only if it lasts. */
    private static boolean lasts(WaitingWorkers group, PoolWindow recent) {
        double threshold = Thresholds.IN_LINE * busyWorkers(recent);
        for (WaitingWorkers lately : large(recent.breakdown(), Doing.WAITING_IN_LINE, threshold)) {
            if (lately.place().equals(group.place())) {
                return recent.lasts(recent.threshold(Thresholds.MOVES_SECONDS));
            }
        }
        return false;
    }

    /** The groups of workers that queue in this way and are large enough. */
    private List<WaitingWorkers> large(Doing doing, double threshold) {
        return large(times, doing, threshold);
    }

    private static List<WaitingWorkers> large(TimeBreakdown times, Doing doing, double threshold) {
        List<WaitingWorkers> large = new ArrayList<>();
        for (WaitingWorkers group : WaitingWorkers.of(times, doing)) {
            if (Judgement.isEnough(group.workers(), threshold)) {
                large.add(group);
            }
        }
        return large;
    }

    private static Optional<WaitingWorkers> first(List<WaitingWorkers> groups) {
        return groups.isEmpty() ? Optional.empty() : Optional.of(groups.get(0));
    }

    /** The judgement about the large groups of workers that queue in this way, one of which may be the limit. */
    private Judgement queue(
            Bottleneck bottleneck,
            Doing doing,
            double threshold,
            List<WaitingWorkers> large,
            Optional<WaitingWorkers> limit,
            boolean mayBe) {
        Optional<WaitingWorkers> group = limit.isPresent() ? limit : first(large);
        Answer few = answer(times.workers(doing), threshold);
        Answer otherwise = mayBe ? few : Answer.NO;
        return judgement(
                bottleneck,
                limit.isPresent() ? Answer.YES : otherwise,
                group.isPresent() ? Answer.YES : few,
                group.isPresent() ? group.get().workers() : times.workers(doing),
                threshold,
                group,
                group.isPresent() && Standstill.isStandstill(window, times, busy));
    }

    /** Without a backlog, fewer waiters are no limit: of all connections in use some may be given back just then. */
    private boolean isQueue(WaitingWorkers group) {
        return group.workers().low() >= Thresholds.LINE_WAITERS;
    }

    private static boolean isLimited(Share share) {
        return share.awaited().orElse(null) instanceof Awaited.Line line && line.limited();
    }

    private static boolean isUsedUp(Share share) {
        return share.awaited().orElse(null) instanceof Awaited.Line line
                && line.capacity().isPresent()
                && line.inUse().orElse(0) >= line.capacity().getAsInt();
    }

    // ---- CPUs ----

    private Judgement fullCpus() {
        return cpu(areCpusFull() ? Answer.YES : Answer.NO);
    }

    private Judgement cpus() {
        return cpu(areCpusFull() ? Answer.YES : areCpusQueuedFor());
    }

    private Judgement cpu(Answer answer) {
        Estimate waiting = times.workers(Doing.WAITING_FOR_CPU);
        if (waiting.low() > window.process().cores()) { // a thread without a CPU holds its locks for longer
            waiting = times.workers(Doing.WAITING_FOR_CPU, Doing.WAITING_FOR_LOCK);
        }
        double threshold = window.threshold(Thresholds.CPU_DELAY) * busy;
        Answer few = window.workerTimes().isEmpty() ? Answer.OPEN : answer(waiting, threshold);
        Answer holds = Judgement.isEnough(waiting, threshold) ? Answer.YES : few;
        return judgement(Bottleneck.CPU, answer, holds, waiting, threshold, Optional.empty(), false);
    }

    private boolean areCpusFull() {
        if (onCpu().low() <= workersOfAllCpus()) {
            return false;
        }
        double full = Thresholds.CPU_FULL;
        ProcessWindow process = window.last(RECENT).process();
        return process.cpuShare().orElse(0) >= full || (process.machineBusy().orElse(0) >= full && doHoldersWantCpu());
    }

    /** Whether threads that hold locks can only be those that want a CPU, and hardly ever get one. */
    private boolean doHoldersWantCpu() {
        return times.workers(Doing.COMPUTING).value() < Thresholds.SELDOM * onCpu().value()
                && times.workers(Doing.WAITING_OUTSIDE, Doing.SLEEPING).value() < Thresholds.HOLDERS;
    }

    private Answer areCpusQueuedFor() {
        OptionalDouble own = window.last(RECENT).process().cpuShare();
        OptionalDouble machine = window.last(RECENT).process().machineBusy();
        double cores = window.process().cores();
        double enough = window.threshold(Thresholds.CPU_USED);
        double half = Thresholds.COMPUTING * busy;
        double delayed = window.threshold(Thresholds.CPU_DELAY) * busy;
        Estimate waiting = times.workers(Doing.WAITING_FOR_CPU);
        if (own.isEmpty()) {
            // fewer workers than CPUs that want one have it
            return onCpu().high() + unknown < Math.min(enough * cores, Math.max(1, busy)) || busy == 0
                    ? Answer.NO
                    : Answer.OPEN;
        }
        double used = Math.max(own.getAsDouble(), machine.orElse(0));
        boolean areThereMore = busy > workersOfAllCpus() && used >= enough;
        boolean mayBeFull = window.isSaturated() && own.getAsDouble() >= Thresholds.CPU_MUCH;
        if ((areThereMore && (waiting.low() >= delayed || onCpu().low() > workersOfAllCpus()))
                || (mayBeFull && busy > 0 && onCpu().low() >= half)) {
            return Answer.YES;
        }
        boolean mayBeQueue =
                areThereMore && (waiting.high() + unknown >= delayed || onCpu().high() + unknown > workersOfAllCpus());
        return mayBeQueue || (mayBeFull && onCpu().high() + unknown >= half) ? Answer.OPEN : Answer.NO;
    }

    private Estimate onCpu() {
        return times.workers(Doing.COMPUTING, Doing.WAITING_FOR_CPU);
    }

    /** With so many workers no CPU is idle. */
    private double workersOfAllCpus() {
        return Thresholds.PER_CPU * window.process().cores();
    }

    // ---- submitters, and the world outside ----

    private Judgement callerRuns() {
        Optional<CallerRuns> runs = CallerRuns.in(window);
        return dispatcher(runs.isPresent() ? runs.get().answer() : Answer.NO);
    }

    private Judgement callersSeen() {
        Optional<CallersSeen> seen = CallersSeen.in(window);
        boolean isFound = seen.isPresent() && seen.get().isWorthIt();
        return dispatcher(isFound ? Answer.YES : Answer.NO);
    }

    private Judgement dispatcher(Answer answer) {
        return judgement(Bottleneck.DISPATCHER, answer, answer, Estimate.ZERO, 0, Optional.empty(), false);
    }

    private Judgement outside() {
        double threshold = window.threshold(Thresholds.OUTSIDE) * busy;
        Estimate waiting = times.workers(Doing.WAITING_OUTSIDE, Doing.SLEEPING);
        Answer holds = Answer.NO;
        if (Backlog.stays(window)) {
            holds = Judgement.isEnough(waiting, threshold) ? Answer.YES : answer(waiting, threshold);
        }
        boolean areCpusUsed = window.last(RECENT).process().cpuShare().orElse(0) >= Thresholds.CPU_MUCH;
        Answer answer = areCpusUsed ? Answer.NO : holds;
        return judgement(
                Bottleneck.OUTSIDE,
                answer == Answer.YES && mayWaitForCpu() ? Answer.OPEN : answer,
                holds,
                waiting,
                threshold,
                Optional.empty(),
                false);
    }

    /** Whether sleepers may be awake and want a CPU, as on a full machine they do, and the system does not tell. */
    private boolean mayWaitForCpu() {
        return window.last(RECENT).process().machineBusy().orElse(0) >= Thresholds.CPU_MUCH
                && window.workerTimes().isEmpty()
                && times.workers(Doing.SLEEPING).high()
                        >= times.workers(Doing.WAITING_OUTSIDE).low();
    }

    private Judgement judgement(
            Bottleneck bottleneck,
            Answer answer,
            Answer holds,
            Estimate workers,
            double threshold,
            Optional<WaitingWorkers> group,
            boolean standsStill) {
        return new Judgement(bottleneck, answer, holds, workers, threshold, busy, group, standsStill);
    }

    /** The answer about workers that were too few to be sure. */
    private Answer answer(Estimate seen, double threshold) {
        return busy == 0 || seen.high() + unknown < threshold ? Answer.NO : Answer.OPEN;
    }
}
