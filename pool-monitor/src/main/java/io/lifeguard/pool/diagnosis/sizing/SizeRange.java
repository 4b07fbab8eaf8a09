package io.lifeguard.pool.diagnosis.sizing;

/**
 * A recommended size with the interval that the evidence allows. Immutable.
 *
 * @param low the smallest size that the evidence allows, at least 1
 * @param size the recommended size
 * @param high the largest size that the evidence allows
 */
public record SizeRange(int low, int size, int high) {

    /** Widens the interval to hold the size, and every number to at least 1. */
    public SizeRange {
        size = Math.max(1, size);
        low = Math.max(1, Math.min(low, size));
        high = Math.max(size, high);
    }
}
