package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.text.LogText;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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
 * record's attributes are key-values of SLF4J, which a JSON encoder or the OpenTelemetry appender of the logging
 * library passes on. Their names are stable. All texts of a record have at most {@value #MOST_CHARACTERS} characters
 * together. {@code lifeguard.event.number} counts the records of a process from 1, so a store can tell which records
 * are missing, and which came twice.
 */
public final class FindingEventLog implements Consumer<FindingEvent> {

    /** The logger's name. */
    public static final String LOGGER = "io.lifeguard.pool.finding";

    static final int MOST_CHARACTERS = 700;

    private static final String EVENT_NAME = "lifeguard.finding";
    private static final String PLACE = "place"; // in the evidence
    private static final int LONGEST_NAME = 100;
    private static final int LONGEST_SUMMARY = 300;

    private final Logger log;
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
        this.log = Objects.requireNonNull(log, "log must not be null");
    }

    @Override
    public void accept(FindingEvent event) {
        LoggingEventBuilder record = log.atLevel(level(event));
        for (Map.Entry<String, Object> attribute : attributes(event).entrySet()) {
            record = record.addKeyValue(attribute.getKey(), attribute.getValue());
        }
        record.log(EVENT_NAME);
    }

    /** Also of the end: a threshold that lets the beginning through must not keep the end back. */
    private static Level level(FindingEvent event) {
        return switch (event.finding().severity()) {
            case INFO -> Level.INFO;
            case WARNING -> Level.WARN;
            case CRITICAL -> Level.ERROR;
        };
    }

    private Map<String, Object> attributes(FindingEvent event) {
        Finding finding = event.finding();
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("event.name", EVENT_NAME);
        attributes.put("lifeguard.event.number", number.incrementAndGet());
        attributes.put("lifeguard.finding.change", word(event.kind()));
        attributes.put("lifeguard.finding.stands", event.stands());
        attributes.put("lifeguard.finding.id", bounded(finding.id(), LONGEST_NAME));
        attributes.put("lifeguard.finding.severity", word(finding.severity()));
        attributes.put("lifeguard.finding.since", finding.since().toString());
        attributes.put("lifeguard.pool.name", bounded(finding.pool(), LONGEST_NAME));
        if (finding.evidence().get(PLACE) instanceof String place) {
            attributes.put("lifeguard.finding.place", bounded(place, LONGEST_NAME));
        }
        finding.recommendedSize().ifPresent(size -> attributes.put("lifeguard.pool.recommended_size", size));
        if (!event.why().isEmpty()) {
            attributes.put("lifeguard.finding.why", bounded(event.why(), LONGEST_NAME));
        }
        attributes.put("lifeguard.finding.summary", bounded(finding.summary(), LONGEST_SUMMARY));
        return attributes;
    }

    /** The end of a long place tells most: method, file and line. */
    private static String bounded(String text, int most) {
        String clean = LogText.clean(text);
        if (clean.length() <= most) {
            return clean;
        }
        return most == LONGEST_NAME
                ? "..." + clean.substring(clean.length() - most + 3)
                : clean.substring(0, most - 3) + "...";
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
