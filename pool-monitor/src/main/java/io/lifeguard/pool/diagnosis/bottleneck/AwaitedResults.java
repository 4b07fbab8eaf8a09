package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
        UNKNOWN
    }

    Estimate workers(Origin... origins) {
        return sum(shares(origins));
    }

    /** The workers that wait for tasks of this origin, as one group; empty when there are none. */
    Optional<WaitingWorkers> group(Origin origin) {
        return group(shares(origin).toList());
    }

    /** The workers that wait for the other pool with most waiting workers; empty when none wait for another pool. */
    Optional<WaitingWorkers> mostAwaited() {
        return byPool().values().stream()
                .max(Comparator.comparingDouble(shares -> sum(shares.stream()).value()))
                .flatMap(AwaitedResults::group);
    }

    /** How many workers wait for each of the other pools. */
    Map<String, Estimate> workersByPool() {
        Map<String, Estimate> workers = new TreeMap<>();
        byPool().forEach((other, shares) -> workers.put(other, sum(shares.stream())));
        return workers;
    }

    private Map<String, List<Share>> byPool() {
        return shares(Origin.OTHER_POOL)
                .collect(Collectors.groupingBy(share -> poolOf(share).orElse(""), TreeMap::new, Collectors.toList()));
    }

    private static Optional<WaitingWorkers> group(List<Share> shares) {
        return shares.isEmpty() ? Optional.empty() : Optional.of(new WaitingWorkers(sum(shares.stream()), shares));
    }

    private static Estimate sum(Stream<Share> shares) {
        return Estimate.sum(shares.map(Share::workers));
    }

    private Stream<Share> shares(Origin... origins) {
        List<Origin> wanted = List.of(origins);
        return times.places(Doing.WAITING_FOR_RESULT).filter(share -> wanted.contains(origin(share)));
    }

    private Origin origin(Share share) {
        Optional<String> other = poolOf(share);
        if (other.isEmpty()) {
            return Origin.UNKNOWN;
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
