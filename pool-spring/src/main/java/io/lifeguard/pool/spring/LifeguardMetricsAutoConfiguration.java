package io.lifeguard.pool.spring;

import io.lifeguard.pool.micrometer.InstrumentedPoolMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

/**
 * Adds binders, which Boot binds to its registry: one for all pools of Lifeguard, whoever makes them, and one for executors of the application that
 * Boot does not meter. For pools that Boot meters too, the names are the same, and so there is one series.
 */
@AutoConfiguration(after = LifeguardAutoConfiguration.class)
@ConditionalOnClass({MeterBinder.class, InstrumentedPoolMetrics.class})
@ConditionalOnBean(value = BlindSpots.class, search = SearchStrategy.CURRENT) // not where Lifeguard is off, or excluded
@ConditionalOnSwitch("lifeguard.metrics.enabled")
public final class LifeguardMetricsAutoConfiguration {

    /** Made by the container. */
    public LifeguardMetricsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    InstrumentedPoolMetrics lifeguardPoolMetrics(LifeguardProperties properties) {
        LifeguardProperties.Metrics metrics = properties.metrics();
        InstrumentedPoolMetrics.Builder builder = InstrumentedPoolMetrics.builder()
                .percentiles(metrics.percentiles().stream()
                        .mapToDouble(Double::doubleValue)
                        .toArray())
                .kinds(metrics.kinds())
                .mostPools(metrics.maxPools())
                .keepAfterTermination(metrics.keepAfterTermination())
                .findingPages(metrics.findingPages());
        if (metrics.histograms()) {
            builder.histograms();
        }
        return builder.build();
    }

    @Bean
    UnmeteredExecutorMetrics lifeguardUnmeteredExecutorMetrics(UnmeteredExecutors executors) {
        return new UnmeteredExecutorMetrics(executors);
    }
}
