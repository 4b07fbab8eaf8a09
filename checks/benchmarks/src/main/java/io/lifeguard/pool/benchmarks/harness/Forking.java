package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.scenarios.Metric;
import io.lifeguard.pool.benchmarks.scenarios.Setup;
import java.util.Map;

/** Measures in a JVM of its own. */
public interface Forking {
    /** The result of a calibrating fork: the speed of the machine, and the version of Java. */
    record Calibration(double stepsPerMicro, String java) {}

    /**
     * The result of a measuring fork.
     *
     * @param values by the name of the scenario
     */
    record Outcome(double foreignShare, Map<String, Map<Metric, Double>> values) {}

    Calibration calibrate();

    /**
     * Measures once.
     *
     * @throws ForkFailedException when there is no result
     */
    Outcome measure(Pairing pairing, Setup setup);
}
