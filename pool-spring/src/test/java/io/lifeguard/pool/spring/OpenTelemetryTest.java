package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.Severity;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.SimpleLogRecordProcessor;
import io.opentelemetry.sdk.testing.exporter.InMemoryLogRecordExporter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/** Findings become log records of the application's OpenTelemetry, if it has one. */
class OpenTelemetryTest {

    /** Boot's own, by their names in 3.5 and in 4. */
    private static final List<String> BOOTS = List.of(
            "org.springframework.boot.actuate.autoconfigure.logging.OpenTelemetryLoggingAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.opentelemetry.OpenTelemetryAutoConfiguration",
            "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration",
            "org.springframework.boot.opentelemetry.autoconfigure.logging.OpenTelemetryLoggingAutoConfiguration");

    private static final String BEAN = "lifeguardFindingLogRecords";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TaskExecutionAutoConfiguration.class,
                    LifeguardAutoConfiguration.class,
                    LifeguardOpenTelemetryAutoConfiguration.class));

    @Test
    void finding_usersBean_becomesARecord() {
        runner.withUserConfiguration(UsersTelemetry.class).run(context -> {
            raise(context.getBean(BEAN, FindingListener.class));
            assertIsFinding(context.getBean(InMemoryLogRecordExporter.class));
        });
    }

    @Test
    void finding_bootsBean_becomesARecord() {
        List<Class<?>> boots = new ArrayList<>();
        BOOTS.stream()
                .filter(name -> ClassUtils.isPresent(name, null))
                .forEach(name -> boots.add(ClassUtils.resolveClassName(name, null)));
        assumeThat(boots).isNotEmpty();
        runner.withConfiguration(AutoConfigurations.of(boots.toArray(Class<?>[]::new)))
                .withUserConfiguration(Exporter.class)
                .run(context -> {
                    assertThat(context).hasSingleBean(OpenTelemetry.class);
                    raise(context.getBean(BEAN, FindingListener.class));
                    assertIsFinding(context.getBean(InMemoryLogRecordExporter.class));
                });
    }

    private static void raise(FindingListener listener) {
        listener.raised(new Finding(
                "oversized",
                Severity.INFO,
                "orders",
                "2 workers do as much",
                "a",
                Map.of(),
                OptionalInt.of(2),
                Instant.EPOCH));
    }

    private static void assertIsFinding(InMemoryLogRecordExporter exporter) {
        assertThat(exporter.getFinishedLogRecordItems()).hasSize(1);
        LogRecordData record = exporter.getFinishedLogRecordItems().get(0);
        assertThat(record.getAttributes().get(AttributeKey.stringKey("lifeguard.finding.id")))
                .isEqualTo("oversized");
        // Boot 3.5 manages a version whose records have no name.
        assertThat(record.getAttributes().get(AttributeKey.stringKey("event.name")) != null
                        || record.toString().contains("eventName=lifeguard.finding"))
                .as("has an event name: %s", record)
                .isTrue();
    }

    @Test
    void start_noTelemetry_hasNoBean() {
        runner.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BEAN));
        runner.withClassLoader(new FilteredClassLoader("io.opentelemetry"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BEAN));
    }

    @Test
    void start_lifeguardOff_hasNoBean() {
        runner.withUserConfiguration(UsersTelemetry.class)
                .withPropertyValues("lifeguard.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BEAN));
    }

    @Configuration(proxyBeanMethods = false)
    static class Exporter {
        @Bean
        InMemoryLogRecordExporter exporter() {
            return InMemoryLogRecordExporter.create();
        }

        @Bean
        SimpleLogRecordProcessor processor(InMemoryLogRecordExporter exporter) {
            return (SimpleLogRecordProcessor) SimpleLogRecordProcessor.create(exporter);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UsersTelemetry extends Exporter {
        @Bean
        OpenTelemetrySdk telemetry(SimpleLogRecordProcessor processor) {
            return OpenTelemetrySdk.builder()
                    .setLoggerProvider(SdkLoggerProvider.builder()
                            .addLogRecordProcessor(processor)
                            .build())
                    .build();
        }
    }
}
