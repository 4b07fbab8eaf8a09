package io.lifeguard.pool.tools.recording;

import io.lifeguard.pool.recording.EventReader;
import io.lifeguard.pool.recording.EventRow;
import io.lifeguard.pool.recording.EventType;
import io.lifeguard.pool.recording.Observation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Reads the observations in a flight recording, one of the JDK's or one of a black box. Stateless. */
public final class RecordingReader {

    private RecordingReader() {}

    /**
     * {@return all observations in a file in the order in which they began; empty when the file has none of this
     * library}
     *
     * @throws IOException if the file cannot be read, or is no flight recording
     */
    public static List<Observation> read(Path file) throws IOException {
        return read(file, other -> {});
    }

    /**
     * {@return the same as {@link #read(Path)}}
     *
     * @param others is given all other events, in any order, not null
     * @throws IOException if the file cannot be read, or is no flight recording
     */
    public static List<Observation> read(Path file, Consumer<RecordedEvent> others) throws IOException {
        List<Observation> observations = new ArrayList<>();
        try (RecordingFile recording = new RecordingFile(file)) {
            readAll(recording, observations, others);
        }
        return ordered(observations);
    }

    /**
     * The part of a file that can be read. Immutable.
     *
     * @param observations those up to where the file is damaged, or to its end, in the order in which they began
     * @param damage what the reader said of the damage; empty where the file was read to its end
     */
    public record ReadablePart(List<Observation> observations, Optional<String> damage) {

        /** Copies the list. */
        public ReadablePart {
            observations = List.copyOf(observations);
        }
    }

    /**
     * {@return the part of a file that can be read}
     *
     * @param others is given all other events up to there, in any order, not null
     * @throws IOException if the file cannot be opened, or is no flight recording
     */
    public static ReadablePart readablePart(Path file, Consumer<RecordedEvent> others) throws IOException {
        List<Observation> observations = new ArrayList<>();
        Optional<String> damage = Optional.empty();
        try (RecordingFile recording = new RecordingFile(file)) {
            try {
                readAll(recording, observations, others);
            } catch (IOException | RuntimeException e) { // the JDK's reader throws many kinds for a broken file
                damage = Optional.of(e.toString());
            }
        }
        return new ReadablePart(ordered(observations), damage);
    }

    private static void readAll(RecordingFile recording, List<Observation> observations, Consumer<RecordedEvent> others)
            throws IOException {
        while (recording.hasMoreEvents()) {
            RecordedEvent event = recording.readEvent();
            String name = event.getEventType().getName();
            if (name.startsWith(EventType.PREFIX)) {
                EventReader.read(name, new JdkRow(event)).ifPresent(observations::add);
            } else {
                others.accept(event);
            }
        }
    }

    private static List<Observation> ordered(List<Observation> observations) {
        observations.sort(Comparator.comparingLong(Observation::startNanos));
        return observations;
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
