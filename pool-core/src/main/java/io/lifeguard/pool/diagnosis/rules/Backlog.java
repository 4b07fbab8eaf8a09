package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.window.PoolWindow;

/** Whether more tasks wait than the pool will soon have done. Stateless. */
final class Backlog {

    /** A burst that is gone by then needs no other size; as long as a person would watch it drain. */
    private static final double SOON_SECONDS = 30;

    private static final int WINDOWS = 5;

    private Backlog() {}

    /** All workers busy and tasks waiting, over the last five windows and in the latest, and not about to be done. */
    static boolean stays(PoolWindow window) {
        PoolWindow recent = window.last(WINDOWS);
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
