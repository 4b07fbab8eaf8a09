package io.lifeguard.pool.otel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingEvent;
import io.lifeguard.pool.diagnosis.FindingEvent.Kind;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.otlp.OtlpReceiver;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.logs.LogRecordProcessor;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessor;
import io.opentelemetry.sdk.logs.export.SimpleLogRecordProcessor;
import io.opentelemetry.sdk.testing.exporter.InMemoryLogRecordExporter;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** One record with an event name, stable attributes and a bounded size for each event. */
class FindingLogRecordsTest {

    private static Finding finding(String id, String pool, String summary, String place) {
        return new Finding(
                id,
                Severity.CRITICAL,
                pool,
                summary,
                "a",
                Map.of("place", place),
                OptionalInt.of(Integer.MAX_VALUE),
                Instant.parse("2026-11-25T12:00:00.123456789Z"));
    }

    private static OpenTelemetrySdk telemetry(LogRecordProcessor processor) {
        return OpenTelemetrySdk.builder()
                .setLoggerProvider(SdkLoggerProvider.builder()
                        .addLogRecordProcessor(processor)
                        .build())
                .build();
    }

    @Test
    void accept_foundAndResolved_areNumberedRecordsOfOneSource() {
        InMemoryLogRecordExporter exporter = InMemoryLogRecordExporter.create();
        Finding finding = finding("lock-contention", "orders", "7 of 8 wait", "Orders.load(Orders.java:42)");
        try (OpenTelemetrySdk telemetry = telemetry(SimpleLogRecordProcessor.create(exporter))) {
            FindingLogRecords records = new FindingLogRecords(telemetry);

            records.accept(new FindingEvent(Kind.FOUND, finding, "", true));
            records.accept(new FindingEvent(Kind.RESOLVED, finding, "", false));

            LogRecordData found = exporter.getFinishedLogRecordItems().get(0);
            LogRecordData resolved = exporter.getFinishedLogRecordItems().get(1);
            assertThat(found.getEventName()).isEqualTo("lifeguard.finding");
            assertThat(found.getSeverity()).isEqualTo(io.opentelemetry.api.logs.Severity.ERROR);
            assertThat(found.getBodyValue().asString()).isEqualTo("7 of 8 wait");
            assertThat(found.getInstrumentationScopeInfo().getName()).isEqualTo(FindingLogRecords.SCOPE);
            Map<String, Object> attributes = attributes(found);
            Object source = attributes.remove("lifeguard.event.source");
            assertThat(source.toString()).matches("[0-9a-f]{16}");
            assertThat(attributes)
                    .isEqualTo(Map.of(
                            "lifeguard.event.number", 1L,
                            "lifeguard.finding.change", "found",
                            "lifeguard.finding.stands", true,
                            "lifeguard.finding.id", "lock-contention",
                            "lifeguard.finding.severity", "critical",
                            "lifeguard.finding.since", "2026-11-25T12:00:00.123456789Z",
                            "lifeguard.finding.place", "Orders.load(Orders.java:42)",
                            "lifeguard.pool.name", "orders",
                            "lifeguard.pool.recommended_size", (long) Integer.MAX_VALUE));
            assertThat(attributes(resolved))
                    .containsEntry("lifeguard.event.source", source)
                    .containsEntry("lifeguard.event.number", 2L)
                    .containsEntry("lifeguard.finding.change", "resolved")
                    .containsEntry("lifeguard.finding.stands", false);
            assertThat(resolved.getSeverity())
                    .as("a threshold that lets the beginning through lets the end through")
                    .isEqualTo(io.opentelemetry.api.logs.Severity.ERROR);
        }
    }

    private static Map<String, Object> attributes(LogRecordData data) {
        Map<String, Object> attributes = new TreeMap<>();
        data.getAttributes().forEach((key, value) -> attributes.put(((AttributeKey<?>) key).getKey(), value));
        return attributes;
    }

    @Test
    void accept_overHttp_eachRecordHasAtMostOneKilobyte() throws IOException {
        String ascii = "ignore\nall".repeat(500);
        String wide = "\u6c34\ud83c\udfca\u00e9".repeat(500);
        try (OtlpReceiver receiver = OtlpReceiver.start();
                OpenTelemetrySdk telemetry =
                        telemetry(BatchLogRecordProcessor.builder(OtlpHttpLogRecordExporter.builder()
                                        .setEndpoint(receiver.endpoint())
                                        .build())
                                .build())) {
            FindingLogRecords records = new FindingLogRecords(telemetry);
            for (String text : new String[] {ascii, wide, "", "short"}) {
                records.accept(new FindingEvent(Kind.UNKNOWN, finding(text + "i", text, text, text), text, false));
            }

            assertThat(telemetry
                            .getSdkLoggerProvider()
                            .forceFlush()
                            .join(30, TimeUnit.SECONDS)
                            .isSuccess())
                    .isTrue();

            assertThat(receiver.records).hasSize(4);
            assertThat(receiver.records).extracting(LogRecord::getEventName).containsOnly("lifeguard.finding");
            assertThat(receiver.records)
                    .extracting(LogRecord::getSerializedSize)
                    .allMatch(size -> size <= 1024)
                    .anyMatch(size -> size > 900);
            assertThat(receiver.records).noneMatch(record -> record.toString().contains("ignore\\nall"));
            assertThat(receiver.records.get(1).getBody().getStringValue())
                    .as("no character is cut in two")
                    .matches("(\u6c34|\ud83c\udfca|\u00e9)+\\.\\.\\.");
        }
    }

    @Test
    void constructor_null_saysWhatIsNull() {
        assertThatNullPointerException()
                .isThrownBy(() -> new FindingLogRecords(null))
                .withMessage("openTelemetry must not be null");
    }
}
