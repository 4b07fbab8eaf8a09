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
 * Listens to what is added to one registry, which has two uses. Thread-safe.
 *
 * <p>It knows which meters are really ours, by the names that the registry's filters gave them: what was denied is not there, and what was
 * there before is somebody else's.
 *
 * <p>And it sees when Micrometer's own wrapper brings its timers {@code executor} and {@code executor.idle}. In Prometheus their largest
 * value has the name that ours has, and older clients (that of Micrometer 1.15 does) refuse to be scraped when two meters have the same:
 * ours give way.
 */
final class AddedMeters {

    private final WeakReference<MeterRegistry> registry;
    private final Set<Meter.Id> standardMax = ConcurrentHashMap.newKeySet();
    private volatile boolean hasForeignTimers; // true once the listener has seen one; a stale read is mended after it
    private volatile @Nullable Thread collecting; // who registers our meters now
    private volatile List<Meter.Id> into = List.of(); // written and read by that thread

    AddedMeters(MeterRegistry registry) {
        this.registry = new WeakReference<>(registry);
        listenTo(registry, registry);
    }

    private void listenTo(MeterRegistry listened, MeterRegistry ours) {
        boolean isOurs = listened == ours;
        listened.getMeters().forEach(meter -> seen(meter, isOurs));
        listened.config().onMeterAdded(meter -> seen(meter, isOurs));
        if (listened instanceof CompositeMeterRegistry composite) {
            composite.getRegistries().forEach(part -> listenTo(part, ours));
        }
    }

    /** Runs the registration and puts what it adds into the list. Only under the lock of {@link RegistryMeters}. */
    void collect(List<Meter.Id> ids, Runnable registration) {
        Thread outerThread = collecting;
        List<Meter.Id> outer = into;
        into = ids;
        collecting = Thread.currentThread();
        try {
            registration.run();
        } finally {
            collecting = outerThread;
            into = outer;
        }
    }

    boolean hasForeignTimers() {
        return hasForeignTimers;
    }

    /** Takes away what must not be beside Micrometer's timers, if there are such. */
    void giveWayToForeignTimers() {
        if (hasForeignTimers) {
            giveWay();
        }
    }

    private void seen(Meter meter, boolean isOurs) {
        if (isOurs && Thread.currentThread() == collecting) {
            into.add(meter.getId());
            if (isStandardMax(meter.getId().getName())) {
                standardMax.add(meter.getId());
            }
        } else if (meter instanceof Timer && isStandardTimer(meter.getId().getName())) {
            hasForeignTimers = true;
            if (isOurs) {
                giveWay();
            } else {
                ForkJoinPool.commonPool()
                        .execute(this::giveWay); // whoever holds a part's lock must not wait for the whole's
            }
        }
    }

    private void giveWay() {
        MeterRegistry there = registry.get();
        if (there != null) {
            standardMax.forEach(there::remove);
            standardMax.clear();
        }
    }

    /** A filter may have put something before the name. */
    private static boolean isStandardTimer(String name) {
        return ("." + name).endsWith("." + MeterNames.EXECUTION) || ("." + name).endsWith("." + MeterNames.IDLE);
    }

    private static boolean isStandardMax(String name) {
        return name.endsWith(MeterNames.SECONDS_MAX)
                && isStandardTimer(name.substring(0, name.length() - MeterNames.SECONDS_MAX.length()));
    }
}
