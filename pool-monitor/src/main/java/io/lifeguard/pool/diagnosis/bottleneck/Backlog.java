package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;

/**
 * Tells whether more tasks wait than the pool will soon have done. Stateless.
 *
 * <p>Where clients wait for answers, or send tasks in chunks and wait for each, the queue goes up and down, and shrinks
 * in half of all windows. So a queue drains only where it shrank by more than chance makes: twice the standard
 * deviation of random arrivals and departures, √(arrivals + departures). That is looked for in the last 2 s, and over
 * all the time for which tasks have been waiting, at most 10 s.
 */
public final class Backlog {

    private static final Duration RECENT = Duration.ofSeconds(2);
    private static final Duration LONGER = Duration.ofSeconds(10);

    private Backlog() {}

    /**
     * {@return whether all workers are busy and tasks wait, over the last 2 s and in the latest window, and the queue
     * does not drain soon}
     */
    public static boolean stays(PoolWindow window) {
        PoolWindow recent = window.last(RECENT);
        return window.isSaturated()
                && recent.isSaturated()
                && (isWaitedFor(recent) || !(drains(recent.before(), recent) || drains(beginning(window), window)));
    }

    private static boolean isWaitedFor(PoolWindow recent) {
        return recent.after().saturation().blockedNow() > 0
                || recent.blockedSubmit().count() > 0
                || recent.rejected() > 0
                || recent.callerRuns() > 0;
    }

    /** The moment since which tasks have been waiting, at most 10 s ago. */
    private static PoolSnapshot beginning(PoolWindow window) {
        PoolSnapshot beginning = window.before();
        for (PoolWindow earlier : window.earlier()) {
            long nanos = window.after().nanoTime() - earlier.before().nanoTime();
            if (!earlier.isSaturated() || nanos > LONGER.toNanos()) {
                break;
            }
            beginning = earlier.before();
        }
        return beginning;
    }

    private static boolean drains(PoolSnapshot before, PoolWindow until) {
        PoolSnapshot after = until.after();
        double seconds = (after.nanoTime() - before.nanoTime()) / 1e9;
        int shrunk = before.queued() - after.queued();
        long moved = after.submitted() - before.submitted() + after.completed() - before.completed();
        double chance = until.countsTasks() ? Math.sqrt((double) Math.max(0, moved)) : 0;
        return shrunk > Thresholds.DRAIN_CHANCE * chance
                && after.queued() < shrunk / seconds * Thresholds.DRAIN_SECONDS;
    }
}
