package io.lifeguard.pool.diagnosis.window;

import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import java.util.List;

/**
 * Tells from looks at the workers that none of them ever waits for a task, where the queue cannot be seen. Stateless.
 *
 * <p>A worker that has to wait for its next task is idle in between. But a worker that runs an endless loop is never
 * idle either. So no worker may sleep, or wait for something that others may bring some day, as a loop does between two
 * messages. And most workers must have been switched on and off their CPUs in most windows, since a loop over a silent
 * connection is not.
 */
final class NeverIdle {

    /** With four looks at each worker, a worker that idles for half of its time is missed once in 16 windows. */
    private static final int FEWEST_LOOKS = 4;

    /** Of the workers: as many as {@link Occupancy#isSaturated} allows for. */
    private static final double MAY_BE_IDLE = 0.05;

    /** Of workers and windows: a loop over a connection with a message each four seconds moves in a quarter of them. */
    private static final double MOVE = 0.5;

    private NeverIdle() {}

    /**
     * {@return whether no worker was seen idle}
     *
     * @param workers those of each of the latest windows
     */
    static boolean in(TimeBreakdown times, List<WorkerWindow> workers) {
        double maybeIdle = times.shares().stream()
                .filter(NeverIdle::mayBeIdle)
                .mapToDouble(share -> share.workers().value())
                .sum();
        long moving = workers.stream().filter(WorkerWindow::hasMoved).count();
        return times.workers() > 0
                && times.looks() >= FEWEST_LOOKS
                && maybeIdle <= MAY_BE_IDLE * times.workers()
                && moving >= MOVE * workers.size();
    }

    private static boolean mayBeIdle(Share share) {
        return switch (share.doing()) {
            case IDLE, SLEEPING, UNKNOWN -> true;
            case WAITING_IN_LINE -> !(share.awaited().orElse(null) instanceof Awaited.Line line && line.limited());
            default -> false;
        };
    }
}
