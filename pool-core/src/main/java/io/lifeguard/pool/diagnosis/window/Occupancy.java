package io.lifeguard.pool.diagnosis.window;

import io.lifeguard.pool.PoolSnapshot;

/** Computes how busy workers were between two snapshots of their pool. Stateless. */
final class Occupancy {

    private static final double NANOS = 1e9;
    private static final double SATURATED = 0.95;

    private Occupancy() {}

    /** The mean number of busy workers. */
    static double busyWorkers(PoolSnapshot before, PoolSnapshot after) {
        if (after.times().idle().isZero() && after.serviceTime().count() == 0) {
            return (before.active() + after.active()) / 2.0; // this pool does not measure: only two moments are known
        }
        double size = meanSize(before, after);
        return Math.max(0, Math.min(size, size - idleWorkers(before, after)));
    }

    /** The number of busy workers at one of the two moments, or in the mean, whichever is highest. */
    static double busiest(PoolSnapshot before, PoolSnapshot after) {
        return Math.max(busyWorkers(before, after), Math.max(before.active(), after.active()));
    }

    /** The share of the workers that were busy; 0 when there were none. */
    static double utilisation(PoolSnapshot before, PoolSnapshot after) {
        double size = meanSize(before, after);
        return size == 0 ? 0 : Math.min(1, busyWorkers(before, after) / size);
    }

    /** Whether tasks waited at both moments, and workers were busy in between. */
    static boolean isSaturated(PoolSnapshot before, PoolSnapshot after) {
        return hasWaiting(before) && hasWaiting(after) && utilisation(before, after) >= SATURATED;
    }

    private static boolean hasWaiting(PoolSnapshot snapshot) {
        return snapshot.queued() > 0 || snapshot.saturation().blockedNow() > 0;
    }

    /**
     * The mean number of workers. The moments at which workers came and went are unknown. But workers that idled, and
     * workers that ran tasks, were there. The two snapshots show the workers whose tasks have not ended yet. The mean
     * of both sizes would be wrong: 64 workers started in the last second of a minute would look like 32.
     */
    private static double meanSize(PoolSnapshot before, PoolSnapshot after) {
        int fewest = Math.min(before.size(), after.size());
        int most = Math.max(before.size(), after.size());
        double served = Span.between(before.serviceTime(), after.serviceTime()).seconds() / seconds(before, after);
        double seen = Math.min(idleWorkers(before, after) + served, most);
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
