package io.lifeguard.pool.measure;

/**
 * Adds durations in nanoseconds. A sum that is too great for a {@code long} becomes {@link Long#MAX_VALUE}, which is
 * 292 years. Ten million tasks of 30 minutes take longer.
 */
public final class Saturating {

    private Saturating() {}

    /** {@return the sum} At most one of the two may be negative. */
    public static long add(long a, long b) {
        long sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0 ? Long.MAX_VALUE : sum;
    }

    /** {@return the product of two numbers that are not negative} */
    static long multiply(long a, long b) {
        return b != 0 && a > Long.MAX_VALUE / b ? Long.MAX_VALUE : a * b;
    }
}
