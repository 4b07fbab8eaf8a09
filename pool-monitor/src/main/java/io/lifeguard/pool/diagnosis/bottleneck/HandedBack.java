package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.RejectionReason;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.Optional;

/**
 * The tasks that found no room and went to the user's own handler, while workers idled. Immutable.
 *
 * <p>What the handler does with them is unknown. If it runs them on the submitting thread, that thread submits nothing
 * meanwhile, which the idle workers show.
 *
 * @param window the last 2 s
 * @param tasks how many tasks the handler got
 * @param idleWorkers how many workers idled on average
 */
public record HandedBack(PoolWindow window, long tasks, double idleWorkers) {

    private static final Duration RECENT = Duration.ofSeconds(2);

    /**
     * {@return the tasks that a handler got; empty unless there were three, one of them in the latest window, and a
     * fifth of the workers idled}
     */
    public static Optional<HandedBack> in(PoolWindow latest) {
        if (!latest.isMeasured() || count(latest.after()) == count(latest.before())) {
            return Optional.empty();
        }
        PoolWindow recent = latest.last(RECENT);
        int workers = recent.after().size();
        HandedBack seen =
                new HandedBack(recent, count(recent.after()) - count(recent.before()), workers - recent.busyWorkers());
        double idle = Math.max(1, latest.threshold(Thresholds.DISPATCHER_IDLE) * workers);
        return seen.tasks >= latest.threshold(Thresholds.DISPATCHER_RUNS) && seen.idleWorkers >= idle
                ? Optional.of(seen)
                : Optional.empty();
    }

    private static long count(PoolSnapshot snapshot) {
        return snapshot.saturation().rejections().getOrDefault(RejectionReason.LEFT_TO_HANDLER, 0L);
    }
}
