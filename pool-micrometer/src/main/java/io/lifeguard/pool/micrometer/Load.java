package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.window.PoolWindow;

/**
 * Computes how busy a pool was, and how much was asked of it. Stateless.
 *
 * <p><b>Utilisation</b> is the share of the workers' time in which they had a task.
 *
 * <p><b>Saturation</b> is the number of workers that the offered tasks needed on average, divided by the number of
 * workers that the pool may have. It is 1 at most:
 *
 * <pre>{@code
 * (busy workers + tasks and submitters that waited
 *     + (rejected + run by callers) per second × mean service time) / workers
 * }</pre>
 *
 * By Little's law the mean number of tasks that waited is the sum of their waiting times divided by the length of the
 * window (J. D. C. Little, <i>A proof for the queuing formula L = λW</i>, Operations Research 9, 1961). So the
 * numerator is the offered load plus its backlog, in workers. Saturation grows in proportion to the load, whether tasks
 * compute or wait. An autoscaler needs that, and the CPU's utilisation does not show it. Unlike utilisation, saturation
 * does not stay below 1 while tasks wait.
 */
final class Load {

    private Load() {}

    static double utilisation(Reading reading) {
        PoolWindow window = reading.window();
        if (window != null) {
            return window.utilisation();
        }
        PoolSnapshot now = reading.now();
        return now.size() == 0 ? 0 : Math.min(1, (double) now.active() / now.size());
    }

    /**
     * @param reading the latest reading; if there is no earlier one, the value is that of the moment
     * @param isQueueDue whether tasks in the queue are due; in a scheduled pool's queue they wait for their time
     */
    static double saturation(Reading reading, boolean isQueueDue) {
        PoolSnapshot now = reading.now();
        PoolWindow window = reading.window();
        double load = window == null
                ? now.active() + waiting(now, isQueueDue)
                : window.busyWorkers() + waited(window, isQueueDue) + turnedAway(window);
        return Math.max(0, Math.min(1, load / workers(now)));
    }

    /**
     * The larger of two estimates. Only tasks that have begun have a queue wait; if none begins, the queue's length
     * shows the backlog.
     */
    private static double waited(PoolWindow window, boolean isQueueDue) {
        double ended = (window.queueWait().seconds() + window.blockedSubmit().seconds()) / window.seconds();
        double seen = (waiting(window.before(), isQueueDue) + waiting(window.after(), isQueueDue)) / 2;
        return Math.max(ended, seen);
    }

    private static double waiting(PoolSnapshot snapshot, boolean isQueueDue) {
        return (isQueueDue ? snapshot.queued() : 0) + snapshot.saturation().blockedNow();
    }

    private static double turnedAway(PoolWindow window) {
        double tasks = (double) window.rejected() + window.callerRuns();
        return tasks * window.serviceTime().meanSeconds() / window.seconds();
    }

    /** How many workers the pool may have. It never has more than its core size while its queue is unbounded. */
    private static double workers(PoolSnapshot now) {
        PoolSnapshot.Limits limits = now.limits();
        boolean isUnbounded = (long) limits.queueRemaining() + now.queued() >= Integer.MAX_VALUE / 2;
        int most = isUnbounded ? Math.max(limits.coreSize(), now.size()) : limits.maximumSize();
        return Math.max(1, most);
    }
}
