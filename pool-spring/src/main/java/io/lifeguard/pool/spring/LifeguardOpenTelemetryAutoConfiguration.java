package io.lifeguard.pool.spring;

import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.otel.FindingLogRecords;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.logs.LogRecordBuilder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

/**
 * Emits each event of a finding as a log record of the application's {@code OpenTelemetry} bean, whichever of Boot and
 * OpenTelemetry's starter has made it. To switch it off, exclude this autoconfiguration.
 */
@AutoConfiguration(
        after = LifeguardAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.opentelemetry.OpenTelemetryAutoConfiguration",
            "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration",
            "io.opentelemetry.instrumentation.spring.autoconfigure.OpenTelemetryAutoConfiguration"
        })
@ConditionalOnClass({OpenTelemetry.class, LogRecordBuilder.class})
// not if Lifeguard is off or excluded
@ConditionalOnBean(value = UnseenExecutors.class, search = SearchStrategy.CURRENT)
@ConditionalOnSingleCandidate(OpenTelemetry.class)
public final class LifeguardOpenTelemetryAutoConfiguration {

    /** Made by the container. */
    public LifeguardOpenTelemetryAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "lifeguardFindingLogRecords")
    FindingListener lifeguardFindingLogRecords(OpenTelemetry openTelemetry) {
        return FindingListener.ofEvents(new FindingLogRecords(openTelemetry));
    }
}
