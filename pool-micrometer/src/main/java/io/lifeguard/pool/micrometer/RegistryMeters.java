package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolObserver;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All Lifeguard meters of one registry. Thread-safe.
 *
 * <p>Each registry has one instance, which all binders share. So a pool that two bindings want has its meters once.
 */
final class RegistryMeters implements PoolObserver {

    /*
     * References: the table below holds this object while the registry lives. This object holds the registry and the
     * pools weakly. It holds strongly what the registry's meters hold weakly. So it keeps no pool and no registry from
     * being collected, and users need not keep their binders.
     *
     * Locks: this object's lock is taken before the registry's lock, which registration takes. A thread that reads a
     * meter may hold locks of the registry, so reading only tries this object's lock. The registry calls AddedMeters
     * while it holds its own lock; AddedMeters therefore never takes this object's lock.
     *
     * Order of events: a terminated pool's name is free before observers hear of its end. So a new pool of the same
     * name may be created, and bound, earlier. Its meters replace those of the terminated pool. The late event then
     * concerns a pool without meters, and is ignored.
     */

    private static final Map<MeterRegistry, RegistryMeters> ALL = new WeakHashMap<>(); // guarded by itself

    private final WeakReference<MeterRegistry> weakRegistry;
    private final AddedMeters added;
    private final SharedMeters shared;
    private final ReentrantLock lock = new ReentrantLock();

    /** By name of the pool. Written under the lock; a gauge reads the size without it, and may lag by one pool. */
    private final Map<String, PoolMeters> byName = new ConcurrentHashMap<>();

    /** In the order in which they were bound. Written under the lock; {@link #removeFromAll} reads it without. */
    private final List<Binding> bindings = new CopyOnWriteArrayList<>();

    private final Set<FindingForwarder> forwarders = new HashSet<>(); // one per monitor of a binding; guarded by lock

    private RegistryMeters(MeterRegistry registry) {
        this.weakRegistry = new WeakReference<>(registry);
        this.added = new AddedMeters(registry);
        this.shared = new SharedMeters(added);
    }

    static RegistryMeters of(MeterRegistry registry) {
        synchronized (ALL) {
            return ALL.computeIfAbsent(registry, RegistryMeters::new);
        }
    }

    static void removeFromAll(Binding binding) {
        List<RegistryMeters> all;
        synchronized (ALL) {
            all = List.copyOf(ALL.values());
        }
        all.stream().filter(meters -> meters.bindings.contains(binding)).forEach(meters -> meters.remove(binding));
    }

    // ---- bindings ----

    /** Binds all living pools that the binding wants, and from now on each new one. */
    void add(Binding binding) {
        withRegistry(registry -> {
            if (bindings.contains(binding)) {
                return;
            }
            if (bindings.isEmpty()) {
                Pools.addObserver(this);
            }
            bindings.add(binding);
            if (binding.wantsAll()) {
                shared.registerPools(registry, byName::size);
                PoolMonitor monitor = binding.monitor();
                if (monitor != null) {
                    shared.registerVirtualThreads(registry, monitor, this::registerPlaces);
                }
            }
            bindWanted(registry, binding);
            forwardFindings(binding.monitor());
        });
    }

    /** Removes the meters that no other binding wants. */
    private void remove(Binding binding) {
        withRegistry(registry -> {
            bindings.remove(binding);
            for (PoolMeters meters : byName.values()) {
                if (bindings.stream().noneMatch(other -> other.wants(meters.pool()))) {
                    remove(registry, meters);
                }
            }
            leaveIfUnwanted(registry);
        });
    }

    private void leaveIfUnwanted(MeterRegistry registry) {
        if (bindings.isEmpty()) {
            leave();
            shared.removeAll(registry);
        }
    }

    private void leave() {
        Pools.removeObserver(this);
        forwarders.forEach(forwarder -> forwarder.monitor().removeListener(forwarder));
        forwarders.clear();
    }

    // ---- pools ----

    @Override
    public void created(InstrumentedPool pool) {
        withRegistry(registry -> {
            endCollected(registry);
            for (Binding binding : bindings) {
                if (binding.wants(pool)) {
                    bind(registry, pool, binding, true);
                }
            }
        });
    }

    @Override
    public void terminated(InstrumentedPool pool) {
        withRegistry(registry -> {
            PoolMeters meters = byName.get(Pools.nameOf(pool));
            if (meters != null && meters.pool() == pool) {
                meters.reader().readLast();
                Duration keptFor = meters.binding().options().keptFor();
                if (keptFor.isZero()) {
                    end(registry, meters);
                } else {
                    meters.keep();
                    later(keptFor, () -> withRegistry(there -> end(there, meters)));
                }
            }
            endCollected(registry);
        });
    }

    /** Pools may be dropped and collected without having terminated. */
    private void endCollected(MeterRegistry registry) {
        for (PoolMeters meters : byName.values()) {
            if (meters.pool() == null && !meters.isKept()) {
                end(registry, meters);
            }
        }
    }

    private void end(MeterRegistry registry, PoolMeters meters) {
        remove(registry, meters);
        bindings.removeIf(binding -> binding.wantedPools().isEmpty() && !binding.wantsAll());
        leaveIfUnwanted(registry);
        bindings.stream()
                .filter(Binding::wantsAll)
                .forEach(binding -> bindWanted(registry, binding)); // a pool may have waited for a free place
    }

    private void bindWanted(MeterRegistry registry, Binding binding) {
        binding.wantedPools().forEach(pool -> bind(registry, pool, binding, false));
    }

    private void bind(MeterRegistry registry, InstrumentedPool pool, Binding binding, boolean isNew) {
        PoolMeters present = byName.get(Pools.nameOf(pool));
        boolean isListed = isListed(pool);
        boolean isOver = !isListed && (binding.wantsAll() || hasTerminated(pool));
        if (isOver || (present != null && present.pool() == pool)) {
            return;
        }
        if (present != null) {
            remove(registry, present);
        }
        if (binding.wantsAll() && byName.size() >= binding.options().mostPools()) {
            return;
        }
        PoolMeters meters = new PoolMeters(pool, isNew, binding, added, this::registerMissing);
        byName.put(Pools.nameOf(pool), meters);
        meters.register(registry, pool);
        registerStandardTimers(registry, meters, isNew);
        if (!isNew) { // a new pool may still be in its constructor
            meters.reader().read(); // later readings are compared with this one
        }
        if (isListed && !isListed(pool)) {
            end(registry, meters); // the pool ended before this object could be told
        }
    }

    private static boolean isListed(InstrumentedPool pool) {
        return Pools.find(Pools.nameOf(pool)).orElse(null) == pool;
    }

    private static boolean hasTerminated(InstrumentedPool pool) {
        return pool instanceof ExecutorService service && service.isTerminated();
    }

    private void remove(MeterRegistry registry, PoolMeters meters) {
        byName.values().remove(meters);
        meters.removeFrom(registry);
    }

    private void registerStandardTimers(MeterRegistry registry, PoolMeters meters, boolean isNew) {
        MeterOptions options = meters.binding().options();
        boolean isTooYoung = isNew && !options.standardTimersAfter().isZero();
        if (options.standardTimers() && isTooYoung) {
            later(options.standardTimersAfter(), () -> withRegistry(meters::registerStandardTimers));
        } else if (options.standardTimers()) {
            meters.registerStandardTimers(registry);
        }
    }

    /** Called by the thread that reads a meter, which may hold locks of the registry. */
    private void registerMissing(PoolMeters meters, Reading reading) {
        if (lock.tryLock()) {
            try {
                withRegistry(registry -> meters.registerMissing(registry, reading));
            } finally {
                lock.unlock();
            }
        }
    }

    /** Called as {@link #registerMissing} is. */
    private void registerPlaces() {
        if (lock.tryLock()) {
            try {
                withRegistry(shared::registerPlaces);
            } finally {
                lock.unlock();
            }
        }
    }

    // ---- findings ----

    private void forwardFindings(@Nullable PoolMonitor monitor) {
        if (monitor != null) {
            FindingForwarder forwarder = new FindingForwarder(this, monitor);
            if (forwarders.add(forwarder)) {
                monitor.addListener(forwarder);
            }
            monitor.findings().forEach(finding -> show(monitor, finding, false));
        }
    }

    /** Shows a finding. It is also counted if {@code isNew}: it has just been raised, or become more severe. */
    void show(PoolMonitor monitor, Finding finding, boolean isNew) {
        withRegistry(registry -> {
            PoolMeters meters = byName.get(finding.pool());
            if (meters == null) {
                bindings.stream()
                        .filter(binding -> binding.wantsAll() && binding.monitor() == monitor)
                        .findFirst()
                        .ifPresent(binding -> shared.show(registry, binding, finding, isNew));
            } else if (meters.binding().monitor() == monitor) {
                shared.registerPage(registry, meters.binding().options(), finding);
                meters.show(registry, finding, isNew);
            }
        });
    }

    void resolved(Finding finding) {
        withRegistry(registry -> shared.resolved(registry, finding));
    }

    // ---- lock and clock ----

    /** Does the work under the lock. Stops observing instead if the registry has been collected. */
    private void withRegistry(Consumer<MeterRegistry> work) {
        lock.lock();
        try {
            MeterRegistry registry = weakRegistry.get();
            if (registry == null) {
                bindings.clear();
                leave();
            } else {
                work.accept(registry);
            }
        } finally {
            lock.unlock();
        }
    }

    // Only the registry's own listeners can make the work fail, and its result is not used.
    @SuppressWarnings("FutureReturnValueIgnored")
    private static void later(Duration delay, Runnable work) {
        long nanos = TimeUnit.NANOSECONDS.convert(delay); // at most Long.MAX_VALUE, where Duration.toNanos throws
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(work);
    }

    /** Forwards the findings of one monitor to the meters of one registry. Has no state of its own. */
    private record FindingForwarder(RegistryMeters meters, PoolMonitor monitor) implements FindingListener {

        @Override
        public void raised(Finding finding) {
            meters.show(monitor, finding, true);
        }

        /** The finding may have become less severe. */
        @Override
        public void updated(Finding finding) {
            meters.show(monitor, finding, false);
        }

        /** Counted under the new severity, so that an alert on critical findings sees one that began as a warning. */
        @Override
        public void escalated(Finding finding) {
            meters.show(monitor, finding, true);
        }

        @Override
        public void resolved(Finding finding) {
            meters.resolved(finding);
        }

        /** It is unknown whether its cause is gone, but it is no longer shown. */
        @Override
        public void ended(Finding finding, String why) {
            meters.resolved(finding);
        }
    }
}
