package io.lifeguard.pool.testing;

import java.time.Duration;

/** The suite's two spans of time, scaled by the system property {@code lifeguard.test.delayFactor}. */
public final class Delays {

    private static final double FACTOR = Double.parseDouble(System.getProperty("lifeguard.test.delayFactor", "1"));

    /** How long something that must not happen is given to happen. */
    public static final Duration QUIET = scaled(Duration.ofMillis(40));

    /** How long something that must happen is waited for. */
    public static final Duration PATIENCE = scaled(Duration.ofSeconds(20));

    private Delays() {}

    public static Duration scaled(Duration duration) {
        return Duration.ofNanos((long) (duration.toNanos() * FACTOR));
    }
}
