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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The endpoint {@code threadpools}. It shows all pools, one pool, its findings, or what its threads do. It can resize a pool only with {@code
 * management.endpoint.threadpools.access=unrestricted}. Thread-safe.
 */
@RegisterReflectionForBinding({
    PoolViews.Overview.class,
    PoolViews.Detail.class,
    PoolViews.Findings.class,
    PoolViews.Threads.class,
    PoolViews.Resized.class
})
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

    /** All findings, and at most {@code lifeguard.endpoint.max-pools} pools, sorted by name. */
    @ReadOperation
    public Object pools() {
        List<Finding> findings = GlobalMonitor.findings();
        Map<String, List<Finding>> byPool = findings.stream().collect(Collectors.groupingBy(Finding::pool));
        List<InstrumentedPool> pools = new ArrayList<>(GlobalMonitor.pools());
        pools.sort(Comparator.comparing(ThreadPoolsEndpoint::nameOf));
        List<PoolViews.Summary> shown = new ArrayList<>();
        Map<String, String> notShown = new TreeMap<>(unseen.all());
        for (InstrumentedPool pool : pools.subList(0, Math.min(limits.maxPools(), pools.size()))) {
            try {
                PoolSnapshot snapshot = pool.snapshot();
                List<Finding> raised = byPool.getOrDefault(snapshot.name(), List.of());
                shown.add(PoolViews.Summary.of(snapshot, measures(snapshot), raised));
            } catch (Throwable e) { // of a user's class, or collected meanwhile: must not hide the other pools
                notShown.put(nameOf(pool), "cannot be read: " + e.getClass().getName());
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
                notShown);
    }

    /** The measurements of one pool, or null if there is no such pool. */
    @ReadOperation
    public @Nullable Object pool(@Selector String name) {
        return find(name)
                .flatMap(ThreadPoolsEndpoint::read)
                .map(snapshot -> PoolViews.Detail.of(snapshot, measures(snapshot), findingsOf(name)))
                .orElse(null);
    }

    /** The findings or the threads of one pool, or null if there is no such pool. */
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
     * Sets both the core size and the maximum size of an instrumented pool, until the application's next start. Needs unrestricted access.
     *
     * @throws InvalidEndpointRequestException if the size is out of bounds, there is no such pool, or it cannot be resized
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

    /** Watched pools do not measure times. */
    private static boolean measures(PoolSnapshot pool) {
        return pool.serviceTime().isKnown();
    }
}
