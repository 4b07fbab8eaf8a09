package io.lifeguard.pool.tools.recording;

import io.lifeguard.pool.recording.EventRow;
import io.lifeguard.pool.recording.EventType;
import io.lifeguard.pool.recording.Observation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Reads the observations in a flight recording, one of the JDK's or one of a black box. Stateless. */
public final class RecordingReader {

    private RecordingReader() {}

    /** {@return the observations in a file, without other events} */
    public static List<Observation> read(Path file) throws IOException {
        return read(file, other -> {});
    }

    /**
     * {@return all observations in a file in the order in which they began; empty when the file has none of this
     * library}
     *
     * @param others is given all other events, in any order, not null
     * @throws IOException if the file cannot be read, or is no flight recording
     */
    public static List<Observation> read(Path file, Consumer<RecordedEvent> others) throws IOException {
        List<Observation> observations = new ArrayList<>();
        try (RecordingFile recording = new RecordingFile(file)) {
            readAll(recording, observations, others);
        }
        observations.sort(Comparator.comparingLong(Observation::startNanos));
        return observations;
    }

    /**
     * Reads a recording to its end.
     *
     * @param observations is given those of this library, in the order of the file, not null
     * @param others is given all other events, in any order, not null
     */
    public static void readAll(RecordingFile recording, List<Observation> observations, Consumer<RecordedEvent> others)
            throws IOException {
        while (recording.hasMoreEvents()) {
            RecordedEvent event = recording.readEvent();
            String name = event.getEventType().getName();
            if (name.startsWith(EventType.PREFIX)) {
                EventType.read(name, new JdkRow(event)).ifPresent(observations::add);
            } else {
                others.accept(event);
            }
        }
    }

    /** The fields of one event. A field that is missing, or has another type, is unknown. */
    private record JdkRow(RecordedEvent event) implements EventRow {

        @Override
        public long startNanos() {
            return Observation.nanos(event.getStartTime());
        }

        @Override
        public long durationNanos() {
            return Math.max(0, event.getDuration().toNanos());
        }

        @Override
        public String text(String field) {
            return value(field) instanceof String text ? text : "";
        }

        @Override
        public boolean flag(String field) {
            return Boolean.TRUE.equals(value(field));
        }

        @Override
        public long number(String field) {
            Object value = value(field);
            if (value instanceof Integer number) {
                return number;
            }
            return value instanceof Long number
                    ? number
                    : value instanceof Duration length ? length.toNanos() : Long.MIN_VALUE;
        }

        @Override
        public double real(String field) {
            return value(field) instanceof Double number ? number : Double.NaN;
        }

        private Object value(String field) {
            return event.hasField(field) ? event.getValue(field) : this;
        }
    }
}
