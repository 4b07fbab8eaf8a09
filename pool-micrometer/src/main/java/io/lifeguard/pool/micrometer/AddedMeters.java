package io.lifeguard.pool.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * Listens to the meters that are added to one registry. Thread-safe. A registry never forgets a listener, so each
 * registry has one instance.
 *
 * <p>It tells which of Lifeguard's registrations really added a meter, and under which id. A filter may have changed
 * the id or denied the meter. A meter that existed before belongs to another library.
 *
 * <p>It also removes two of Lifeguard's gauges when Micrometer's own wrapper registers its timers {@code executor} and
 * {@code executor.idle}. In Prometheus, the largest value of such a timer has the same name as Lifeguard's gauge. Older
 * clients, such as that of Micrometer 1.15, refuse to be scraped when two meters have the same name.
 */
final class AddedMeters {

    private final WeakReference<MeterRegistry> registry;
    private final Set<Meter.Id> standardMax = ConcurrentHashMap.newKeySet(); // Lifeguard's gauges that conflict

    /** Set by the listener and never cleared. {@link #removeConflictingMax} corrects a stale read. */
    private volatile boolean hasWrapperTimers;

    /** Written under the lock of {@link RegistryMeters}. It never matches another thread than its own. */
    private volatile @Nullable Collection current;

    AddedMeters(MeterRegistry registry) {
        this.registry = new WeakReference<>(registry);
        listenTo(registry, true);
    }

    private void listenTo(MeterRegistry listened, boolean isWhole) {
        listened.getMeters().forEach(meter -> added(meter, isWhole));
        listened.config().onMeterAdded(meter -> added(meter, isWhole));
        if (listened instanceof CompositeMeterRegistry composite) {
            composite.getRegistries().forEach(part -> listenTo(part, false));
        }
    }

    /**
     * Runs the registration and puts the ids of the added meters into the list. Only under the lock of
     * {@link RegistryMeters}.
     */
    void collect(List<Meter.Id> ids, Runnable registration) {
        Collection outer = current; // present if a filter or listener of the user creates a pool
        current = new Collection(Thread.currentThread(), ids);
        try {
            registration.run();
        } finally {
            current = outer;
        }
    }

    boolean hasWrapperTimers() {
        return hasWrapperTimers;
    }

    /** Removes the gauges that conflict with the timers of Micrometer's wrapper, if these have been registered. */
    void removeConflictingMax() {
        MeterRegistry whole = registry.get();
        if (hasWrapperTimers && whole != null) {
            standardMax.forEach(whole::remove);
            standardMax.clear();
        }
    }

    private void added(Meter meter, boolean isInWhole) {
        Collection collection = current;
        String name = meter.getId().getName();
        if (isInWhole && collection != null && Thread.currentThread() == collection.thread) {
            collection.ids.add(meter.getId());
            if (isStandardMax(name)) {
                standardMax.add(meter.getId());
            }
        } else if (meter instanceof Timer && isStandardTimer(name)) {
            hasWrapperTimers = true;
            if (isInWhole) {
                removeConflictingMax();
            } else { // in another thread: this one holds a part's lock, and must not wait for the composite's
                ForkJoinPool.commonPool().execute(this::removeConflictingMax);
            }
        }
    }

    /** A filter may have put a prefix before the name. */
    private static boolean isStandardTimer(String name) {
        return ("." + name).endsWith("." + MeterRow.EXECUTION.name())
                || ("." + name).endsWith("." + MeterRow.IDLE.name());
    }

    private static boolean isStandardMax(String name) {
        return name.endsWith(MeterRow.SECONDS_MAX)
                && isStandardTimer(name.substring(0, name.length() - MeterRow.SECONDS_MAX.length()));
    }

    private record Collection(Thread thread, List<Meter.Id> ids) {}
}
