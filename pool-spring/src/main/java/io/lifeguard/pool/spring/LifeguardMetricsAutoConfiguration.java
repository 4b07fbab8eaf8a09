package io.lifeguard.pool.spring;

import io.lifeguard.pool.micrometer.ExternalPoolMetrics;
import io.lifeguard.pool.micrometer.InstrumentedPoolMetrics;
import io.lifeguard.pool.spring.executor.UnmeteredExecutors;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import io.lifeguard.pool.spring.properties.ConditionalOnSwitch;
import io.lifeguard.pool.spring.properties.LifeguardProperties;
import io.lifeguard.pool.spring.web.WebServerPools;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ExecutorServiceMetrics;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

/**
 * Adds three meter binders: for all instrumented pools, for executors that Boot does not meter, and for request
 * threads. The meters of Boot's own executors have the same names as Boot's, so there is one series for each.
 */
@AutoConfiguration(after = LifeguardAutoConfiguration.class)
@ConditionalOnClass({MeterBinder.class, InstrumentedPoolMetrics.class})
// not if Lifeguard is off or excluded
@ConditionalOnBean(value = UnseenExecutors.class, search = SearchStrategy.CURRENT)
@ConditionalOnSwitch("lifeguard.metrics.enabled")
public final class LifeguardMetricsAutoConfiguration {

    /** Made by the container. */
    public LifeguardMetricsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    InstrumentedPoolMetrics lifeguardPoolMetrics(LifeguardProperties properties) {
        LifeguardProperties.Metrics metrics = properties.metrics();
        double[] percentiles = new double[metrics.percentiles().size()];
        for (int i = 0; i < percentiles.length; i++) {
            percentiles[i] = metrics.percentiles().get(i);
        }
        InstrumentedPoolMetrics.Builder builder = InstrumentedPoolMetrics.builder()
                .percentiles(percentiles)
                .kinds(metrics.kinds())
                .mostPools(metrics.maxPools())
                .keepAfterTermination(metrics.keepAfterTermination())
                .findingPages(metrics.findingPages());
        if (metrics.histograms()) {
            builder.histograms();
        }
        if (metrics.openTelemetryNames()) {
            builder.openTelemetryNames();
        }
        return builder.build();
    }

    @Bean
    MeterBinder lifeguardUnmeteredExecutorMetrics(UnmeteredExecutors executors) {
        return registry -> executors.forEach(
                (name, executor) -> new ExecutorServiceMetrics(executor, name, Tags.empty()).bindTo(registry));
    }

    /** A server that has started again has a new pool of the same name. */
    @Bean
    MeterBinder lifeguardRequestThreadMetrics(ObjectProvider<WebServerPools> servers) {
        return registry -> servers.ifAvailable(pools -> {
            Map<String, ExternalPoolMetrics<Executor>> bound = new HashMap<>(); // one caller at a time
            pools.onWatched((name, executor, reader) -> {
                ExternalPoolMetrics<Executor> metrics = new ExternalPoolMetrics<>(executor, name, reader);
                ExternalPoolMetrics<Executor> before = bound.put(name, metrics);
                if (before != null) {
                    before.close();
                }
                metrics.bindTo(registry);
            });
        });
    }
}
