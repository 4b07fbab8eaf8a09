package io.lifeguard.examples.fleet;

import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.otel.FindingLogRecords;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporterBuilder;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessor;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessorBuilder;
import io.opentelemetry.sdk.resources.Resource;
import java.net.URI;
import java.time.Duration;

/**
 * The OpenTelemetry of one played instance: its resource, its queue and its exporter, as an application configures
 * them. Thread-safe.
 */
final class PlayedTelemetry {

    /** The SDK allows no more. */
    private static final int MOST_ATTEMPTS = 5;

    private static final int MULTIPLIER = 4;

    private final SdkLoggerProvider provider;
    private final FindingListener listener;

    /**
     * @param endpoint where records go, by OTLP over HTTP
     * @param outage for how long the receiver may be away without a loss; zero for the SDK's own settings
     */
    PlayedTelemetry(URI endpoint, int instance, int instances, Duration outage) {
        OtlpHttpLogRecordExporterBuilder exporter =
                OtlpHttpLogRecordExporter.builder().setEndpoint(endpoint.toString());
        if (!outage.isZero()) {
            exporter.setRetryPolicy(retries(outage)).setTimeout(outage.multipliedBy(2));
        }
        BatchLogRecordProcessorBuilder processor = BatchLogRecordProcessor.builder(exporter.build());
        if (!outage.isZero()) {
            processor.setExporterTimeout(outage.multipliedBy(2));
        }
        provider = SdkLoggerProvider.builder()
                .setResource(resource(instance, instances))
                .addLogRecordProcessor(processor.build())
                .build();
        listener = FindingListener.ofEvents(new FindingLogRecords(
                OpenTelemetrySdk.builder().setLoggerProvider(provider).build()));
    }

    /**
     * The four pauses before the further attempts are 1.4 times as long as the outage together. Each may be 20 % less.
     */
    private static RetryPolicy retries(Duration outage) {
        return RetryPolicy.builder()
                .setMaxAttempts(MOST_ATTEMPTS)
                .setInitialBackoff(outage.dividedBy(60))
                .setBackoffMultiplier(MULTIPLIER)
                .setMaxBackoff(outage.plus(outage.dividedBy(15)))
                .build();
    }

    /** The newer version has come to every third instance only. */
    private static Resource resource(int instance, int instances) {
        return Resource.create(Attributes.of(
                AttributeKey.stringKey("service.name"),
                "checkout",
                AttributeKey.stringKey("service.version"),
                instance < instances / 3 ? "1.5.0" : "1.4.2",
                AttributeKey.stringKey("service.instance.id"),
                "checkout-" + instance));
    }

    FindingListener listener() {
        return listener;
    }

    /** Sends what is left. The result is a failure if a batch is lost while this takes place. */
    CompletableResultCode shutdown() {
        return provider.shutdown();
    }
}
