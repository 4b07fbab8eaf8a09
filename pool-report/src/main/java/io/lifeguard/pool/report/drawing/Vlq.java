package io.lifeguard.pool.report.drawing;

/**
 * Writes numbers as variable-length text: base-64 digits of five bits each, the lowest first, where 32 says that more
 * follow. Not thread-safe.
 *
 * <p>Text decodes lazily, lane by lane, and needs no parser for thousands of arrays. Source maps use the same digits.
 */
final class Vlq {

    private static final String DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private final StringBuilder text = new StringBuilder();

    /**
     * Adds a number.
     *
     * @throws IllegalArgumentException if it is negative
     */
    void add(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("number must be >= 0 (was " + number + ")");
        }
        long rest = number;
        while (rest > 31) {
            text.append(DIGITS.charAt((int) (rest & 31) | 32));
            rest >>>= 5;
        }
        text.append(DIGITS.charAt((int) rest));
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
