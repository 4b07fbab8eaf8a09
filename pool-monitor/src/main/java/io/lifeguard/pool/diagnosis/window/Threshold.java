package io.lifeguard.pool.diagnosis.window;

import java.util.Objects;

/**
 * A number that a rule compares with, and that users may change. Immutable.
 *
 * @param key {@code finding-id.what-it-is}, not blank
 * @param value the default
 * @param meaning what it is compared with, its unit, and where the default comes from
 */
public record Threshold(String key, double value, String meaning) {

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if the key is blank or the value is not a finite number
     */
    public Threshold {
        Objects.requireNonNull(key, "key must not be null");
        Objects.requireNonNull(meaning, "meaning must not be null");
        if (key.isBlank()) {
            throw new IllegalArgumentException("key must not be blank (was \"" + key + "\")");
        }
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("value of " + key + " must be finite (was " + value + ")");
        }
    }
}
