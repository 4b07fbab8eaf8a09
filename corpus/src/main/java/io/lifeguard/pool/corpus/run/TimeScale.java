package io.lifeguard.pool.corpus.run;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What becomes of thresholds that are times when a window is shorter than the second it has by default: they shrink with it, so that a
 * workload of a few seconds shows what takes a minute in production. All other thresholds stay as they are. Immutable.
 *
 * @param factor a window of the corpus as a share of the default one
 */
record TimeScale(double factor) {

    private static final double DEFAULT_WINDOW_NANOS = 1e9;

    static TimeScale of(Duration window) {
        return new TimeScale(window.toNanos() / DEFAULT_WINDOW_NANOS);
    }

    /** The thresholds to set, by key. */
    Map<String, Double> thresholds() {
        return new LinkedHashMap<>();
    }
}
