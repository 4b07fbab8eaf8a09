package io.lifeguard.pool.recording;

import io.lifeguard.pool.recording.EventField.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Is passed the fields of one event in their order, each with its value: lists them, writes them, or reads them, and
 * returns what is stored. So {@link Events} names each field once. Not thread-safe.
 */
abstract class EventFields {

    /** A timespan of events that tell of a window: the monitor writes them when it has evaluated the window. */
    static final String LATE = "late";

    /** {@return what is stored of a value, which is unknown when it is null or an empty {@code Optional}} */
    abstract Object pass(Form form, String name, String label, String description, @Nullable Object value);

    /** {@return when the event began, which is no field; {@code known} unless it is read} */
    long start(long known) {
        return known;
    }

    /** {@return a length in nanoseconds; that of the event where it has no such field} */
    long lasted(String name, String label, String description, long nanos) {
        return (Long) pass(Form.TIMESPAN, name, label, description, nanos);
    }

    /** {@return when the window ended that the event tells of; {@code known} unless it is read} */
    long windowEnd(long known) {
        pass(Form.TIMESPAN, LATE, "Late", "How long before this event the window ended", lateNanos());
        return known;
    }

    /** How long after the end of the observation its event is written. */
    long lateNanos() {
        return 0;
    }

    final String text(String name, String label, String description, @Nullable Object value) {
        return (String) pass(Form.TEXT, name, label, description, value);
    }

    final boolean flag(String name, String label, String description, boolean value) {
        return (Boolean) pass(Form.FLAG, name, label, description, value);
    }

    final int count(String name, String label, String description, int value) {
        return Math.max(0, (Integer) pass(Form.INT, name, label, description, value));
    }

    final OptionalInt count(String name, String label, String description, OptionalInt value) {
        int stored = (Integer) pass(Form.INT, name, label, description, value);
        return stored < 0 ? OptionalInt.empty() : OptionalInt.of(stored);
    }

    /** A number that may be negative, and is {@link Long#MIN_VALUE} when it is unknown. */
    final long total(String name, String label, String description, long value) {
        return (Long) pass(Form.LONG, name, label, description, value);
    }

    final double number(String name, String label, String description, double value) {
        return (Double) pass(Form.DOUBLE, name, label, description, value);
    }

    final OptionalDouble number(String name, String label, String description, OptionalDouble value) {
        double stored = (Double) pass(Form.DOUBLE, name, label, description, value);
        return Double.isNaN(stored) ? OptionalDouble.empty() : OptionalDouble.of(stored);
    }

    final long timespan(String name, String label, String description, long nanos) {
        return Math.max(0, (Long) pass(Form.TIMESPAN, name, label, description, nanos));
    }

    final OptionalLong timespan(String name, String label, String description, OptionalLong nanos) {
        long stored = (Long) pass(Form.TIMESPAN, name, label, description, nanos);
        return stored == Long.MIN_VALUE ? OptionalLong.empty() : OptionalLong.of(stored);
    }

    /** Lists the fields. */
    static final class Listing extends EventFields {
        final List<EventField> all = new ArrayList<>();

        @Override
        Object pass(Form form, String name, String label, String description, @Nullable Object value) {
            all.add(new EventField(name, label, description, form));
            return form.stored(null);
        }
    }

    /** Writes the values of the fields. */
    static final class Writing extends EventFields {
        final List<Object> values = new ArrayList<>();
        private final long lateNanos;

        Writing(long lateNanos) {
            this.lateNanos = lateNanos;
        }

        @Override
        long lateNanos() {
            return lateNanos;
        }

        @Override
        Object pass(Form form, String name, String label, String description, @Nullable Object value) {
            Object stored = form.stored(value);
            values.add(stored);
            return stored;
        }
    }

    /** Reads the fields of an event. */
    static final class Reading extends EventFields {
        private final EventRow row;

        Reading(EventRow row) {
            this.row = row;
        }

        @Override
        long start(long known) {
            return row.startNanos();
        }

        @Override
        long lasted(String name, String label, String description, long nanos) {
            long read = row.number(name);
            return read == Long.MIN_VALUE ? row.durationNanos() : read;
        }

        @Override
        long windowEnd(long known) {
            return row.startNanos() - Math.max(0, row.number(LATE));
        }

        @Override
        Object pass(Form form, String name, String label, String description, @Nullable Object value) {
            return switch (form) {
                case TEXT -> row.text(name);
                case FLAG -> row.flag(name);
                case INT -> number(row.number(name));
                case LONG, TIMESPAN -> row.number(name);
                case DOUBLE -> row.real(name);
            };
        }

        private static int number(long read) {
            return read == Long.MIN_VALUE ? Integer.MIN_VALUE : (int) read;
        }
    }
}
