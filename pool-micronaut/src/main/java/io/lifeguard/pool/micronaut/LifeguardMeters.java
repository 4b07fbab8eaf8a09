package io.lifeguard.pool.micronaut;

import io.lifeguard.pool.micrometer.InstrumentedPoolMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/** Makes the meters of findings and instrumented pools. Micronaut itself meters the other executors. Stateless. */
@Factory
@Requires(classes = MeterBinder.class, beans = ApplicationMonitor.class)
public final class LifeguardMeters {

    /** Made by the container. */
    LifeguardMeters() {}

    @Singleton
    MeterBinder lifeguardPools() {
        return new InstrumentedPoolMetrics();
    }
}
