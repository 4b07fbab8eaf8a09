package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import java.time.Duration;
import java.util.Optional;

/**
 * Tells whether a pool stands still, whatever the reason: tasks queue, none is completed, and the workers wait within
 * the process. Stateless.
 *
 * <p>Nothing must have been completed for 2 s, and for twice as long as a task takes on average: workers that began
 * together end together. Before the first task has ended its length is unknown, so 4 s must have passed. At least 90 %
 * of the workers of which anything is known wait for a lock, in a line, or for a result, by the lower bound. Workers
 * that compute, sleep or wait for something outside may yet end their tasks.
 *
 * <p>Closest healthy workload: tasks that take seconds and wait for results of another pool.
 */
public final class Standstill {

    private Standstill() {}

    /**
     * {@return whether the pool stands still at the end of a window}
     *
     * @param window not null
     * @param recent where the time of its workers went lately; not null
     * @param busy how many workers were busy lately
     */
    public static boolean isStandstill(PoolWindow window, TimeBreakdown recent, double busy) {
        return window.countsTasks()
                && window.countsQueue()
                && isLongEnough(window)
                && doWorkersWait(window, recent, busy);
    }

    /**
     * {@return for how long nothing has been completed while tasks queued, as far back as windows go; empty where the
     * latest window has completed something, or no task queues}
     *
     * @param window not null
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
        return part.completed() == 0
                && part.before().queued() > 0
                && part.after().queued() > 0;
    }

    private static boolean isLongEnough(PoolWindow window) {
        Distribution tasks = window.after().serviceTime();
        double seconds = tasks.isKnown() && tasks.count() > 0
                ? Math.max(
                        window.threshold(Thresholds.STANDSTILL_SECONDS),
                        window.threshold(Thresholds.STANDSTILL_TIMES_MEAN)
                                * tasks.mean().toNanos()
                                / 1e9)
                : window.threshold(Thresholds.STANDSTILL_FIRST_SECONDS);
        return stoodStill(window)
                .filter(length -> PoolWindow.lasts(length.toNanos() / 1e9, seconds))
                .isPresent();
    }

    private static boolean doWorkersWait(PoolWindow window, TimeBreakdown times, double busy) {
        double known = busy - Math.min(busy, times.unknown());
        Estimate inside = times.workers(Doing.WAITING_FOR_LOCK, Doing.WAITING_IN_LINE, Doing.WAITING_FOR_RESULT);
        return busy > 0
                && known >= window.threshold(Thresholds.STANDSTILL_SEEN) * busy
                && inside.low() >= window.threshold(Thresholds.STANDSTILL_SHARE) * known;
    }
}
