package io.lifeguard.pool.recording;

import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One field of an event. Immutable.
 *
 * @param name in {@code camelCase}
 * @param label a short name for people
 * @param description what it holds
 * @param form how it is stored
 */
public record EventField(String name, String label, String description, Form form) {

    /** How a field is stored, and which value says that it is unknown. */
    public enum Form {
        /** A {@code String}; empty when unknown. */
        TEXT(""),
        /** A {@code boolean}. */
        FLAG(false),
        /** An {@code int}; {@link Integer#MIN_VALUE} when unknown. */
        INT(Integer.MIN_VALUE),
        /** A {@code long}; {@link Long#MIN_VALUE} when unknown. */
        LONG(Long.MIN_VALUE),
        /** A {@code double}; NaN when unknown. */
        DOUBLE(Double.NaN),
        /** A {@code long} in nanoseconds; {@link Long#MIN_VALUE} when unknown. */
        TIMESPAN(Long.MIN_VALUE);

        @SuppressWarnings("ImmutableEnumChecker") // a number or a text
        private final Object unknown;

        Form(Object unknown) {
            this.unknown = unknown;
        }

        /** {@return what is stored of a value, which is unknown when it is null or an empty {@code Optional}} */
        Object stored(@Nullable Object value) {
            if (value == null) {
                return unknown;
            } else if (value instanceof OptionalInt maybe) {
                return maybe.isPresent() ? (Object) maybe.getAsInt() : unknown;
            } else if (value instanceof OptionalLong maybe) {
                return maybe.isPresent() ? (Object) maybe.getAsLong() : unknown;
            } else if (value instanceof OptionalDouble maybe) {
                return maybe.isPresent() ? (Object) maybe.getAsDouble() : unknown;
            }
            return value instanceof Enum<?> constant ? constant.name() : value;
        }
    }
}
