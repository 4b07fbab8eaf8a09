package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The workers of a pool that wait for results of tasks, by the pool that has these tasks. Immutable.
 *
 * @param pool the name of the pool whose workers wait, not null
 * @param times where the workers' time went, not null
 */
record AwaitedResults(String pool, TimeBreakdown times) {

    /** Where the tasks are that workers wait for. */
    enum Origin {
        OWN_QUEUE,
        OWN_WORKERS,
        OTHER_POOL,
        /**
         * Unknown, but only a framework's own code waits, as Spring Batch's steps for their chunks in the same pool.
         */
        FRAMEWORK,
        UNKNOWN
    }

    Estimate workers(Origin... origins) {
        return WaitingWorkers.sum(shares(origins));
    }

    /** The workers that wait for tasks of these origins, as one group; empty when there are none. */
    Optional<WaitingWorkers> group(Origin... origins) {
        return group(shares(origins));
    }

    /** The workers that wait for the other pool with most waiting workers; empty when none wait for another pool. */
    Optional<WaitingWorkers> mostAwaited() {
        List<Share> most = List.of();
        for (List<Share> shares : byPool().values()) {
            boolean isMore = WaitingWorkers.sum(shares).value()
                    > WaitingWorkers.sum(most).value();
            most = isMore || most.isEmpty() ? shares : most;
        }
        return group(most);
    }

    /** How many workers wait for each of the other pools. */
    Map<String, Estimate> workersByPool() {
        Map<String, Estimate> workers = new TreeMap<>();
        for (Map.Entry<String, List<Share>> other : byPool().entrySet()) {
            workers.put(other.getKey(), WaitingWorkers.sum(other.getValue()));
        }
        return workers;
    }

    private Map<String, List<Share>> byPool() {
        Map<String, List<Share>> byPool = new TreeMap<>();
        for (Share share : shares(Origin.OTHER_POOL)) {
            String other = poolOf(share).orElse("");
            List<Share> here = byPool.getOrDefault(other, new ArrayList<>());
            byPool.put(other, here);
            here.add(share);
        }
        return byPool;
    }

    private static Optional<WaitingWorkers> group(List<Share> shares) {
        return shares.isEmpty()
                ? Optional.empty()
                : Optional.of(new WaitingWorkers(WaitingWorkers.sum(shares), shares));
    }

    private List<Share> shares(Origin... origins) {
        List<Origin> wanted = List.of(origins);
        List<Share> shares = new ArrayList<>();
        for (Share share : times.shares()) {
            if (share.doing() == Doing.WAITING_FOR_RESULT && wanted.contains(origin(share))) {
                shares.add(share);
            }
        }
        return shares;
    }

    private Origin origin(Share share) {
        Optional<String> other = poolOf(share);
        if (other.isEmpty()) {
            return UserFrames.isFramework(share.place()) ? Origin.FRAMEWORK : Origin.UNKNOWN;
        }
        if (!other.get().equals(pool)) {
            return Origin.OTHER_POOL;
        }
        return isQueued(share) ? Origin.OWN_QUEUE : Origin.OWN_WORKERS;
    }

    private static Optional<String> poolOf(Share share) {
        return share.awaited().orElse(null) instanceof Awaited.Result result ? result.pool() : Optional.empty();
    }

    private static boolean isQueued(Share share) {
        return share.awaited().orElse(null) instanceof Awaited.Result result && result.queued();
    }
}
