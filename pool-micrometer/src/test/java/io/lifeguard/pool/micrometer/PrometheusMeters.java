package io.lifeguard.pool.micrometer;

import static org.awaitility.Awaitility.await;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;

/** A Prometheus registry and a binder for all pools. Closing fails if meters are left in the registry. */
final class PrometheusMeters implements AutoCloseable {

    final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final InstrumentedPoolMetrics metrics =
            InstrumentedPoolMetrics.builder().standardTimersAfter(Duration.ZERO).build();

    @Override
    public void close() {
        metrics.close();
        await().until(() -> registry.getMeters().isEmpty());
    }
}
