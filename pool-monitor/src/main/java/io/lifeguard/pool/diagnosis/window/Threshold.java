package io.lifeguard.pool.diagnosis.window;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

    /** Written out: that of a record is slow until it is compiled, and all rules need it at the start. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Threshold threshold
                && key.equals(threshold.key)
                && Double.compare(value, threshold.value) == 0
                && meaning.equals(threshold.meaning);
    }

    @Override
    public int hashCode() {
        return 31 * key.hashCode() + Double.hashCode(value);
    }
}
