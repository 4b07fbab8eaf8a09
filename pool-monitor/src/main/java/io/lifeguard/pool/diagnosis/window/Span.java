package io.lifeguard.pool.diagnosis.window;

import io.lifeguard.pool.Distribution;
import java.time.Duration;
import java.util.Objects;

/**
 * The values added to one {@link Distribution} within a window: their number and sum. Immutable.
 *
 * @param count how many values, not negative
 * @param total their sum, not null, not negative
 */
public record Span(long count, Duration total) {

    /** No values. */
    public static final Span NONE = new Span(0, Duration.ZERO);

    private static final double NANOS = 1e9; // nanoseconds in one second

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if one is negative
     */
    public Span {
        Objects.requireNonNull(total, "total must not be null");
        if (count < 0 || total.isNegative()) {
            throw new IllegalArgumentException(
                    "count and total must not be negative (were " + count + " and " + total + ")");
        }
    }

    /** The values between two readings of the same distribution; none if either, or its sum, is unknown. */
    static Span between(Distribution before, Distribution after) {
        if (!before.isMeanKnown() || !after.isMeanKnown()) {
            return NONE;
        }
        long nanos = after.total().toNanos() - before.total().toNanos();
        return new Span(Math.max(0, after.count() - before.count()), Duration.ofNanos(Math.max(0, nanos)));
    }

    /** {@return the sum in seconds} */
    public double seconds() {
        return total.toNanos() / NANOS;
    }

    /** {@return the mean in seconds; 0 when there were no values} */
    public double meanSeconds() {
        return count == 0 ? 0 : seconds() / count;
    }

    /** {@return the mean; zero when there were no values} */
    public Duration mean() {
        return count == 0 ? Duration.ZERO : total.dividedBy(count);
    }
}
