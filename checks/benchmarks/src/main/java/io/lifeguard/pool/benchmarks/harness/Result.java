package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.scenarios.Metric;
import java.util.Map;

/**
 * The result of one fork. Immutable.
 *
 * @param round from 1
 * @param discarded earlier forks that were discarded because other processes used the machine
 * @param foreignShare the share of the machine's CPU that other processes used, 0 to 1
 * @param disturbed whether that was too much in all repeats; this is the least disturbed of them
 */
public record Result(
        String scenario,
        String rival,
        int round,
        int discarded,
        double foreignShare,
        boolean disturbed,
        Map<Metric, Double> values) {
    public Result {
        values = Map.copyOf(values);
    }
}
