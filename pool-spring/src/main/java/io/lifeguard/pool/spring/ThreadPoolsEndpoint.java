package io.lifeguard.pool.spring;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The endpoint {@code threadpools}: all pools; one of them; its findings; what its threads do. It reads, unless {@code
 * management.endpoint.threadpools.access=unrestricted} allows it to resize. Thread-safe.
 */
@Endpoint(id = "threadpools", defaultAccess = Access.READ_ONLY)
public class ThreadPoolsEndpoint {

    /** What of a pool is to be seen. */
    public enum View {
        /** What is wrong with it. */
        FINDINGS,
        /** What its threads do. */
        THREADS
    }

    private final LifeguardProperties.Endpoint limits;
    private final BlindSpots blindSpots;

    ThreadPoolsEndpoint(LifeguardProperties.Endpoint limits, BlindSpots blindSpots) {
        this.limits = limits;
        this.blindSpots = blindSpots;
    }

    /**
     * All pools, by name, and all findings.
     *
     * @return as many pools as {@code lifeguard.endpoint.max-pools} says
     */
    @ReadOperation
    public Object pools() {
        List<Finding> findings = GlobalMonitor.findings();
        Map<String, List<Finding>> byPool = findings.stream().collect(Collectors.groupingBy(Finding::pool));
        List<InstrumentedPool> pools = new ArrayList<>(GlobalMonitor.pools());
        pools.sort(Comparator.comparing(ThreadPoolsEndpoint::nameOf));
        List<PoolViews.Summary> shown = new ArrayList<>();
        Map<String, String> unseen = new TreeMap<>(blindSpots.all());
        for (InstrumentedPool pool : pools.subList(0, Math.min(limits.maxPools(), pools.size()))) {
            try {
                PoolSnapshot snapshot = pool.snapshot();
                List<Finding> its = byPool.getOrDefault(snapshot.name(), List.of());
                shown.add(PoolViews.Summary.of(snapshot, measures(snapshot), its));
            } catch (Throwable failure) { // of a class of the user's, or collected just now: the others are to be seen
                // nevertheless
                unseen.put(nameOf(pool), "cannot be read: " + failure.getClass().getName());
            }
        }
        return new PoolViews.Overview(
                shown,
                Math.max(0, pools.size() - limits.maxPools()),
                findings.stream()
                        .limit(limits.maxPools())
                        .map(PoolViews.FindingView::of)
                        .toList(),
                Math.max(0, findings.size() - limits.maxPools()),
                unseen);
    }

    /**
     * One pool.
     *
     * @param name its name
     * @return what it has measured; null when there is no such pool
     */
    @ReadOperation
    public @Nullable Object pool(@Selector String name) {
        return find(name)
                .flatMap(ThreadPoolsEndpoint::read)
                .map(snapshot -> PoolViews.Detail.of(snapshot, measures(snapshot), findingsOf(name)))
                .orElse(null);
    }

    /**
     * One pool, seen otherwise.
     *
     * @param name its name
     * @param view what is to be seen
     * @return its findings, or what its threads do; null when there is no such pool
     */
    @ReadOperation
    public @Nullable Object view(@Selector String name, @Selector View view) {
        Optional<InstrumentedPool> pool = find(name);
        if (pool.isEmpty()) {
            return null;
        }
        return switch (view) {
            case FINDINGS ->
                new PoolViews.Findings(
                        findingsOf(name).stream().map(PoolViews.FindingView::of).toList());
            case THREADS ->
                ThreadGroups.of(
                        pool.get().workers().stream().map(WorkerState::thread).toList(),
                        limits.maxThreads(),
                        limits.maxStackDepth());
        };
    }

    /**
     * Changes how many threads a pool has: core and maximum alike. Only where access is unrestricted, only of pools of Lifeguard, and until
     * the next start.
     *
     * @param name its name
     * @param size how many, from 1 to {@code lifeguard.endpoint.max-pool-size}
     * @return what it had and has
     * @throws InvalidEndpointRequestException if the size is out of its bounds, there is no such pool, or it cannot be resized
     */
    @WriteOperation
    public Object resize(@Selector String name, int size) {
        if (size < 1 || size > limits.maxPoolSize()) {
            throw refused("size must be between 1 and " + limits.maxPoolSize() + " (was " + size + ")");
        }
        InstrumentedPool pool = Pools.find(name)
                .orElseThrow(() -> refused(
                        find(name).isPresent()
                                ? "pool \"" + name + "\" is watched only, and cannot be resized"
                                : "there is no pool \"" + name + "\""));
        if (!(pool instanceof ThreadPoolExecutor executor)) {
            throw refused("pool \"" + name + "\" has no size that could be changed");
        }
        int before = mostThreads(executor);
        if (size < executor.getCorePoolSize()) {
            executor.setCorePoolSize(size);
            executor.setMaximumPoolSize(size);
        } else {
            executor.setMaximumPoolSize(size);
            executor.setCorePoolSize(size);
        }
        return new PoolViews.Resized(name, before, size);
    }

    /** Those for scheduled tasks never have more than their core, whatever they call their maximum. */
    private static int mostThreads(ThreadPoolExecutor executor) {
        return executor instanceof ScheduledThreadPoolExecutor
                ? executor.getCorePoolSize()
                : executor.getMaximumPoolSize();
    }

    private static InvalidEndpointRequestException refused(String reason) {
        return new InvalidEndpointRequestException(reason, reason);
    }

    private static Optional<InstrumentedPool> find(String name) {
        return GlobalMonitor.pools().stream()
                .filter(pool -> nameOf(pool).equals(name))
                .findFirst();
    }

    /** Users' classes may override what says it. */
    private static String nameOf(InstrumentedPool pool) {
        try {
            return Objects.requireNonNull(pool.name());
        } catch (Throwable failure) {
            return pool.getClass().getName();
        }
    }

    private static List<Finding> findingsOf(String name) {
        return GlobalMonitor.findings().stream()
                .filter(finding -> finding.pool().equals(name))
                .toList();
    }

    /** Empty when the pool was collected just now. */
    private static Optional<PoolSnapshot> read(InstrumentedPool pool) {
        try {
            return Optional.of(pool.snapshot());
        } catch (IllegalStateException gone) {
            return Optional.empty();
        }
    }

    /** Pools that are watched from outside know no times. */
    private static boolean measures(PoolSnapshot pool) {
        return pool.serviceTime().isKnown();
    }
}
