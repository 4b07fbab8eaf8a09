package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolObserver;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All our meters in one registry, whoever bound them. Thread-safe.
 *
 * <p>Each registry has one of these, so that a pool that was bound twice has its meters once.
 */
final class RegistryMeters {

    /*
     * Who holds whom: the table below holds this as long as the registry lives; this holds the registry and the pools weakly, and strongly what
     * the registry's meters hold weakly. So neither pool nor registry is kept from being collected, and a binder need not be kept by its user.
     *
     * Locks: ours first, then the registry's, which registering takes. A thread that reads a meter may hold locks of the registry, so reading only
     * tries ours. The registry calls our listener while it holds its own: it takes none of ours.
     *
     * Births and deaths: the name of a terminated pool is free before its observers are told, so a successor may be bound before its predecessor's
     * end is known here. It takes the place of whoever has the name; the late news is then of a pool that has no meters, and nothing happens.
     */

    private static final Map<MeterRegistry, RegistryMeters> ALL = new WeakHashMap<>(); // guarded by itself

    private final WeakReference<MeterRegistry> registry;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, PoolMeters> byName = new HashMap<>(); // guarded by lock
    private final Set<InstrumentedPoolMetrics> owners = new LinkedHashSet<>(); // guarded by lock
    private final Map<PoolMonitor, MonitorNews> news = new HashMap<>(); // guarded by lock
    private volatile int metered; // size of byName; written under lock, readers may lag
    private final AddedMeters added;
    private final SharedMeters shared;
    private final PoolObserver observer = new PoolObserver() {
        @Override
        public void created(InstrumentedPool pool) {
            RegistryMeters.this.created(pool);
        }

        @Override
        public void terminated(InstrumentedPool pool) {
            locked(there -> RegistryMeters.this.terminated(there, pool));
        }
    };

    private RegistryMeters(MeterRegistry registry) {
        this.registry = new WeakReference<>(registry);
        this.added = new AddedMeters(registry);
        this.shared = new SharedMeters(added);
    }

    static RegistryMeters of(MeterRegistry registry) {
        synchronized (ALL) {
            return ALL.computeIfAbsent(registry, RegistryMeters::new);
        }
    }

    // ---- who wants what ----

    /** Binds the pools that the owner wants, those that live and those to come. */
    void add(InstrumentedPoolMetrics owner) {
        locked(there -> {
            if (owners.isEmpty()) {
                Pools.addObserver(observer);
            }
            if (!owners.add(owner)) {
                return;
            }
            if (owner.wantsAll()) {
                shared.registerPools(there, () -> metered);
            }
            owner.living().forEach(pool -> bind(there, pool, owner, false));
            owner.options().findings().onMonitor(monitor -> listen(owner, monitor));
        });
    }

    private void listen(InstrumentedPoolMetrics owner, PoolMonitor monitor) {
        locked(there -> {
            if (owners.contains(owner)) {
                news.computeIfAbsent(monitor, each -> new MonitorNews(this, each))
                        .listen();
                monitor.findings().forEach(finding -> found(monitor, finding, false));
            }
        });
    }

    /** Removes the meters that nobody else wants. */
    void remove(InstrumentedPoolMetrics owner) {
        locked(there -> {
            owners.remove(owner);
            for (PoolMeters meters : List.copyOf(byName.values())) {
                meters.owners().remove(owner);
                if (meters.owners().isEmpty()) {
                    remove(there, meters);
                }
            }
            leaveIfUnwanted(there);
        });
    }

    private void leaveIfUnwanted(MeterRegistry there) {
        if (owners.isEmpty()) {
            leave();
            shared.removeAll(there);
        }
    }

    private void leave() {
        Pools.removeObserver(observer);
        news.values().forEach(MonitorNews::close);
        news.clear();
    }

    // ---- births and deaths ----

    private void created(InstrumentedPool pool) {
        locked(there -> {
            forgetCollected(there);
            for (InstrumentedPoolMetrics owner : List.copyOf(owners)) {
                if (owner.wants(pool)) {
                    bind(there, pool, owner, true);
                }
            }
        });
    }

    private void terminated(MeterRegistry there, InstrumentedPool pool) {
        PoolMeters meters = byName.get(pool.name());
        if (meters != null && meters.reader().isOf(pool)) {
            meters.reader().readLast();
            Duration keptFor = meters.options().keptFor();
            if (keptFor.isZero()) {
                end(there, meters);
            } else {
                meters.keep();
                later(keptFor, () -> locked(then -> end(then, meters)));
            }
        }
        forgetCollected(there);
    }

    private void end(MeterRegistry there, PoolMeters meters) {
        remove(there, meters);
        owners.removeIf(owner -> !owner.wantsAll() && owner.living().isEmpty());
        leaveIfUnwanted(there);
        if (shared.wasFull()) {
            shared.full(false);
            owners.stream()
                    .filter(InstrumentedPoolMetrics::wantsAll)
                    .toList()
                    .forEach(owner -> owner.living().forEach(pool -> bind(there, pool, owner, false)));
        }
    }

    private void forgetCollected(MeterRegistry there) {
        for (PoolMeters meters : List.copyOf(byName.values())) {
            if (meters.reader().isCollected() && !meters.isKept()) {
                end(there, meters);
            }
        }
    }

    private void bind(MeterRegistry there, InstrumentedPool pool, InstrumentedPoolMetrics owner, boolean isNew) {
        PoolMeters present = byName.get(pool.name());
        if (present != null && present.reader().isOf(pool)) {
            present.owners().add(owner);
            return;
        }
        boolean isListed = isLive(pool);
        if (!isListed && (owner.wantsAll() || hasTerminated(pool))) {
            return;
        }
        if (present != null) {
            remove(there, present);
        }
        if (owner.wantsAll() && byName.size() >= owner.options().mostPools()) {
            shared.full(true);
            return;
        }
        PoolMeters meters = new PoolMeters(pool, owner.options(), this::registerKinds);
        meters.owners().add(owner);
        byName.put(pool.name(), meters);
        added.collect(meters.registered(), () -> meters.register(there, pool));
        registerStandardTimers(there, meters, isNew);
        if (isNew) {
            meters.reader().startAtBirth(); // and reads nothing: the pool may still be in its constructor
        } else {
            meters.reader().read(); // to compare with
        }
        if (isListed && !isLive(pool)) {
            end(there, meters); // it ended before we could be told
        }
    }

    private static boolean isLive(InstrumentedPool pool) {
        return Pools.find(pool.name()).orElse(null) == pool;
    }

    private static boolean hasTerminated(InstrumentedPool pool) {
        return pool instanceof ExecutorService service && service.isTerminated();
    }

    // ---- meters ----

    private void registerStandardTimers(MeterRegistry there, PoolMeters meters, boolean isNew) {
        if (!meters.options().standardTimers()) {
            return;
        }
        Duration age = meters.options().standardTimersAfter();
        if (isNew && !age.isZero()) {
            later(age, () -> locked(then -> registerStandardTimersNow(then, meters)));
        } else {
            registerStandardTimersNow(there, meters);
        }
    }

    private void registerStandardTimersNow(MeterRegistry there, PoolMeters meters) {
        if (!meters.isOver()) {
            added.collect(meters.registered(), () -> meters.registerStandardTimers(there, !added.hasForeignTimers()));
            added.giveWayToForeignTimers(); // which may have come meanwhile
        }
    }

    /** Called by whoever reads a meter. */
    private void registerKinds(PoolMeters meters, Reading reading) {
        MeterRegistry there = registry.get();
        if (there != null && lock.tryLock()) {
            try {
                if (!meters.isOver()) {
                    added.collect(meters.registered(), () -> meters.registerKinds(there, reading));
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void remove(MeterRegistry there, PoolMeters meters) {
        meters.end();
        byName.remove(meters.poolName(), meters);
        for (Meter.Id id : meters.registered()) {
            there.remove(id);
        }
        meters.registered().clear();
    }

    // ---- findings ----

    /** Shows a finding; {@code isNew} when it has just been raised, or become more severe. */
    void found(PoolMonitor monitor, Finding finding, boolean isNew) {
        locked(there -> {
            PoolMeters meters = byName.get(finding.pool());
            if (meters == null && owners.stream().noneMatch(owner -> owner.wantsAll() && owner.isTold(monitor))) {
                return;
            }
            if (meters != null && !meters.options().findings().is(monitor)) {
                return;
            }
            shared.registerPage(there, finding, pages(meters));
            if (meters != null) {
                added.collect(meters.registered(), () -> show(there, meters.findings(), finding, isNew));
            } else {
                shared.show(there, monitor, finding, isNew);
            }
        });
    }

    private String pages(@Nullable PoolMeters meters) {
        return meters != null
                ? meters.options().pages()
                : owners.iterator().next().options().pages();
    }

    static void show(MeterRegistry there, FindingMeters findings, Finding finding, boolean isNew) {
        if (isNew) {
            findings.count(there, finding);
        } else {
            findings.show(there, finding);
        }
    }

    void over(Finding finding) {
        locked(there -> shared.over(there, finding));
    }

    // ---- plumbing ----

    /** Runs with the lock, unless the registry is gone: then nobody needs us any more. */
    private void locked(Consumer<MeterRegistry> work) {
        lock.lock();
        try {
            MeterRegistry there = registry.get();
            if (there == null) {
                owners.clear();
                leave();
            } else {
                work.accept(there);
            }
        } finally {
            metered = byName.size();
            lock.unlock();
        }
    }

    // The work cannot fail but for the registry's listeners, and then nobody waits for it.
    @SuppressWarnings("FutureReturnValueIgnored")
    private static void later(Duration delay, Runnable work) {
        long nanos = TimeUnit.NANOSECONDS.convert(delay); // at most Long.MAX_VALUE, where Duration.toNanos throws
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(work);
    }
}
