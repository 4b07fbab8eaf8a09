package io.lifeguard.pool.diagnosis.window;

import io.lifeguard.pool.Distribution;
import java.time.Duration;
import java.util.Objects;

/**
 * What was added to one {@link Distribution} within a window: how many values, and their sum. Immutable.
 *
 * @param count how many values, not negative
 * @param total their sum, not null, not negative
 */
public record Span(long count, Duration total) {

    /** Nothing. */
    public static final Span NONE = new Span(0, Duration.ZERO);

    private static final double NANOS = 1e9;

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

    /** What lies between two readings of the same distribution; nothing if either is unknown. */
    static Span between(Distribution before, Distribution after) {
        if (!before.isKnown() || !after.isKnown()) {
            return NONE;
        }
        long nanos = after.total().toNanos() - before.total().toNanos();
        return new Span(Math.max(0, after.count() - before.count()), Duration.ofNanos(Math.max(0, nanos)));
    }

    /**
     * The sum in seconds.
     *
     * @return the total, in seconds
     */
    public double seconds() {
        return total.toNanos() / NANOS;
    }

    /**
     * The mean in seconds.
     *
     * @return {@code total / count} in seconds, 0 when there was nothing
     */
    public double meanSeconds() {
        return count == 0 ? 0 : seconds() / count;
    }

    /**
     * The mean.
     *
     * @return {@code total / count}, zero when there was nothing
     */
    public Duration mean() {
        return count == 0 ? Duration.ZERO : total.dividedBy(count);
    }
}
