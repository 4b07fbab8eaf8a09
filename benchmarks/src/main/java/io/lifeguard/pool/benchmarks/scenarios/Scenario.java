package io.lifeguard.pool.benchmarks.scenarios;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Something that is done to a pool in a JVM of its own, and measured. Immutable. */
public interface Scenario {
    /** The short name, as in the tables and after {@code --scenario}. */
    String name();

    /** What is done, in one sentence. */
    String description();

    /** What it measures; the first is the headline that ratios are made of. */
    List<Metric> metrics();

    /** Whether this rival can take part. */
    boolean admits(Rival rival);

    /** How many rounds are worth while: what hardly varies needs few. */
    default int mostRounds() {
        return Integer.MAX_VALUE;
    }

    /** What the fork's JVM needs beyond the usual arguments. */
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
     * @param load told when the part that counts begins and ends
     */
    Map<Metric, Double> measure(Rival rival, Setup setup, LoadMeter load);
}
