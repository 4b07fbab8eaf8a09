package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.Finding;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The meters of one pool in one registry. Changed only under the lock of {@link RegistryMeters}. */
final class PoolMeters {

    private final Binding binding;
    private final AddedMeters added;
    private final ScrapeReader reader;
    private final FindingMeters findings;
    private final KindMeters kinds;
    private final Tags tags;
    private final Tags openTelemetryTags;
    private final List<Object> sources = new ArrayList<>(); // held here because registries hold them weakly
    private final List<Meter.Id> registered = new ArrayList<>(); // under the ids that the registry's filters made

    // Whether OpenTelemetry's meters of bounds are registered, or not wanted. Written under the lock of RegistryMeters.
    // After a stale read the registration is tried once more.
    private volatile boolean hasLimit = true;
    private volatile boolean hasCapacity = true;

    private boolean isRemoved; // no further meters are registered
    private boolean isKept; // the pool has terminated, and its meters stay for some time

    /**
     * @param missing called with these meters when a reading shows that meters are missing: of kinds of tasks, or of
     *     bounds
     */
    PoolMeters(
            InstrumentedPool pool,
            boolean isNew,
            Binding binding,
            AddedMeters added,
            BiConsumer<PoolMeters, Reading> missing) {
        String name = Pools.nameOf(pool);
        this.binding = binding;
        this.added = added;
        this.kinds = new KindMeters(binding.options().kinds());
        this.openTelemetryTags = Tags.of(
                MeterRow.OTEL_TAG_NAME,
                name,
                MeterRow.OTEL_TAG_TYPE,
                pool.getClass().getName());
        this.reader = new ScrapeReader(pool, isNew, () -> binding.findings(name), reading -> {
            if (kinds.isMissingOne(reading) || isMissingLimit(reading) || isMissingCapacity(reading)) {
                missing.accept(this, reading);
            }
        });
        this.tags = Tags.of(MeterRow.TAG_NAME, name);
        this.findings = new FindingMeters(tags, this::activeFindings);
    }

    private List<Finding> activeFindings() {
        Reading reading = reader.read();
        return reading == null ? List.of() : reading.findings();
    }

    /** The binding whose choices apply. */
    Binding binding() {
        return binding;
    }

    ScrapeReader reader() {
        return reader;
    }

    /** Returns the pool, or null when it has been collected. */
    @Nullable
    InstrumentedPool pool() {
        return reader.pool();
    }

    /** Whether the meters stay although the pool has terminated. The pool may be collected meanwhile. */
    boolean isKept() {
        return isKept;
    }

    void keep() {
        isKept = true;
    }

    void register(MeterRegistry registry, InstrumentedPool pool) {
        register(registry, registrar -> {
            MeterTable.standard(registrar, pool);
            TimeMeters.register(registrar, binding.options());
            MeterTable.lifeguards(registrar, pool);
        });
        if (binding.options().openTelemetryNames()) {
            register(registry, openTelemetryTags, registrar -> MeterTable.openTelemetrys(registrar, pool));
            // a fork-join pool may exceed its parallelism, and its queues have no bound
            hasLimit = pool instanceof ForkJoinPool;
            hasCapacity = pool instanceof ForkJoinPool;
        }
    }

    /**
     * The conventions ask to leave out what has no bound. A constructor may not have set it before the first reading.
     */
    private boolean isMissingLimit(Reading reading) {
        return !hasLimit && reading.now().limits().maximumSize() < Integer.MAX_VALUE;
    }

    private boolean isMissingCapacity(Reading reading) {
        return !hasCapacity && MeterTable.capacity(reading.now()) < Integer.MAX_VALUE;
    }

    void registerStandardTimers(MeterRegistry registry) {
        register(registry, registrar -> MeterTable.standardTimers(registrar, !added.hasWrapperTimers()));
        added.removeConflictingMax(); // another thread may have registered some meanwhile
    }

    void registerMissing(MeterRegistry registry, Reading reading) {
        register(registry, registrar -> kinds.register(registrar, reading));
        if (isMissingLimit(reading)) {
            hasLimit = true;
            register(registry, openTelemetryTags, MeterTable::openTelemetrysLimit);
        }
        if (isMissingCapacity(reading)) {
            hasCapacity = true;
            register(registry, openTelemetryTags, MeterTable::openTelemetrysCapacity);
        }
    }

    private void register(MeterRegistry registry, Consumer<Registrar> registration) {
        register(registry, tags, registration);
    }

    private void register(MeterRegistry registry, Tags with, Consumer<Registrar> registration) {
        if (!isRemoved) {
            added.collect(registered, () -> registration.accept(new Registrar(registry, reader, with, sources)));
        }
    }

    void show(MeterRegistry registry, Finding finding, boolean isNew) {
        added.collect(registered, () -> findings.show(registry, finding, isNew));
    }

    void removeFrom(MeterRegistry registry) {
        isRemoved = true;
        registered.forEach(registry::remove);
        registered.clear();
    }
}
