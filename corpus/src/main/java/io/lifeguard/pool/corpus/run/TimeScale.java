package io.lifeguard.pool.corpus.run;

import java.util.Map;

/**
 * What becomes of the thresholds that are patience: how long to wait before something counts as for ever. A workload plays for seconds, so a
 * minute is shortened to a second, and what must have been seen for a minute of windows must be seen for six. All other thresholds stay as
 * users have them. Stateless.
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
                "oversized.windows", 6.0);
    }
}
