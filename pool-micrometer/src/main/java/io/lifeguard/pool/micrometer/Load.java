package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.PoolWindow;
import org.jspecify.annotations.Nullable;

/**
 * How busy a pool was, and how much was asked of it. Stateless.
 *
 * <p><b>Utilisation</b> is the share of the workers' time in which they had a task.
 *
 * <p><b>Saturation</b> is the mean number of workers that the offered tasks kept busy, waited for, or would have kept busy, divided by the number
 * of workers that the pool may have; 1 at most:
 * <pre>{@code (busy workers + tasks and submitters that waited + (rejected + run by callers) per second × mean service time) / workers}</pre>
 * By Little's law the mean number of tasks that waited is the sum of their waiting times divided by the length of the window (J. D. C. Little,
 * <i>A proof for the queuing formula L = λW</i>, Operations Research 9, 1961), so the sum is the offered load plus its backlog, in workers.
 * It grows in proportion to the load, whether tasks compute or wait, which an autoscaler needs and which the CPU's utilisation does not;
 * and unlike utilisation it does not stay below 1 while tasks wait.
 */
final class Load {

    private Load() {}

    static double utilisation(PoolSnapshot now, @Nullable PoolWindow window) {
        if (window != null) {
            return window.utilisation();
        }
        return now.size() == 0 ? 0 : Math.min(1, (double) now.active() / now.size());
    }

    /**
     * @param now the latest snapshot
     * @param window what happened recently, null when there is no earlier snapshot
     * @param isQueueDue whether tasks in the queue could run; in that of a scheduled pool they wait for their time
     */
    static double saturation(PoolSnapshot now, @Nullable PoolWindow window, boolean isQueueDue) {
        double load = window == null
                ? now.active() + waiting(now, isQueueDue)
                : window.busyWorkers() + waited(window, isQueueDue) + turnedAway(window);
        return Math.max(0, Math.min(1, load / workers(now)));
    }

    /** Where nothing was begun although tasks wait, the queue's length says more than the waits of those that were. */
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

    /** The maximum is never reached while the queue takes any number of tasks. */
    private static double workers(PoolSnapshot now) {
        PoolSnapshot.Limits limits = now.limits();
        boolean isUnbounded = (long) limits.queueRemaining() + now.queued() >= Integer.MAX_VALUE / 2;
        int most = isUnbounded ? Math.max(limits.coreSize(), now.size()) : limits.maximumSize();
        return Math.max(1, most);
    }
}
