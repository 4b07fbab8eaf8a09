package io.lifeguard.pool.otel;

import io.lifeguard.pool.diagnosis.FindingEvent;
import io.lifeguard.pool.diagnosis.FindingEventLog;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.logs.LogRecordBuilder;
import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.logs.Severity;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Emits each event of a finding as one OpenTelemetry log record, which the exporter of the application delivers.
 * Thread-safe.
 *
 * <p>Register it by {@code PoolMonitor.global().addListener(FindingListener.ofEvents(new
 * FindingLogRecords(openTelemetry)))}. With the OpenTelemetry agent, {@code GlobalOpenTelemetry.get()} is the argument.
 * It needs {@code io.opentelemetry:opentelemetry-api}, which the application brings. The attributes are those of
 * {@link FindingEventLog}, except that the summary is the record's body. A record has at most 1 KB in OTLP, without the
 * resource that its batch shares.
 *
 * @implNote The record has an event name from version 1.50 of the API on. Before, it has the attribute
 *     {@code event.name}.
 */
public final class FindingLogRecords implements Consumer<FindingEvent> {

    /** The instrumentation scope of the records. */
    public static final String SCOPE = FindingEventLog.LOGGER;

    private static final String EVENT_NAME = "event.name";
    private static final String SUMMARY = "lifeguard.finding.summary";
    private static final boolean HAS_EVENT_NAME = hasEventName();

    private final Logger logger;
    private final String source = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    private final AtomicLong number = new AtomicLong(); // written by any thread that tells of a change, atomically

    /**
     * Emits to the logger provider of that instance.
     *
     * @param openTelemetry the application's own, not null
     */
    public FindingLogRecords(OpenTelemetry openTelemetry) {
        Objects.requireNonNull(openTelemetry, "openTelemetry must not be null");
        this.logger = openTelemetry.getLogsBridge().loggerBuilder(SCOPE).build();
    }

    private static boolean hasEventName() {
        try {
            LogRecordBuilder.class.getMethod("setEventName", String.class);
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    @Override
    public void accept(FindingEvent event) {
        LogRecordBuilder record = logger.logRecordBuilder()
                .setSeverity(severity(event))
                .setSeverityText(event.finding().severity().name());
        event.attributes().forEach((name, value) -> add(record, name, value));
        add(record, "lifeguard.event.source", source);
        add(record, "lifeguard.event.number", number.incrementAndGet());
        record.emit();
    }

    private static void add(LogRecordBuilder record, String name, Object value) {
        if (name.equals(SUMMARY)) {
            record.setBody((String) value);
        } else if (HAS_EVENT_NAME && name.equals(EVENT_NAME)) {
            record.setEventName((String) value);
        } else if (value instanceof Long number) {
            record.setAttribute(AttributeKey.longKey(name), number);
        } else if (value instanceof Boolean truth) {
            record.setAttribute(AttributeKey.booleanKey(name), truth);
        } else {
            record.setAttribute(AttributeKey.stringKey(name), value.toString());
        }
    }

    /** Also of the end, so that a threshold that lets the beginning through lets the end through as well. */
    private static Severity severity(FindingEvent event) {
        return switch (event.finding().severity()) {
            case INFO -> Severity.INFO;
            case WARNING -> Severity.WARN;
            case CRITICAL -> Severity.ERROR;
        };
    }
}
