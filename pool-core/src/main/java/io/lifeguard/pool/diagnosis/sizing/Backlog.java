package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;

/** Tells whether more tasks wait than the pool will soon have done. Stateless. */
public final class Backlog {

    /** A burst that is gone within 30 s needs no other size. A person would watch it drain for about as long. */
    private static final double SOON_SECONDS = 30;

    private static final Duration RECENT = Duration.ofSeconds(2);

    private Backlog() {}

    /**
     * {@return whether all workers are busy and tasks wait, over the last 2 s and in the latest window, and the queue
     * does not drain soon}
     *
     * @param window not null
     */
    public static boolean stays(PoolWindow window) {
        PoolWindow recent = window.last(RECENT);
        return window.isSaturated() && recent.isSaturated() && !drains(recent);
    }

    private static boolean drains(PoolWindow recent) {
        boolean isWaitedFor = recent.after().saturation().blockedNow() > 0
                || recent.blockedSubmit().count() > 0
                || recent.rejected() > 0
                || recent.callerRuns() > 0;
        double drained = (recent.before().queued() - recent.after().queued()) / recent.seconds();
        return !isWaitedFor && drained > 0 && recent.after().queued() < drained * SOON_SECONDS;
    }
}
