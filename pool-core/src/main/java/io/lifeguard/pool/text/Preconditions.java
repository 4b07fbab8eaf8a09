package io.lifeguard.pool.text;

import java.time.Duration;

/** Checks arguments. The messages name the argument, the bound and the value. Stateless. */
public final class Preconditions {

    public static final int LONGEST_NAME = 200;

    private Preconditions() {}

    public static int atLeast(String argument, int bound, int value) {
        if (value < bound) {
            throw new IllegalArgumentException(argument + " must be >= " + bound + " (was " + value + ")");
        }
        return value;
    }

    public static Duration notNegative(String argument, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(argument + " must not be negative (was " + value + ")");
        }
        return value;
    }

    public static String notBlank(String argument, String value) {
        if (value == null) { // no requireNonNull: its message would be made each time
            throw new NullPointerException(argument + " must not be null");
        }
        if (value.isBlank()) {
            throw new IllegalArgumentException(argument + " must not be blank (was \"" + value + "\")");
        }
        return value;
    }

    /** A name is a tag of every meter, so a long one would make every scrape long. */
    public static String poolName(String argument, String value) {
        if (notBlank(argument, value).length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    argument + " must have at most " + LONGEST_NAME + " characters (was " + value.length() + ")");
        }
        return value;
    }

    public static double quantile(double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("quantile must be between 0 and 1 (was " + value + ")");
        }
        return value;
    }
}
