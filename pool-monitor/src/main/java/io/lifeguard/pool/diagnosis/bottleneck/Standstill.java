package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

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
 * queue. Workers that wait for a message may do so for hours.
 *
 * <p>Closest healthy workload: tasks that take seconds and wait for results of another pool.
 */
public final class Standstill {

    private static final Duration LATELY = Duration.ofSeconds(1);

    private Standstill() {}

    /**
     * {@return whether the pool stands still at the end of a window}
     *
     * @param recent where the time of its workers went lately; not null
     * @param busy how many workers were busy lately
     */
    public static boolean isStandstill(PoolWindow window, TimeBreakdown recent, double busy) {
        if (!window.countsTasks() && !window.countsQueue()) {
            return hasNobodyMovedForLong(window) && isNearlyAll(window, recent, busy, locksAndLimitedLines(recent));
        }
        return window.countsTasks()
                && window.countsQueue()
                && isLongEnough(window)
                && isNearlyAll(
                        window,
                        recent,
                        busy,
                        recent.workers(Doing.WAITING_FOR_LOCK, Doing.WAITING_IN_LINE, Doing.WAITING_FOR_RESULT));
    }

    /**
     * {@return whether a pool that does not count its tasks may stand still: no worker was on a CPU in the last second,
     * and nearly all wait for a lock or queue for something limited}
     *
     * @param recent where the time of its workers went lately; not null
     * @param busy how many workers were busy lately
     */
    public static boolean mayStandStill(PoolWindow window, TimeBreakdown recent, double busy) {
        return !window.countsTasks()
                && hasNobodyMoved(window.last(LATELY))
                && isNearlyAll(window, recent, busy, locksAndLimitedLines(recent));
    }

    private static Estimate locksAndLimitedLines(TimeBreakdown times) {
        return Estimate.sum(Stream.concat(
                times.places(Doing.WAITING_FOR_LOCK).map(Share::workers),
                times.places(Doing.WAITING_IN_LINE)
                        .filter(share -> share.awaited().orElse(null) instanceof Awaited.Line line && line.limited())
                        .map(Share::workers)));
    }

    private static boolean hasNobodyMovedForLong(PoolWindow window) {
        PoolWindow recent = window.last(Thresholds.STANDSTILL_FIRST_SECONDS);
        return recent.lasts(window.threshold(Thresholds.STANDSTILL_FIRST_SECONDS)) && hasNobodyMoved(recent);
    }

    /** Whether no worker was on a CPU for a moment, so that none can have completed anything. */
    static boolean hasNobodyMoved(PoolWindow window) {
        return window.workerTimes()
                .filter(times -> times.voluntarySwitches() + times.involuntarySwitches() == 0)
                .isPresent();
    }

    /** Whether a worker is known to have been on a CPU. */
    static boolean hasMoved(PoolWindow window) {
        return window.workerTimes().isPresent() && !hasNobodyMoved(window);
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

    private static boolean hasStopped(PoolWindow part) {
        if (!part.countsTasks()) {
            return hasNobodyMoved(part);
        }
        return part.completed() == 0
                && part.before().queued() > 0
                && part.after().queued() > 0;
    }

    /**
     * {@return for how long nothing has been completed while tasks queued, whatever the workers wait for; empty where
     * that is less than 4 s, or less than twice as long as a task takes on average, and where tasks are not counted}
     */
    public static Optional<Duration> completesNothing(PoolWindow window) {
        double seconds = Math.max(window.threshold(Thresholds.STANDSTILL_FIRST_SECONDS), secondsOfTasks(window));
        return window.countsTasks() && window.countsQueue() ? stoodStillFor(window, seconds) : Optional.empty();
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
        return stoodStill(window).filter(length -> PoolWindow.lasts(length.toNanos() / 1e9, seconds));
    }

    private static boolean isNearlyAll(PoolWindow window, TimeBreakdown times, double busy, Estimate inside) {
        double known = busy - Math.min(busy, times.unknown());
        return busy > 0
                && known >= window.threshold(Thresholds.STANDSTILL_SEEN) * busy
                && inside.low() >= window.threshold(Thresholds.STANDSTILL_SHARE) * known;
    }
}
