package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.diagnosis.external.PoolGauges;
import io.lifeguard.pool.diagnosis.external.PoolReader;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.ToDoubleFunction;

/**
 * The {@code executor.*} meters and the saturation of one executor that is not instrumented, such as the request
 * threads of a web server. Thread-safe.
 *
 * <p>The meters have the names, units and tag of those of instrumented pools. They read the executor's own getters, so
 * they cost nothing until they are read. Times are not among them, because nobody measures these tasks. A meter that
 * the registry has already, from another binder, is left alone. The executor is held weakly.
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
     * @param name the value of the tag {@code name}, not null
     * @param reader reads it, not null; must not hold the executor
     */
    public ExternalPoolMetrics(E executor, String name, PoolReader<? super E> reader) {
        this.executor = new WeakReference<>(Objects.requireNonNull(executor, "executor must not be null"));
        this.tags = Tags.of(MeterRow.TAG_NAME, Objects.requireNonNull(name, "name must not be null"));
        this.reader = Objects.requireNonNull(reader, "reader must not be null");
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry must not be null");
        E pool = executor.get();
        if (pool == null) {
            return;
        }
        gauge(registry, pool, MeterRow.ACTIVE, PoolGauges::active);
        gauge(registry, pool, MeterRow.POOL_SIZE, PoolGauges::size);
        gauge(registry, pool, MeterRow.POOL_CORE, PoolGauges::coreSize);
        gauge(registry, pool, MeterRow.POOL_MAX, PoolGauges::maximumSize);
        gauge(registry, pool, MeterRow.QUEUED, PoolGauges::queued);
        gauge(registry, pool, MeterRow.QUEUE_REMAINING, PoolGauges::queueRemaining);
        gauge(registry, pool, MeterRow.SATURATION, new Saturation()::next);
        if (reader.read(pool).completed() != PoolGauges.UNKNOWN && isFree(registry, MeterRow.COMPLETED)) {
            ToDoubleFunction<E> completed = each -> reader.read(each).completed();
            keep(
                    registry,
                    MeterRow.COMPLETED.counter(pool, completed).tags(tags).register(registry));
        }
    }

    private void gauge(MeterRegistry registry, E pool, MeterRow meter, ToDoubleFunction<PoolGauges> number) {
        if (isFree(registry, meter)) {
            ToDoubleFunction<E> value = each -> number.applyAsDouble(reader.read(each));
            keep(registry, meter.gauge(pool, value).tags(tags).register(registry));
        }
    }

    private boolean isFree(MeterRegistry registry, MeterRow meter) {
        return registry.find(meter.name()).tags(tags).meter() == null;
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
