package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.log.LogLines;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes each event of a finding to the log as one structured record, for a store of the logs of many programs.
 * Thread-safe.
 *
 * <p>Register it by {@code PoolMonitor.global().addListener(FindingListener.ofEvents(new FindingEventLog()))}. The
 * record's attributes are key-values of SLF4J, which a JSON encoder of the logging library passes on. A program with
 * OpenTelemetry uses {@code FindingLogRecords} of {@code pool-otel} instead, with the same attributes. Their names are
 * stable. The texts of a record have at most 520 bytes together. {@code lifeguard.event.number} counts the records of
 * this object from 1, and {@code lifeguard.event.source} is a random name of this object. So a store can tell which
 * records are missing, and which came twice. The lines are written soon, on a daemon thread, because a slow appender
 * must not stop the monitor. If that thread cannot keep up, lines are dropped, and the log says how many.
 * {@link #close} before a program ends writes what still waits.
 */
public final class FindingEventLog implements Consumer<FindingEvent>, AutoCloseable {

    /** The logger's name. */
    public static final String LOGGER = "io.lifeguard.pool.finding";

    private final LogLines lines;
    private final String source = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    private final AtomicLong number = new AtomicLong(); // written by any thread that tells of a change, atomically

    /** Writes to the logger {@value #LOGGER}. */
    public FindingEventLog() {
        this(LOGGER);
    }

    /**
     * Writes to another logger.
     *
     * @param logger its name, not null
     */
    public FindingEventLog(String logger) {
        this(LoggerFactory.getLogger(Objects.requireNonNull(logger, "logger must not be null")));
    }

    FindingEventLog(Logger log) {
        this.lines = new LogLines(() -> log);
    }

    @Override
    public void accept(FindingEvent event) {
        Map<String, Object> next = new LinkedHashMap<>(); // in the order in which they are read best
        next.put(FindingAttributes.EVENT_NAME_KEY, FindingAttributes.EVENT_NAME);
        next.put("lifeguard.event.source", source);
        next.put("lifeguard.event.number", number.incrementAndGet());
        next.putAll(event.attributes());
        lines.write(log -> write(log, level(event), next));
    }

    /**
     * Writes the records that wait, for at most five seconds, and drops those that come later. If the thread is
     * interrupted meanwhile, it stays interrupted and waits no longer.
     */
    @Override
    public void close() {
        lines.close();
    }

    private static void write(Logger log, Level level, Map<String, Object> next) {
        LoggingEventBuilder record = log.atLevel(level);
        for (Map.Entry<String, Object> attribute : next.entrySet()) {
            record = record.addKeyValue(attribute.getKey(), attribute.getValue());
        }
        record.log(FindingAttributes.EVENT_NAME);
    }

    /** Also of the end: a threshold that lets the beginning through must not keep the end back. */
    private static Level level(FindingEvent event) {
        return switch (event.finding().severity()) {
            case INFO -> Level.INFO;
            case WARNING -> Level.WARN;
            case CRITICAL -> Level.ERROR;
        };
    }
}
