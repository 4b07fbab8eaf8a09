package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.scenarios.Metric;
import io.lifeguard.pool.benchmarks.scenarios.Setup;
import java.util.Map;

/** Measures in a JVM of its own. */
public interface Forking {
    /** What a calibrating fork found: the speed of the machine, and which Java it is. */
    record Calibration(double stepsPerMicro, String java) {}

    /** What a measuring fork found. */
    record Outcome(double foreignShare, Map<Metric, Double> values) {}

    Calibration calibrate();

    /**
     * Measures once.
     *
     * @throws ForkFailedException when there is no result
     */
    Outcome measure(Pairing pairing, Setup setup);
}
