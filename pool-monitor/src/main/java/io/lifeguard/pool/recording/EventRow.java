package io.lifeguard.pool.recording;

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
}
