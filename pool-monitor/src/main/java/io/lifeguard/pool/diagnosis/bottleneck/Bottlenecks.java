package io.lifeguard.pool.diagnosis.bottleneck;

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
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides what limits a pool's throughput in a window. Stateless.
 *
 * <p>The questions are asked in this order. The first one that is answered with yes decides.
 *
 * <table>
 * <caption>The decision</caption>
 * <tr><th>Bottleneck</th><th>Yes, if</th></tr>
 * <tr><td>OWN_TASKS</td><td>tasks are queued; and a quarter of the workers wait for results of tasks in this pool's
 *     queue, or all wait for results, and nothing was completed for 4 s</td></tr>
 * <tr><td>CPU</td><td>more than 1.2 workers per CPU compute or wait for a CPU; and the process uses 90 % of its CPUs,
 *     or it does together with other processes, the workers that want a CPU have one for less than a quarter of that
 *     time, and fewer than half a worker waits outside or sleeps</td></tr>
 * <tr><td>LOCK</td><td>2 workers (in small pools 40 % of the busy ones) and 20 % of the busy ones wait for one
 *     lock</td></tr>
 * <tr><td>LINE</td><td>30 % of the busy workers stand in one line; and all places of the resource are in use, or the
 *     pool {@linkplain Standstill stands still}, or tasks are completed, and the backlog stays or a worker in the mean
 *     stands in line for something known to be limited</td></tr>
 * <tr><td>OTHER_POOL</td><td>90 % of the workers are busy, and 30 % of these wait for results of other pools; or for
 *     results of unknown origin, while the backlog stays, and tasks were completed in the last 2 s
 *     or the pool {@linkplain Standstill stands still}</td></tr>
 * <tr><td>CPU</td><td>a quarter of the busy workers wait for a CPU, or more than 1.2 workers per CPU compute, and 60 %
 *     of the CPUs are used; or the pool is saturated, the process uses 80 % of its CPUs, and half of the busy workers
 *     compute or wait for a CPU</td></tr>
 * <tr><td>DISPATCHER</td><td>submitters run tasks, and waiting would gain 5 % ({@link CallerRuns})</td></tr>
 * <tr><td>OUTSIDE</td><td>the backlog stays, and half of the busy workers wait outside the process or sleep</td></tr>
 * <tr><td>NONE</td><td>no question is left open</td></tr>
 * <tr><td>UNKNOWN</td><td>otherwise</td></tr>
 * </table>
 *
 * <p><i>Yes</i> needs the lower bound of the workers that were seen. <i>No</i> needs the upper bound, together with all
 * workers of which nothing is known. Otherwise the question is left open. The workers' time is that of the last second.
 * The CPUs come before locks when they are full, because a thread without a CPU holds its locks for longer. A lock that
 * is the limit by itself is held all the time. If no worker waits outside with it, its holder is one of the workers
 * that want a CPU.
 */
public final class Bottlenecks {

    /** The time that is looked at: enough for 60 stacks, and short enough to see a cure within a second. */
    public static final Duration RECENT = Duration.ofSeconds(1);

    /** From this share of the workers on, waiting for tasks of the own queue is the limit. */
    public static final Threshold OWN_TASKS = new Threshold(
            "starved-by-own-tasks.share",
            0.25,
            "share of the workers that wait for tasks in their own queue; a judgement: three more such bursts are a"
                    + " deadlock");

    /** From this share of the busy workers on, waiting for another pool is the limit. */
    public static final Threshold OTHER_POOL = new Threshold(
            "waits-on-another-pool.share",
            0.3,
            "share of the busy workers that wait for results of another pool; without that wait the pool would do"
                    + " 1.4 times as much");

    /** From this number of waiting workers on, a lock is the limit. */
    public static final Threshold LOCK_WAITERS = new Threshold(
            "lock-contention.waiters",
            2,
            "mean number of workers that wait for the lock; a lock held 73 % of the time");

    /** From this share of the busy workers on, a lock is the limit. */
    public static final Threshold LOCK_SHARE = new Threshold(
            "lock-contention.share",
            0.2,
            "share of the busy workers that wait for the lock; without it the throughput is 1.25 times as high");

    /** From this share of the busy workers on, a line is the limit. */
    public static final Threshold IN_LINE = new Threshold(
            "downstream-saturated.parked",
            0.3,
            "share of the busy workers that wait in one place for a connection or a permit, 0 to 1");

    /** From this share of the busy workers on, the world outside is the limit. */
    public static final Threshold OUTSIDE = new Threshold(
            "blocked-on-io.outside",
            0.5,
            "share of the busy workers that wait outside or sleep, 0 to 1; below it the task mostly computes");

    /** From this share of the busy workers on, waiting for a CPU shows that CPUs are the limit. */
    public static final Threshold CPU_DELAY = new Threshold(
            "cpu-saturated.delay",
            0.25,
            "share of the busy workers that wait for a CPU, 0 to 1; on 2 CPUs the model has 0.18 to 0.43 at the right"
                    + " size");

    private static final double SMALL_POOL = 0.4;
    private static final double ALL = 0.95;
    private static final double MOST_ARE_BUSY = 0.9;
    private static final double ENOUGH_CPU = 0.6; // of the CPUs in use: fewer are not what threads queue for
    private static final double MUCH_CPU = 0.8; // without other waits 1.25 times as much would be done at most
    private static final double FULL_CPU = 0.9;
    private static final double MORE_THAN_CPUS = 1.2;
    private static final double SELDOM = 0.25; // of the time for which threads want a CPU
    private static final double NONE_HOLDS = 0.5; // workers; a lock that is the limit has a holder all the time
    private static final double LIMITED_WAITERS = 1; // in an idle pool a short wait of few is no limit
    private static final Duration STANDSTILL = Duration.ofSeconds(4);
    private static final Duration MOVES = Duration.ofSeconds(5);
    private static final Duration GOES_ON = Duration.ofSeconds(2); // half of what a standstill of own tasks takes

    private enum Answer {
        YES,
        NO,
        OPEN
    }

    private final PoolWindow window;
    private final TimeBreakdown times;
    private final double busy;
    private final double unknown;

    private Bottlenecks(PoolWindow window) {
        this.window = window;
        this.times = window.last(RECENT).breakdown();
        this.busy = busyWorkers(window);
        this.unknown = Math.min(busy, times.unknown());
    }

    /**
     * {@return what limits the pool's throughput, as far as this window and those right before it tell}
     *
     * @param window not null
     */
    public static Bottleneck of(PoolWindow window) {
        return new Bottlenecks(window).decide();
    }

    /**
     * {@return the mean number of workers that had a task in the last second}
     *
     * <p>A pool that measures its tasks knows it exactly. Of others the looks at their workers tell.
     *
     * @param window not null
     */
    public static double busyWorkers(PoolWindow window) {
        PoolWindow recent = window.last(RECENT);
        TimeBreakdown times = recent.breakdown();
        return recent.isMeasured() || times.looks() + times.stacks() == 0
                ? recent.busyWorkers()
                : Math.max(0, times.workers() - times.workers(Doing.IDLE).value());
    }

    private Bottleneck decide() {
        List<Question> questions = List.of(
                new Question(Bottleneck.OWN_TASKS, this::ownTasks),
                new Question(Bottleneck.CPU, this::fullCpus),
                new Question(Bottleneck.LOCK, this::lock),
                new Question(Bottleneck.LINE, this::line),
                new Question(Bottleneck.OTHER_POOL, this::otherPool),
                new Question(Bottleneck.CPU, this::cpus),
                new Question(Bottleneck.DISPATCHER, this::dispatcher),
                new Question(Bottleneck.OUTSIDE, this::outside));
        boolean isOpen = false;
        for (Question question : questions) {
            Answer answer = question.answer.get();
            if (answer == Answer.YES) {
                return question.limit;
            }
            isOpen |= answer == Answer.OPEN;
        }
        return isOpen ? Bottleneck.UNKNOWN : Bottleneck.NONE;
    }

    private record Question(Bottleneck limit, Supplier<Answer> answer) {}

    private Answer ownTasks() {
        boolean isQueueEmpty = window.countsQueue()
                && window.before().queued() == 0
                && window.after().queued() == 0;
        if (busy == 0 || isQueueEmpty) {
            return Answer.NO;
        }
        double threshold = window.threshold(OWN_TASKS) * window.after().size();
        Estimate certain = results(Origin.OWN_QUEUE);
        if ((threshold > 0 && certain.low() >= threshold) || isStandstill(window)) {
            return Answer.YES;
        }
        return answer(certain.plus(results(Origin.UNKNOWN)), threshold);
    }

    /**
     * {@return whether nothing will run any more: all workers wait for results of tasks that are in their own queue,
     * or may be, and nothing was completed for 4 s}
     *
     * <p>Where tasks and queue are not counted, all tasks must be known to be in that queue, and no worker may have run
     * for 4 s.
     *
     * @param window not null
     */
    public static boolean isStandstill(PoolWindow window) {
        PoolWindow recent = window.last(STANDSTILL);
        if (recent.seconds() < ALL * STANDSTILL.toNanos() / 1e9) {
            return false;
        }
        Bottlenecks now = new Bottlenecks(window);
        if (!recent.countsQueue()) {
            Estimate own = now.results(recent.breakdown(), Origin.OWN_QUEUE);
            return hasNobodyMoved(recent) && own.low() >= ALL * window.after().size();
        }
        boolean standsStill = recent.countsTasks()
                && recent.completed() == 0
                && recent.before().queued() > 0
                && recent.after().queued() > 0;
        return standsStill
                && now.results(Origin.OWN_QUEUE)
                                .plus(now.results(Origin.UNKNOWN))
                                .low()
                        >= ALL * window.after().size();
    }

    /** Whether no worker was on a CPU for a moment, so that none can have completed anything. */
    private static boolean hasNobodyMoved(PoolWindow window) {
        return window.workerTimes()
                .filter(times -> times.voluntarySwitches() + times.involuntarySwitches() == 0)
                .isPresent();
    }

    /**
     * {@return the names of the other pools for whose results a quarter of the workers wait, by the lower bound}
     *
     * @param window not null
     */
    public static Set<String> awaitedPools(PoolWindow window) {
        Bottlenecks now = new Bottlenecks(window);
        double threshold = window.threshold(OWN_TASKS) * window.after().size();
        Map<String, Estimate> workers = new TreeMap<>();
        now.times
                .places(Doing.WAITING_FOR_RESULT)
                .filter(share -> now.origin(share) == Origin.OTHER_POOL)
                .forEach(share -> workers.merge(poolOf(share), share.workers(), Estimate::plus));
        return workers.entrySet().stream()
                .filter(pool -> threshold > 0 && pool.getValue().low() >= threshold)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String poolOf(Share share) {
        return share.awaited().orElse(null) instanceof Awaited.Result result
                ? result.pool().orElse("")
                : "";
    }

    private Answer otherPool() {
        if (busy < MOST_ARE_BUSY * window.after().size()) {
            return Answer.NO;
        }
        double threshold = window.threshold(OTHER_POOL) * busy;
        Estimate certain = results(Origin.OTHER_POOL);
        boolean isFound = threshold > 0 && (certain.low() >= threshold || isHeldUpByUnknown(threshold));
        return isFound ? Answer.YES : answer(certain.plus(results(Origin.UNKNOWN)), threshold);
    }

    /**
     * Whether waiting for results of unknown origin holds the pool up. As long as tasks are completed they are not, or
     * not all, in its own queue.
     */
    private boolean isHeldUpByUnknown(double threshold) {
        Estimate waiting = results(Origin.UNKNOWN);
        if (waiting.low() < threshold || !window.countsTasks() || !Backlog.stays(window)) {
            return false;
        }
        boolean mayBeOwnTasks = waiting.low() >= ALL * window.after().size();
        return window.last(GOES_ON).completed() > 0 || (!mayBeOwnTasks && Standstill.isStandstill(window, times, busy));
    }

    /**
     * {@return the workers that wait for results of which it is not known which pool has the tasks}
     *
     * @param times where the workers' time went, not null
     */
    public static Stream<Share> resultsOfUnknown(TimeBreakdown times) {
        return times.places(Doing.WAITING_FOR_RESULT)
                .filter(share -> !(share.awaited().orElse(null) instanceof Awaited.Result result)
                        || result.pool().isEmpty());
    }

    /**
     * {@return from how many waiting workers on a lock is the limit}
     *
     * @param window whose thresholds count, not null
     * @param busy the mean number of busy workers, not negative
     */
    public static double lockThreshold(PoolWindow window, double busy) {
        return Math.max(
                Math.min(window.threshold(LOCK_WAITERS), SMALL_POOL * busy), window.threshold(LOCK_SHARE) * busy);
    }

    private Answer lock() {
        double threshold = lockThreshold(window, busy);
        boolean isFound = threshold > 0
                && WaitingWorkers.of(times, Doing.WAITING_FOR_LOCK).stream()
                        .anyMatch(group -> group.workers().low() >= threshold);
        return isFound ? Answer.YES : answer(times.workers(Doing.WAITING_FOR_LOCK), threshold);
    }

    private Answer line() {
        double threshold = window.threshold(IN_LINE) * busy;
        boolean backlog = Backlog.stays(window);
        PoolWindow recent = window.last(MOVES);
        boolean moves = !recent.countsTasks() || recent.completed() > 0;
        boolean standsStill = Standstill.isStandstill(window, times, busy);
        boolean isFound = threshold > 0
                && WaitingWorkers.of(times, Doing.WAITING_IN_LINE).stream()
                        .anyMatch(group -> group.workers().low() >= threshold
                                && ((backlog && moves)
                                        || standsStill
                                        || isUsedUp(group.largest())
                                        || (moves
                                                && isLimited(group.largest())
                                                && group.workers().low() >= LIMITED_WAITERS)));
        if (isFound) {
            return Answer.YES;
        }
        return backlog ? answer(times.workers(Doing.WAITING_IN_LINE), threshold) : Answer.NO;
    }

    private static boolean isLimited(Share share) {
        return share.awaited().orElse(null) instanceof Awaited.Line line && line.limited();
    }

    private static boolean isUsedUp(Share share) {
        return share.awaited().orElse(null) instanceof Awaited.Line line
                && line.capacity().isPresent()
                && line.inUse().orElse(0) >= line.capacity().getAsInt();
    }

    private Answer fullCpus() {
        if (onCpu().low() <= MORE_THAN_CPUS * window.process().cores()) {
            return Answer.NO;
        }
        ProcessWindow process = window.last(RECENT).process();
        boolean isFull = process.cpuShare().orElse(0) >= FULL_CPU;
        boolean isMachineFull = process.machineBusy().orElse(0) >= FULL_CPU;
        return isFull || (isMachineFull && doHoldersWantCpu()) ? Answer.YES : Answer.NO;
    }

    /** Whether threads that hold locks can only be those that want a CPU, and hardly ever get one. */
    private boolean doHoldersWantCpu() {
        return times.workers(Doing.COMPUTING).value() < SELDOM * onCpu().value()
                && times.workers(Doing.WAITING_OUTSIDE, Doing.SLEEPING).value() < NONE_HOLDS;
    }

    private Answer cpus() {
        OptionalDouble own = window.last(RECENT).process().cpuShare();
        OptionalDouble machine = window.last(RECENT).process().machineBusy();
        double cores = window.process().cores();
        Estimate waiting = times.workers(Doing.WAITING_FOR_CPU);
        boolean isQueue = busy > MORE_THAN_CPUS * cores
                && (waiting.low() >= window.threshold(CPU_DELAY) * busy || onCpu().low() > MORE_THAN_CPUS * cores);
        boolean isFull = window.isSaturated() && onCpu().low() >= busy / 2 && busy > 0;
        if (own.isEmpty()) {
            // fewer workers than CPUs that want one have it
            return onCpu().high() + unknown < Math.min(ENOUGH_CPU * cores, Math.max(1, busy)) || busy == 0
                    ? Answer.NO
                    : Answer.OPEN;
        }
        double used = Math.max(own.getAsDouble(), machine.orElse(0));
        if ((isQueue && used >= ENOUGH_CPU) || (isFull && own.getAsDouble() >= MUCH_CPU)) {
            return Answer.YES;
        }
        boolean mayBeQueue = used >= ENOUGH_CPU
                && busy > MORE_THAN_CPUS * cores
                && (waiting.high() + unknown >= window.threshold(CPU_DELAY) * busy
                        || onCpu().high() + unknown > MORE_THAN_CPUS * cores);
        boolean mayBeFull =
                own.getAsDouble() >= MUCH_CPU && window.isSaturated() && onCpu().high() + unknown >= busy / 2;
        return mayBeQueue || mayBeFull ? Answer.OPEN : Answer.NO;
    }

    private Estimate onCpu() {
        return times.workers(Doing.COMPUTING, Doing.WAITING_FOR_CPU);
    }

    private Answer dispatcher() {
        return CallerRuns.in(window)
                .filter(CallerRuns::isWorthIt)
                .map(runs -> runs.isCeilingKnown() ? Answer.YES : Answer.OPEN)
                .orElse(Answer.NO);
    }

    private Answer outside() {
        if (!Backlog.stays(window)) {
            return Answer.NO;
        }
        double threshold = window.threshold(OUTSIDE) * busy;
        Estimate waiting = times.workers(Doing.WAITING_OUTSIDE, Doing.SLEEPING);
        boolean areCpusFull = window.last(RECENT).process().cpuShare().orElse(0) >= MUCH_CPU;
        if (areCpusFull) {
            return Answer.NO;
        }
        if (waiting.low() < threshold || threshold == 0) {
            return answer(waiting, threshold);
        }
        return mayWaitForCpu() ? Answer.OPEN : Answer.YES;
    }

    /** Whether sleepers may be awake and want a CPU, as on a full machine they do, and the system does not tell. */
    private boolean mayWaitForCpu() {
        return window.last(RECENT).process().machineBusy().orElse(0) >= MUCH_CPU
                && window.workerTimes().isEmpty()
                && times.workers(Doing.SLEEPING).high()
                        >= times.workers(Doing.WAITING_OUTSIDE).low();
    }

    /** The answer about workers that were too few to be sure. */
    private Answer answer(Estimate seen, double threshold) {
        return busy == 0 || seen.high() + unknown < threshold ? Answer.NO : Answer.OPEN;
    }

    /** Where the tasks are that workers wait for. */
    private enum Origin {
        OWN_QUEUE,
        OTHER_POOL,
        UNKNOWN
    }

    private Estimate results(Origin origin) {
        return results(times, origin);
    }

    private Estimate results(TimeBreakdown where, Origin origin) {
        Stream<Share> shares = where.places(Doing.WAITING_FOR_RESULT).filter(share -> origin(share) == origin);
        return Estimate.sum(shares.map(Share::workers));
    }

    private Origin origin(Share share) {
        if (!(share.awaited().orElse(null) instanceof Awaited.Result result)
                || result.pool().isEmpty()) {
            return Origin.UNKNOWN;
        }
        if (!result.pool().get().equals(window.pool())) {
            return Origin.OTHER_POOL;
        }
        return result.queued() ? Origin.OWN_QUEUE : Origin.UNKNOWN;
    }
}
