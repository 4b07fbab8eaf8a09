package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.diagnosis.external.PoolGauges;
import io.lifeguard.pool.diagnosis.external.PoolReader;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The {@code executor.*} meters and the saturation of one executor that is not instrumented, such as the request
 * threads of a web server. Thread-safe.
 *
 * <p>The meters have the names, units and tag of {@link MeterNames}. They read the executor's own getters, so they cost
 * nothing until they are read. Times are not among them, because nobody measures these tasks. A meter that the registry
 * has already, from another binder, is left alone. The executor is held weakly.
 *
 * @param <E> the type of the executor
 */
public final class ExternalPoolMetrics<E extends Executor> implements MeterBinder, AutoCloseable {

    private final WeakReference<E> executor;
    private final Tags tags;
    private final PoolReader<? super E> reader;
    private final List<Registered> registered = new ArrayList<>(); // guarded by this

    private record Registered(WeakReference<MeterRegistry> registry, Meter.Id id) {}

    /**
     * Makes the meters of one executor.
     *
     * @param executor the executor, not null
     * @param name the value of the tag {@value MeterNames#TAG_NAME}, not null
     * @param reader reads it, not null; must not hold the executor
     */
    public ExternalPoolMetrics(E executor, String name, PoolReader<? super E> reader) {
        this.executor = new WeakReference<>(Objects.requireNonNull(executor, "executor must not be null"));
        this.tags = Tags.of(MeterNames.TAG_NAME, Objects.requireNonNull(name, "name must not be null"));
        this.reader = Objects.requireNonNull(reader, "reader must not be null");
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry must not be null");
        E pool = executor.get();
        if (pool == null) {
            return;
        }
        String threads = BaseUnits.THREADS;
        String tasks = BaseUnits.TASKS;
        gauge(registry, pool, MeterNames.ACTIVE, threads, "Threads that run a task", PoolGauges::active);
        gauge(registry, pool, MeterNames.POOL_SIZE, threads, "Threads alive", PoolGauges::size);
        gauge(registry, pool, MeterNames.POOL_CORE, threads, "Threads that stay", PoolGauges::coreSize);
        gauge(registry, pool, MeterNames.POOL_MAX, threads, "Threads at most", PoolGauges::maximumSize);
        gauge(registry, pool, MeterNames.QUEUED, tasks, "Tasks in the queue", PoolGauges::queued);
        String free = "Free places in the queue";
        gauge(registry, pool, MeterNames.QUEUE_REMAINING, tasks, free, PoolGauges::queueRemaining);
        if (reader.read(pool).completed() != PoolGauges.UNKNOWN && isFree(registry, MeterNames.COMPLETED)) {
            keep(
                    registry,
                    FunctionCounter.builder(
                                    MeterNames.COMPLETED,
                                    pool,
                                    each -> reader.read(each).completed())
                            .tags(tags)
                            .baseUnit(tasks)
                            .description("Tasks run to their end")
                            .register(registry));
        }
        if (isFree(registry, MeterNames.SATURATION)) {
            Saturation saturation = new Saturation();
            keep(
                    registry,
                    Gauge.builder(MeterNames.SATURATION, pool, each -> saturation.next(reader.read(each)))
                            .tags(tags)
                            .description("How much of what the pool may do was asked of it recently")
                            .register(registry));
        }
    }

    private void gauge(
            MeterRegistry registry,
            E pool,
            String meter,
            @Nullable String unit,
            String description,
            ToIntFunction<PoolGauges> number) {
        if (isFree(registry, meter)) {
            keep(
                    registry,
                    Gauge.builder(meter, pool, each -> number.applyAsInt(reader.read(each)))
                            .tags(tags)
                            .baseUnit(unit)
                            .description(description)
                            .register(registry));
        }
    }

    private boolean isFree(MeterRegistry registry, String meter) {
        return registry.find(meter).tags(tags).meter() == null;
    }

    private void keep(MeterRegistry registry, Meter meter) {
        registered.add(new Registered(new WeakReference<>(registry), meter.getId()));
    }

    /** Removes the meters that this object has registered. */
    @Override
    public synchronized void close() {
        for (Registered each : registered) {
            MeterRegistry registry = each.registry().get();
            if (registry != null) {
                registry.remove(each.id());
            }
        }
        registered.clear();
    }

    /**
     * Workers wanted at this and at the previous reading, on average, by workers that the pool may have. Nobody counts
     * what happens in between. Guarded by itself.
     */
    private static final class Saturation {
        private double last = Double.NaN;

        synchronized double next(PoolGauges gauges) {
            double wanted = (double) gauges.active() + gauges.queued();
            double now = Math.min(1, wanted / Math.max(1, gauges.maximumSize()));
            double mean = Double.isNaN(last) ? now : (last + now) / 2;
            last = now;
            return mean;
        }
    }
}
