package io.lifeguard.pool.benchmarks.scenarios;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A measured use of a pool, in a JVM of its own. Immutable. */
public interface Scenario {
    /** The short name, as in the tables and after {@code --scenario}. */
    String name();

    /** What the scenario does, in one sentence. */
    String description();

    /** What it measures. Ratios are made of the first metric. */
    List<Metric> metrics();

    /** Whether this rival can take part. */
    boolean admits(Rival rival);

    /** The number of useful rounds. A value that hardly varies needs few. */
    default int mostRounds() {
        return Integer.MAX_VALUE;
    }

    /** Further arguments for the fork's JVM. */
    default List<String> jvmArguments() {
        return List.of("-XX:+UseG1GC");
    }

    /** How long a fork may take before it counts as hung. */
    default Duration limit(Setup setup) {
        return setup.warmUp().plus(setup.measured()).multipliedBy(5).plusSeconds(60);
    }

    /**
     * Warms up and measures.
     *
     * @param load learns when the measured part begins and ends
     */
    Map<Metric, Double> measure(Rival rival, Setup setup, LoadMeter load);
}
