package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.scenarios.Metric;
import java.util.Map;

/**
 * What one fork measured. Immutable.
 *
 * @param round from 1
 * @param discarded forks before this one that were thrown away because others used the machine
 * @param foreignShare how much of the machine's CPU others used meanwhile, 0 to 1
 * @param disturbed whether that was too much even after all repeats, of which this is the least disturbed
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
