package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.List;
import java.util.OptionalInt;

/**
 * Finds the work that stands at a pool whose clients wait for answers before they send more. Stateless.
 *
 * <p>Such a closed loop keeps the number of busy workers and queued tasks nearly constant, so no more workers than that
 * can ever be busy. A loop is closed if no submitter waited for room, was turned away or ran a task, the queue was not
 * full, and busy plus queued differed by less than 20 % between the ends of windows. In an open loop the queue would
 * grow without end, or drain.
 */
final class StandingWork {

    /** Windows: two may have the same number of tasks at their ends by chance. */
    private static final int FEWEST_WINDOWS = 3;

    /** Share of the standing work by which it may differ. A judgement: clients pause between answer and request. */
    private static final double MOST_CHANGE = 0.2;

    /** Tasks by which it may differ anyway: requests that are between answer and next request. */
    private static final int ALWAYS_ALLOWED = 2;

    /** Tasks of each client: after two of them the client has sent a request that waited for an answer. */
    private static final int TASKS_PER_CLIENT = 2;

    private StandingWork() {}

    /** {@return busy workers and queued tasks together; empty when the loop is open, or too little was seen} */
    static OptionalInt in(List<PoolWindow> windows) {
        int most = 0;
        int fewest = Integer.MAX_VALUE;
        long tasks = 0;
        boolean isOpen = windows.size() < FEWEST_WINDOWS;
        for (PoolWindow window : windows) {
            int standing = window.after().active() + window.after().queued();
            most = Math.max(most, standing);
            fewest = Math.min(fewest, standing);
            tasks += window.completed();
            isOpen |= isOpen(window);
        }
        boolean isSteady = most - fewest <= Math.max(ALWAYS_ALLOWED, MOST_CHANGE * most)
                && tasks >= (long) TASKS_PER_CLIENT * most;
        return !isOpen && isSteady && most > 0 ? OptionalInt.of(most) : OptionalInt.empty();
    }

    private static boolean isOpen(PoolWindow window) {
        return window.blockedSubmit().count() > 0
                || window.after().saturation().blockedNow() > 0
                || window.rejected() > 0
                || window.callerRuns() > 0
                || window.after().queued() >= window.queueCapacity();
    }
}
