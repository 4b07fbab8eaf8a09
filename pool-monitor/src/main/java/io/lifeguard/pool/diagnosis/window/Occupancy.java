package io.lifeguard.pool.diagnosis.window;

import io.lifeguard.pool.PoolSnapshot;

/**
 * How busy the workers were between two snapshots of their pool. Immutable.
 *
 * @param busiest the number of busy workers at one of the two moments, or on average, whichever is highest
 * @param hasBacklog whether tasks or submitters waited at both moments
 */
record Occupancy(double busyWorkers, double meanSize, double busiest, boolean hasBacklog) {

    private static final double NANOS = 1e9; // nanoseconds in one second

    /** Share of the time; the rest allows for changing tasks, starting threads, and looking at two moments. */
    private static final double SATURATED = 0.95;

    static Occupancy between(PoolSnapshot before, PoolSnapshot after) {
        double idle = idleWorkers(before, after);
        double size = meanSize(before, after, idle);
        boolean isMeasured =
                !after.times().idle().isZero() || after.serviceTime().count() > 0;
        double busy = isMeasured
                ? Math.max(0, Math.min(size, size - idle))
                : (before.active() + after.active()) / 2.0; // only two moments are known
        return new Occupancy(
                busy,
                size,
                Math.max(busy, Math.max(before.active(), after.active())),
                hasWaiting(before) && hasWaiting(after));
    }

    /** The share of the workers that were busy; 0 when there were none. */
    double utilisation() {
        return meanSize == 0 ? 0 : Math.min(1, busyWorkers / meanSize);
    }

    /** Whether tasks waited at both moments, and workers were busy in between. */
    boolean isSaturated() {
        return hasBacklog && utilisation() >= SATURATED;
    }

    private static boolean hasWaiting(PoolSnapshot snapshot) {
        return snapshot.queued() > 0 || snapshot.saturation().blockedNow() > 0;
    }

    /**
     * The mean number of workers. The moments at which workers came and went are unknown. But workers that idled, and
     * workers that ran tasks, were there. The two snapshots show the workers whose tasks have not ended yet. The mean
     * of both sizes would be wrong: 64 workers started in the last second of a minute would look like 32.
     */
    private static double meanSize(PoolSnapshot before, PoolSnapshot after, double idle) {
        int fewest = Math.min(before.size(), after.size());
        int most = Math.max(before.size(), after.size());
        double served = Span.between(before.serviceTime(), after.serviceTime()).seconds() / seconds(before, after);
        double seen = Math.min(idle + served, most);
        return Math.max(fewest, Math.max(seen, (before.active() + after.active()) / 2.0));
    }

    private static double idleWorkers(PoolSnapshot before, PoolSnapshot after) {
        double idle = after.times().idle().toNanos() - before.times().idle().toNanos();
        return Math.max(0, idle / NANOS / seconds(before, after));
    }

    /** The time between the two snapshots in seconds, positive. */
    static double seconds(PoolSnapshot before, PoolSnapshot after) {
        return Math.max(1, after.nanoTime() - before.nanoTime()) / NANOS;
    }
}
