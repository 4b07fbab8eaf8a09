package io.lifeguard.pool.spring.endpoint;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.spring.monitor.GlobalMonitor;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import io.lifeguard.pool.spring.properties.LifeguardProperties;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
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
 * The endpoint {@code threadpools}. It shows all pools, one pool, its findings, or what its threads do. It can resize a
 * pool only with {@code management.endpoint.threadpools.access=unrestricted}. Thread-safe.
 */
@Endpoint(id = "threadpools", defaultAccess = Access.READ_ONLY)
public class ThreadPoolsEndpoint {

    /** A part of a pool's state. */
    public enum View {
        /** The raised findings. */
        FINDINGS,
        /** What the threads do. */
        THREADS
    }

    private final LifeguardProperties.Endpoint limits;
    private final UnseenExecutors unseen;

    /** For the autoconfiguration. */
    public ThreadPoolsEndpoint(LifeguardProperties.Endpoint limits, UnseenExecutors unseen) {
        this.limits = limits;
        this.unseen = unseen;
    }

    /** Returns all findings, and at most {@code lifeguard.endpoint.max-pools} pools, sorted by name. */
    @ReadOperation
    public Map<String, Object> pools() {
        List<Finding> findings = GlobalMonitor.findings();
        Map<String, List<Finding>> byPool = findings.stream().collect(Collectors.groupingBy(Finding::pool));
        List<InstrumentedPool> pools = new ArrayList<>(GlobalMonitor.pools());
        pools.sort(Comparator.comparing(ThreadPoolsEndpoint::nameOf));
        List<Map<String, Object>> shown = new ArrayList<>();
        Map<String, String> notShown = new TreeMap<>(unseen.all());
        int most = limits.maxPools();
        for (InstrumentedPool pool : pools.subList(0, Math.min(most, pools.size()))) {
            try {
                PoolSnapshot snapshot = pool.snapshot();
                shown.add(PoolViews.summary(snapshot, byPool.getOrDefault(snapshot.name(), List.of())));
            } catch (Throwable e) { // of a user's class, or collected meanwhile: must not hide the other pools
                notShown.put(nameOf(pool), "cannot be read: " + e.getClass().getName());
            }
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("pools", shown);
        json.put("omittedPools", Math.max(0, pools.size() - most));
        json.put("findings", PoolViews.findings(findings.subList(0, Math.min(most, findings.size()))));
        json.put("omittedFindings", Math.max(0, findings.size() - most));
        if (!notShown.isEmpty()) {
            json.put("unseen", notShown);
        }
        return json;
    }

    /** Returns the measurements of one pool, or null if there is no such pool. */
    @ReadOperation
    public @Nullable Map<String, Object> pool(@Selector String name) {
        return find(name)
                .flatMap(ThreadPoolsEndpoint::read)
                .map(snapshot -> PoolViews.detail(snapshot, findingsOf(name)))
                .orElse(null);
    }

    /** Returns the findings or the threads of one pool, or null if there is no such pool. */
    @ReadOperation
    public @Nullable Map<String, Object> view(@Selector String name, @Selector View view) {
        InstrumentedPool pool = find(name).orElse(null);
        if (pool == null) {
            return null;
        }
        return switch (view) {
            case FINDINGS -> Map.of("findings", PoolViews.findings(findingsOf(name)));
            case THREADS ->
                ThreadGroups.of(
                        pool.workers().stream().map(WorkerState::thread).toList(),
                        limits.maxThreads(),
                        limits.maxStackDepth());
        };
    }

    /**
     * Sets both the core size and the maximum size of an instrumented pool, until the application's next start. Needs
     * unrestricted access.
     *
     * @throws InvalidEndpointRequestException if the size is out of bounds, there is no such pool, or it cannot be
     *     resized
     */
    @WriteOperation
    public Map<String, Object> resize(@Selector String name, int size) {
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
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("pool", name);
        json.put("sizeBefore", before);
        json.put("size", size);
        return json;
    }

    /** A pool for scheduled tasks never has more threads than its core size, whatever its maximum is. */
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

    /** A user's class may override the method, and throw. */
    private static String nameOf(InstrumentedPool pool) {
        try {
            return Objects.requireNonNull(pool.name());
        } catch (Throwable e) {
            return pool.getClass().getName();
        }
    }

    private static List<Finding> findingsOf(String name) {
        return GlobalMonitor.findings().stream()
                .filter(finding -> finding.pool().equals(name))
                .toList();
    }

    /** Empty if the pool was collected meanwhile. */
    private static Optional<PoolSnapshot> read(InstrumentedPool pool) {
        try {
            return Optional.of(pool.snapshot());
        } catch (IllegalStateException e) {
            return Optional.empty();
        }
    }
}
