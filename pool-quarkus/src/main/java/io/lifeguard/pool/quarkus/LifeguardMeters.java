package io.lifeguard.pool.quarkus;

import io.lifeguard.pool.diagnosis.external.PoolReader;
import io.lifeguard.pool.micrometer.ExternalPoolMetrics;
import io.lifeguard.pool.micrometer.InstrumentedPoolMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.concurrent.Executor;

/**
 * Makes the meters of findings, instrumented pools and the worker pool. A bean of applications that use Micrometer.
 * Stateless.
 */
@Singleton
public class LifeguardMeters {

    /** Made by the container. */
    public LifeguardMeters() {}

    @Produces
    @Singleton
    MeterBinder lifeguardPools() {
        return new InstrumentedPoolMetrics();
    }

    @Produces
    @Singleton
    MeterBinder lifeguardWorkers() {
        return registry -> {
            Executor workers = LifeguardRecorder.workers();
            PoolReader<Executor> reader = LifeguardRecorder.reader(workers);
            if (reader != null) {
                new ExternalPoolMetrics<>(workers, LifeguardRecorder.WORKERS, reader).bindTo(registry);
            }
        };
    }
}
