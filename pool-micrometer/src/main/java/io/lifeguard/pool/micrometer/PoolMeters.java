package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.Finding;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;

/** The meters of one pool in one registry. Changed under the registry's lock. */
final class PoolMeters {

    private final String poolName;
    private final MeterOptions options;
    private final ScrapeReader reader;
    private final FindingMeters findings;
    private final KindMeters kinds;
    private final Tags tags;
    private final Set<InstrumentedPoolMetrics> owners = ConcurrentHashMap.newKeySet();
    private final List<Object> sources = new ArrayList<>(); // what registries hold weakly
    private final List<Meter.Id> registered = new ArrayList<>();
    private boolean isOver;
    private boolean isKept;

    /**
     * @param pool the pool
     * @param options what to publish
     * @param newKinds is told when kinds of tasks were seen that have no meters
     */
    PoolMeters(InstrumentedPool pool, MeterOptions options, BiConsumer<PoolMeters, Reading> newKinds) {
        this.poolName = pool.name();
        this.options = options;
        this.kinds = new KindMeters(options.kinds());
        this.reader = new ScrapeReader(pool, options.findings(), reading -> {
            if (kinds.isMissingOne(reading)) {
                newKinds.accept(this, reading);
            }
        });
        this.tags = Tags.of(MeterNames.TAG_NAME, poolName);
        this.findings = new FindingMeters(tags, this::activeFindings);
    }

    String poolName() {
        return poolName;
    }

    MeterOptions options() {
        return options;
    }

    ScrapeReader reader() {
        return reader;
    }

    FindingMeters findings() {
        return findings;
    }

    /** Those who want these meters; they go when nobody does. */
    Set<InstrumentedPoolMetrics> owners() {
        return owners;
    }

    /** What was added to the registry, by the names it has there. */
    List<Meter.Id> registered() {
        return registered;
    }

    boolean isOver() {
        return isOver;
    }

    /** Whether they outlive their pool, which may be collected meanwhile. */
    boolean isKept() {
        return isKept;
    }

    /** The pool has terminated, and they stay for the time that was asked for. */
    void keep() {
        isKept = true;
    }

    /** They are about to be removed, and nothing is registered any more. */
    void end() {
        isOver = true;
    }

    void register(MeterRegistry registry, InstrumentedPool pool) {
        Registrar meters = registrar(registry);
        if (pool instanceof ForkJoinPool forkJoin) {
            StandardMeters.registerForkJoin(meters, tags, forkJoin);
        } else {
            StandardMeters.register(meters);
        }
        boolean isScheduled = pool instanceof ScheduledExecutorService;
        if (isScheduled) {
            StandardMeters.registerScheduled(meters);
        }
        TimeMeters.register(meters, options);
        OwnMeters.register(meters, !isScheduled);
    }

    void registerStandardTimers(MeterRegistry registry, boolean withMax) {
        StandardMeters.registerTimers(registrar(registry), withMax);
    }

    void registerKinds(MeterRegistry registry, Reading reading) {
        kinds.register(registrar(registry), reading);
    }

    private Registrar registrar(MeterRegistry registry) {
        return new Registrar(registry, reader, tags, sources);
    }

    private List<Finding> activeFindings() {
        Reading reading = reader.read();
        return reading == null ? List.of() : reading.findings();
    }
}
