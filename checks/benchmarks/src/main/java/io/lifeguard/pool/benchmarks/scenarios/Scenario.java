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

    /** The fork that measures it. Scenarios with the same answer share a fork, in which they follow each other. */
    default String fork() {
        return name();
    }

    /** Whether {@code --scenario} with this word includes it. */
    default boolean isIn(String family) {
        return false;
    }

    /** Whether it belongs to the short form of its family. */
    default boolean isQuick() {
        return true;
    }

    /** Whether it runs only when it is asked for. */
    default boolean isOnDemand() {
        return false;
    }

    /** Who else wants the CPUs. If anybody does, no fork is discarded because others used the machine. */
    default Neighbours neighbours() {
        return Neighbours.NONE;
    }

    /** How old a JVM must be before it measures this. Until then it rehearses what it will measure. */
    default Duration rehearsal() {
        return Duration.ZERO;
    }

    /** Does for a moment what it will measure. */
    default void rehearse(Rival rival, Setup setup) {
        throw new UnsupportedOperationException(name() + " has a warm-up of its own");
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
