package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.seen.WaitChain;
import io.lifeguard.pool.diagnosis.seen.WaitChain.End;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells whether a pool stands still, whatever the reason: tasks queue, none is completed, and the workers wait within
 * the process. Stateless.
 *
 * <p>Nothing must have been completed for 2 s, and for twice as long as a task takes on average: workers that began
 * together end together. Before the first task has ended its length is unknown, so 4 s must have passed. At least 90 %
 * of the workers of which anything is known wait for a lock, in a line, or for a result, by the lower bound. Workers
 * that compute, sleep or wait for something outside may yet end their tasks.
 *
 * <p>Where neither tasks nor queue are counted, as from outside the process, no worker must have been on a CPU for 4 s,
 * and the workers must wait for a lock, or queue for something limited: a permit, a connection, or room in a full
 * queue. Workers that wait for a message may do so for hours. Where the queue is counted and not empty, as that of
 * Kotlin's dispatchers by the agent, it is enough that they wait within the process.
 *
 * <p>Closest healthy workload: tasks that take seconds and wait for results of another pool.
 */
public final class Standstill {

    private static final Duration LATELY = Duration.ofSeconds(1);

    private static final String INITIALISATION = "the initialisation of ";

    private static final Doing[] WAITS = {
        Doing.WAITING_FOR_LOCK, Doing.WAITING_IN_LINE, Doing.WAITING_FOR_RESULT, Doing.WAITING_OUTSIDE
    };

    /** Other ends may only be slow. */
    private static final Set<End> NEVER = EnumSet.of(
            End.CIRCLE,
            End.ENDED_OWNER,
            End.OWN_TASK,
            End.COMMON_POOL,
            End.INITIALISER,
            End.PARTY,
            End.NONE_LEFT,
            End.ROOM,
            End.UNREAD);

    /** Consumers wait for a signal, too, but then no task queues behind them. */
    private static final Set<End> NOT_COME = EnumSet.complementOf(EnumSet.of(End.MOVING));

    private Standstill() {}

    /**
     * {@return whether the pool stands still at the end of a window}
     *
     * @param recent where the time of its workers went lately; not null
     * @param busy how many workers were busy lately
     */
    public static boolean isStandstill(PoolWindow window, TimeBreakdown recent, double busy) {
        if (!window.countsTasks()) {
            TimeBreakdown all = window.last(Thresholds.STANDSTILL_FIRST_SECONDS).breakdown(); // nothing changed
            Estimate waiting = window.countsQueue() && isWaitedFor(window.before()) && isWaitedFor(window.after())
                    ? all.workers(Doing.WAITING_FOR_LOCK, Doing.WAITING_IN_LINE, Doing.WAITING_FOR_RESULT)
                    : locksAndLimitedLines(all);
            return hasNobodyMovedForLong(window) && isNearlyAll(window, all, busy, waiting.low());
        }
        return window.countsQueue()
                && isLongEnough(window)
                && isNearlyAll(
                        window,
                        recent,
                        busy,
                        recent.workers(Doing.WAITING_FOR_LOCK, Doing.WAITING_IN_LINE, Doing.WAITING_FOR_RESULT)
                                .low());
    }

    /**
     * {@return whether the pool may stand still, so that no size can be named: nothing was completed in the last
     * second, nor in twice the time that a task takes on average} Where tasks are not counted, no worker was on a CPU
     * in the last second, and nearly all may wait for locks or queue for something limited.
     */
    public static boolean mayStandStill(PoolWindow window) {
        if (window.countsTasks()) {
            double stood = 0;
            for (PoolWindow part : window.parts(window.windows())) {
                if (part.completed() > 0) {
                    break;
                }
                stood += part.seconds();
            }
            return PoolWindow.lasts(stood, Math.max(1, secondsOfTasks(window)));
        }
        TimeBreakdown recent = window.last(LATELY).breakdown();
        return hasNobodyMoved(window.last(LATELY))
                && isNearlyAll(
                        window,
                        recent,
                        busyWorkers(window),
                        locksAndLimitedLines(recent).high());
    }

    /**
     * Workers at locks and limited resources. Those that wait for results count where they are not more: they wait for
     * the others. Those that wait outside or for a notification count where more wait for locks: they hold them.
     */
    private static Estimate locksAndLimitedLines(TimeBreakdown times) {
        Estimate limited = Estimate.ZERO;
        for (Share share : times.shares()) {
            boolean isLimited = share.doing() == Doing.WAITING_IN_LINE
                    && share.awaited().orElse(null) instanceof Awaited.Line line
                    && line.limited();
            limited = isLimited ? limited.plus(share.workers()) : limited;
        }
        double locks = times.workers(Doing.WAITING_FOR_LOCK).value();
        boolean haveLocks = times.workers(Doing.WAITING_OUTSIDE).value() < locks;
        boolean notifiedHaveLocks = times.workers(Doing.WAITING_IN_LINE).value() - limited.value() < locks;
        boolean waitForOthers = times.workers(Doing.WAITING_FOR_RESULT).value() <= locks + limited.value();
        List<Doing> counted = new ArrayList<>(List.of(Doing.WAITING_FOR_LOCK));
        if (haveLocks) {
            counted.add(Doing.WAITING_OUTSIDE);
        }
        if (waitForOthers) {
            counted.add(Doing.WAITING_FOR_RESULT);
        }
        if (notifiedHaveLocks) {
            counted.add(Doing.WAITING_IN_LINE);
        }
        Estimate all = times.workers(counted.toArray(Doing[]::new));
        return notifiedHaveLocks ? all : all.plus(limited);
    }

    static double busyWorkers(PoolWindow window) {
        return busyIn(window.last(LATELY));
    }

    /** {@return the mean number of busy workers; of a pool that does not measure its tasks, by the looks at workers} */
    public static double busyIn(PoolWindow recent) {
        TimeBreakdown times = recent.breakdown();
        return recent.isMeasured() || times.looks() + times.stacks() == 0
                ? recent.busyWorkers()
                : Math.max(0, times.workers() - times.workers(Doing.IDLE).value());
    }

    private static boolean hasNobodyMovedForLong(PoolWindow window) {
        PoolWindow recent = window.last(Thresholds.STANDSTILL_FIRST_SECONDS);
        return recent.lasts(window.threshold(Thresholds.STANDSTILL_FIRST_SECONDS)) && hasNobodyMoved(recent);
    }

    /** Whether no worker was on a CPU but to look at a monitor, so that none can have completed anything. */
    static boolean hasNobodyMoved(PoolWindow window) {
        ThreadTimes times = window.workerTimes().orElse(null);
        return times != null && times.voluntarySwitches() + times.involuntarySwitches() <= looksAtMonitors(window);
    }

    /** On older JDKs, as 17, one of those that wait for a monitor may wake each second, look at it, and wait on. */
    private static long looksAtMonitors(PoolWindow window) {
        Set<String> names = new HashSet<>();
        for (Share share : window.breakdown().shares()) {
            if (share.doing() == Doing.WAITING_FOR_LOCK
                    && share.awaited().orElse(null) instanceof Awaited.Lock lock
                    && lock.monitor()) {
                names.add(lock.name());
            }
        }
        long monitors = names.size();
        double seconds = Math.min(window.seconds(), 2 * window.threshold(Thresholds.STANDSTILL_FIRST_SECONDS));
        return monitors == 0 ? 0 : monitors * (1 + Math.round(seconds)); // fewer where a clock leapt
    }

    /** Whether a worker is known to have been on a CPU. */
    static boolean hasMoved(PoolWindow window) {
        return window.workerTimes().isPresent() && !hasNobodyMoved(window);
    }

    /**
     * {@return for how long the pool has stood still; empty where it does not, or where that is not certain}
     *
     * <p>Either nearly all workers wait within the process. Or they wait outside as well, and nothing was completed for
     * 4 s. Or a {@linkplain WaitChain chain} tells that they wait for what never comes, also between two tasks. Where
     * tasks and queue are counted, it is enough that the chain shows them waiting for one thing, however few stacks
     * were read.
     */
    public static Optional<Duration> of(PoolWindow window) {
        TimeBreakdown recent = window.last(LATELY).breakdown();
        double busy = busyWorkers(window);
        if (isStandstill(window, recent, busy)) {
            return stoodStill(window);
        }
        double seconds = Math.max(window.threshold(Thresholds.STANDSTILL_FIRST_SECONDS), secondsOfTasks(window));
        Optional<Duration> length = stoodStillFor(window, seconds);
        boolean areOutside = window.countsTasks()
                && window.countsQueue()
                && isNearlyAll(window, recent, busy, recent.workers(WAITS).low())
                && recent.workers(Doing.WAITING_OUTSIDE).low() > 0;
        return areOutside || isToldByChain(window) ? length : Optional.empty();
    }

    /** Whether nearly all workers wait for what is certain not to come, or, as counts say, has not come. */
    private static boolean isToldByChain(PoolWindow window) {
        boolean isCounted = window.countsTasks() && window.countsQueue();
        WaitChain chain = window.seen(WaitChain.class).orElse(null);
        return chain != null
                && (isCounted ? NOT_COME : NEVER).contains(chain.end())
                && (window.countsTasks() || !isLatch(chain))
                && chain.waiting() + waitOtherwise(window, chain)
                        >= window.threshold(Thresholds.STANDSTILL_SHARE)
                                * Math.max(chain.workers(), window.after().size());
    }

    /**
     * Workers that wait for a class seem to compute. Others wait besides them, as the one that initialises it. Of those
     * that wait for a lock, its holder may be a worker, too, that waits for something else.
     */
    private static double waitOtherwise(PoolWindow window, WaitChain chain) {
        Estimate all = window.last(LATELY).breakdown().workers(WAITS);
        return chain.first().thing().startsWith(INITIALISATION)
                ? Math.round(all.low())
                : Math.max(0, Math.min(chain.links().size() - 1, Math.round(all.value()) - chain.waiting()));
    }

    /** Threads may wait at a latch until the process ends. */
    private static boolean isLatch(WaitChain chain) {
        return chain.end() == End.PARTY && chain.first().thing().endsWith("CountDownLatch");
    }

    /**
     * {@return for how long nothing has been completed while tasks queued, as far back as windows go; empty where the
     * latest window has completed something, or no task queues} Where tasks are not counted, for how long no worker was
     * on a CPU.
     */
    public static Optional<Duration> stoodStill(PoolWindow window) {
        Duration sum = Duration.ZERO;
        for (PoolWindow part : window.parts(window.windows())) {
            if (!hasStopped(part)) {
                break;
            }
            sum = sum.plus(part.length());
        }
        return sum.isZero() ? Optional.empty() : Optional.of(sum);
    }

    /**
     * {@return whether nothing was completed in a window while tasks queued, or submitters or another pool waited}
     * Where tasks are not counted, whether no worker was on a CPU.
     */
    public static boolean hasStopped(PoolWindow part) {
        if (!part.countsTasks()) {
            return hasNobodyMoved(part);
        }
        boolean doOthersWait = false;
        for (Map.Entry<String, Set<String>> other : part.waitsOfOthers().entrySet()) {
            doOthersWait |=
                    !other.getKey().equals(part.pool()) && other.getValue().contains(part.pool());
        }
        return part.completed() == 0 && (doOthersWait || (isWaitedFor(part.before()) && isWaitedFor(part.after())));
    }

    private static boolean isWaitedFor(PoolSnapshot moment) {
        return moment.queued() > 0 || moment.saturation().blockedNow() > 0;
    }

    private static boolean isLongEnough(PoolWindow window) {
        Distribution tasks = window.after().serviceTime();
        double seconds = tasks.isKnown() && tasks.count() > 0
                ? Math.max(window.threshold(Thresholds.STANDSTILL_SECONDS), secondsOfTasks(window))
                : window.threshold(Thresholds.STANDSTILL_FIRST_SECONDS);
        return stoodStillFor(window, seconds).isPresent();
    }

    /** As many times as long as a task takes on average, as the threshold says; 0 where that is unknown. */
    private static double secondsOfTasks(PoolWindow window) {
        Distribution tasks = window.after().serviceTime();
        return tasks.isKnown() && tasks.count() > 0
                ? window.threshold(Thresholds.STANDSTILL_TIMES_MEAN)
                        * tasks.mean().toNanos()
                        / 1e9
                : 0;
    }

    private static Optional<Duration> stoodStillFor(PoolWindow window, double seconds) {
        Optional<Duration> stood = stoodStill(window);
        return stood.isPresent() && PoolWindow.lasts(stood.get().toNanos() / 1e9, seconds) ? stood : Optional.empty();
    }

    private static boolean isNearlyAll(PoolWindow window, TimeBreakdown times, double busy, double inside) {
        double known = busy - Math.min(busy, times.unknown());
        return busy > 0
                && known >= window.threshold(Thresholds.STANDSTILL_SEEN) * busy
                && inside >= window.threshold(Thresholds.STANDSTILL_SHARE) * known;
    }
}
