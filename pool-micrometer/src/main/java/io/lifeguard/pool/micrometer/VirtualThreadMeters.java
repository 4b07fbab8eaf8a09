package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.window.VirtualThreadLoad;
import io.lifeguard.pool.diagnosis.window.WaitingThreads;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The meters of virtual threads in one registry. Registered under the lock of {@link RegistryMeters}; read by any
 * thread.
 *
 * <p>They show the monitor's latest window. The first {@value #MOST_PLACES} places at which threads wait have a meter
 * of their own. All others share the one of the place {@value MeterRow#OTHER}.
 */
final class VirtualThreadMeters {

    /** The first version of Java that has virtual threads. */
    private static final int FIRST = 21;

    private static final int MOST_PLACES = 20;

    private static final Place OTHERS = new Place(MeterRow.OTHER, MeterRow.OTHER, MeterRow.OTHER);

    private final AddedMeters added;
    private final PoolMonitor monitor;
    private final Runnable registersPlaces; // by the thread that reads a meter
    private final List<Meter.Id> registered = new ArrayList<>();
    private final List<Object> sources = new ArrayList<>(); // held here because the registry holds them weakly
    private final Set<Place> known = ConcurrentHashMap.newKeySet(); // that have meters

    /** Where threads of an executor wait, and what for. */
    private record Place(String executor, String kind, String place) {

        static Place of(WaitingThreads line) {
            return new Place(line.executor(), line.kind().name().toLowerCase(Locale.ROOT), line.place());
        }
    }

    /** The place of a meter, read with the monitor's latest window. */
    private record Waiting(VirtualThreadMeters meters, Place place) {
        double threads() {
            return meters.load()
                    .map(load -> load.waiting().stream()
                            .filter(line -> meters.meteredAs(Place.of(line)).equals(place))
                            .mapToDouble(WaitingThreads::waiting)
                            .sum())
                    .orElse(Double.NaN);
        }
    }

    /** {@return whether this JVM has virtual threads} */
    static boolean exist() {
        return Runtime.version().feature() >= FIRST;
    }

    VirtualThreadMeters(AddedMeters added, PoolMonitor monitor, Runnable registersPlaces) {
        this.added = added;
        this.monitor = monitor;
        this.registersPlaces = registersPlaces;
    }

    /** Registers all meters but those of places. Registers nothing where the JVM has no virtual threads. */
    void register(MeterRegistry registry) {
        if (!exist()) {
            return;
        }
        gauge(registry, MeterRow.VIRTUAL_CARRIERS, VirtualThreadLoad::carriers);
        gauge(registry, MeterRow.VIRTUAL_MOUNTED, load -> of(load.mounted()));
        gauge(registry, MeterRow.VIRTUAL_QUEUED, load -> of(load.queued()));
        gauge(registry, MeterRow.VIRTUAL_LIVE, VirtualThreadLoad::live);
        TimeGauge.Builder<VirtualThreadMeters> delay = TimeGauge.builder(
                        MeterRow.VIRTUAL_START_DELAY.name(),
                        this,
                        TimeUnit.SECONDS,
                        meters -> meters.value(load -> load.startDelay().toNanos() / 1e9))
                .description(MeterRow.VIRTUAL_START_DELAY.description());
        added.collect(registered, () -> delay.register(registry));
    }

    private void gauge(MeterRegistry registry, MeterRow meter, ToDoubleFunction<VirtualThreadLoad> number) {
        Gauge.Builder<VirtualThreadMeters> gauge = meter.gauge(this, meters -> meters.value(number));
        added.collect(registered, () -> gauge.register(registry));
    }

    /** Registers a meter for each place that has none, under the lock. */
    void registerPlaces(MeterRegistry registry) {
        load().ifPresent(load -> load.waiting().stream()
                .map(line -> meteredAs(Place.of(line)))
                .filter(known::add)
                .forEach(place -> register(registry, place)));
    }

    private void register(MeterRegistry registry, Place place) {
        Waiting source = new Waiting(this, place);
        sources.add(source);
        Gauge.Builder<Waiting> gauge = MeterRow.VIRTUAL_WAITING
                .gauge(source, Waiting::threads)
                .tags(Tags.of(
                        MeterRow.TAG_NAME,
                        place.executor,
                        MeterRow.TAG_KIND,
                        place.kind,
                        MeterRow.TAG_PLACE,
                        place.place));
        added.collect(registered, () -> gauge.register(registry));
    }

    private Place meteredAs(Place place) {
        int own = known.size() - (known.contains(OTHERS) ? 1 : 0);
        return own >= MOST_PLACES && !known.contains(place) ? OTHERS : place;
    }

    private double value(ToDoubleFunction<VirtualThreadLoad> number) {
        Optional<VirtualThreadLoad> load = load();
        boolean isMissingOne = load.isPresent()
                && load.get().waiting().stream().anyMatch(line -> !known.contains(meteredAs(Place.of(line))));
        if (isMissingOne) {
            registersPlaces.run();
        }
        return load.isPresent() ? number.applyAsDouble(load.get()) : Double.NaN;
    }

    private Optional<VirtualThreadLoad> load() {
        return monitor.virtualThreads();
    }

    private static double of(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : Double.NaN;
    }

    void removeFrom(MeterRegistry registry) {
        registered.forEach(registry::remove);
        registered.clear();
    }
}
