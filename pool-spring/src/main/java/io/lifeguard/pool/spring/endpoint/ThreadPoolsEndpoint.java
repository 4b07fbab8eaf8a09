package io.lifeguard.pool.spring.endpoint;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.schema.Document;
import io.lifeguard.pool.schema.FindingJson;
import io.lifeguard.pool.schema.PoolJson;
import io.lifeguard.pool.spring.monitor.GlobalMonitor;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import io.lifeguard.pool.spring.properties.LifeguardProperties;
import io.lifeguard.pool.text.LogText;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.context.ApplicationEventPublisher;

/**
 * The endpoint {@code threadpools}. It shows all pools, one pool, its findings, or what its threads do. It can resize a
 * pool only with {@code management.endpoint.threadpools.access=unrestricted}. Thread-safe.
 */
@Endpoint(id = "threadpools", defaultAccess = Access.READ_ONLY)
public class ThreadPoolsEndpoint {

    /** The type of the audit event of a changed size. Its data are {@code pool}, {@code from} and {@code to}. */
    public static final String RESIZED = "THREAD_POOL_RESIZED";

    /** A part of a pool's state. */
    public enum View {
        /** The raised findings. */
        FINDINGS,
        /** What the threads do. */
        THREADS
    }

    private final LifeguardProperties.Endpoint limits;
    private static final Logger LOG = LoggerFactory.getLogger(ThreadPoolsEndpoint.class);

    private final UnseenExecutors unseen;
    private final ApplicationEventPublisher events;

    /** For the autoconfiguration. */
    public ThreadPoolsEndpoint(
            LifeguardProperties.Endpoint limits, UnseenExecutors unseen, ApplicationEventPublisher events) {
        this.limits = limits;
        this.unseen = unseen;
        this.events = events;
    }

    /**
     * Returns one pool or its view, if a name is given: a name may have characters that a path cannot have. Otherwise
     * returns all findings, and at most {@code lifeguard.endpoint.max-pools} pools: those with findings first, worst
     * first, then by name.
     */
    @ReadOperation
    public @Nullable Map<String, Object> pools(
            @org.springframework.lang.Nullable String pool, @org.springframework.lang.Nullable View view) {
        if (pool != null) {
            return view == null ? pool(pool) : view(pool, view);
        }
        return all();
    }

    private Map<String, Object> all() {
        List<Finding> findings = GlobalMonitor.findings();
        Map<String, List<Finding>> byPool = findings.stream().collect(Collectors.groupingBy(Finding::pool));
        List<InstrumentedPool> pools = new ArrayList<>(GlobalMonitor.pools());
        pools.sort(sickestFirst(findings).thenComparing(ThreadPoolsEndpoint::nameOf));
        List<Map<String, Object>> shown = new ArrayList<>();
        Map<String, String> notShown = new TreeMap<>(unseen.all());
        int most = limits.maxPools();
        for (InstrumentedPool pool : pools.subList(0, Math.min(most, pools.size()))) {
            try {
                PoolSnapshot snapshot = pool.snapshot();
                shown.add(PoolJson.of(snapshot, blindness(pool), byPool.getOrDefault(snapshot.name(), List.of())));
            } catch (Throwable e) { // of a user's class, or collected meanwhile: must not hide the other pools
                notShown.put(nameOf(pool), "cannot be read: " + e.getClass().getName());
            }
        }
        Map<String, Object> json = Document.POOLS.begin();
        json.put("pools", shown);
        json.put("omittedPools", Math.max(0, pools.size() - most));
        json.put("findings", FindingJson.of(findings.subList(0, Math.min(most, findings.size()))));
        json.put("omittedFindings", Math.max(0, findings.size() - most));
        json.put("notLookedAt", Document.notLookedAt(notShown));
        return json;
    }

    /** The findings are sorted, worst first. */
    private static Comparator<InstrumentedPool> sickestFirst(List<Finding> findings) {
        Map<String, Integer> ranks = new HashMap<>();
        findings.forEach(finding -> ranks.putIfAbsent(finding.pool(), ranks.size()));
        return Comparator.comparing(pool -> ranks.getOrDefault(nameOf(pool), Integer.MAX_VALUE));
    }

    /** Returns the measurements of one pool, or null if there is no such pool. */
    @ReadOperation
    public @Nullable Map<String, Object> pool(@Selector String name) {
        InstrumentedPool pool = find(name).orElse(null);
        return pool == null
                ? null
                : read(pool)
                        .map(snapshot -> {
                            Map<String, Object> json = PoolViews.detail(snapshot, blindness(pool), findingsOf(name));
                            PoolViews.putThreads(json, pool, GlobalMonitor.waiting(name));
                            return json;
                        })
                        .orElse(null);
    }

    /** Why it is unknown what the pool's threads do; empty if it is known. */
    private static String blindness(InstrumentedPool pool) {
        return PoolMonitor.blindness(pool).orElse("");
    }

    /** Returns the findings or the threads of one pool, or null if there is no such pool. */
    @ReadOperation
    public @Nullable Map<String, Object> view(@Selector String name, @Selector View view) {
        InstrumentedPool pool = find(name).orElse(null);
        if (pool == null) {
            return null;
        }
        return switch (view) {
            case FINDINGS -> {
                Map<String, Object> json = Document.FINDINGS.begin();
                json.put("findings", FindingJson.of(findingsOf(name)));
                yield json;
            }
            case THREADS -> {
                int threadsPerTask = pool.threadCount();
                List<Thread> threads = threadsPerTask > 0
                        ? pool.threads(limits.maxThreads())
                        : pool.workers().stream().map(WorkerState::thread).toList();
                Map<String, Object> json = ThreadGroups.of(
                        threads, Math.max(threadsPerTask, threads.size()), limits.maxThreads(), limits.maxStackDepth());
                PoolJson.putBlindness(json, blindness(pool));
                yield json;
            }
        };
    }

    /**
     * Sets both the core size and the maximum size of an instrumented pool, until the application's next start. Needs
     * unrestricted access. Logs the change, and publishes it as an audit event of the type {@value #RESIZED}.
     *
     * @throws InvalidEndpointRequestException if the size is out of bounds, there is no such pool, or it cannot be
     *     resized
     */
    @WriteOperation
    public Map<String, Object> resize(SecurityContext caller, @Selector String name, int size) {
        return resizePool(caller, name, size);
    }

    /** Like {@link #resize}, for names that have characters that a path cannot have. */
    @WriteOperation
    public Map<String, Object> resizePool(SecurityContext caller, String pool, int size) {
        int before = resize(pool, size);
        Principal principal = caller.getPrincipal();
        String who = principal == null ? "anonymous" : principal.getName();
        LOG.info("{} resized pool {} from {} to {} threads", LogText.name(who), LogText.name(pool), before, size);
        Map<String, Object> change = Map.of("pool", pool, "from", before, "to", size);
        events.publishEvent(new AuditApplicationEvent(who, RESIZED, change));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("pool", pool);
        json.put("sizeBefore", before);
        json.put("size", size);
        return json;
    }

    /** Returns the size before. */
    private int resize(String name, int size) {
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
        return before;
    }

    /** A pool whose queue never fills never has more threads than its core size, whatever its maximum is. */
    private static int mostThreads(ThreadPoolExecutor executor) {
        boolean queueNeverFills =
                executor.getQueue().remainingCapacity() > Integer.MAX_VALUE / 2; // without a bound it shrinks by tasks
        return executor instanceof ScheduledThreadPoolExecutor || queueNeverFills
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
