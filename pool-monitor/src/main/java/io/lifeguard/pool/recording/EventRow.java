package io.lifeguard.pool.recording;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The fields of one event that is being read from a recording. A field that the event does not have is unknown: the
 * methods then return the {@linkplain EventField.Form value that says so}, and {@code false} for a flag.
 */
public interface EventRow {

    /** {@return when the event began, in nanoseconds since 1970} */
    long startNanos();

    /** {@return how long it lasted in nanoseconds; 0 for a moment} */
    long durationNanos();

    String text(String field);

    boolean flag(String field);

    /** {@return an {@code int}, a {@code long} or a length in nanoseconds} */
    long number(String field);

    double real(String field);

    default String pool() {
        return text("pool");
    }

    /** {@return a length in nanoseconds; that of the event where it has no such field} */
    default long length(String field) {
        return known(field).orElse(durationNanos());
    }

    /**
     * {@return when the window ended that the event tells of, in nanoseconds since 1970; when the event was written, if
     * it does not say how long before that}
     */
    default long windowEndNanos() {
        return startNanos() - Math.max(0, number(EventFields.LATE));
    }

    /** {@return a number that is never negative; empty when unknown} */
    default OptionalInt optionalInt(String field) {
        long value = number(field);
        return value < 0 ? OptionalInt.empty() : OptionalInt.of((int) value);
    }

    /** {@return a number; empty when unknown} */
    default Optional<Long> known(String field) {
        return Optional.of(number(field)).filter(value -> value != Long.MIN_VALUE);
    }

    /** {@return a number; empty when unknown} */
    default OptionalLong optionalLong(String field) {
        return known(field).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    /** {@return a number; empty when unknown} */
    default OptionalDouble optionalDouble(String field) {
        double value = real(field);
        return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
