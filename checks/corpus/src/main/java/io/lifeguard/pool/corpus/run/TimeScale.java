package io.lifeguard.pool.corpus.run;

import java.util.Map;

/**
 * Shortens the thresholds that say how long to wait before something counts as endless. Stateless. A workload plays for
 * seconds, so a minute becomes a second. What must last a minute of windows lasts 1.5 s here. All other thresholds keep
 * their defaults.
 */
final class TimeScale {

    private static final double SHORTENED = 1.0 / 60;

    private TimeScale() {}

    /** The thresholds to set, by key. */
    static Map<String, Double> thresholds() {
        return Map.of(
                "stuck-task.seconds", 60 * SHORTENED,
                "stuck-task.firstSeconds", 600 * SHORTENED,
                "failures-unseen.patience", 120 * SHORTENED / 2,
                "max-size-unreachable.wait", 10 * SHORTENED,
                "pool-leaked.shutdownSeconds", 30 * SHORTENED,
                "oversized.seconds", 60 * SHORTENED * 1.5);
    }
}
