package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.scenarios.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** All results, with medians and ratios. One thread only. */
public final class Results {
    private final List<Result> all = new ArrayList<>();

    void add(Result result) {
        all.add(result);
    }

    /** Only the results of undisturbed forks. */
    Results undisturbed() {
        Results quiet = new Results();
        all.stream().filter(result -> !result.disturbed()).forEach(quiet::add);
        return quiet;
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** The number of forks. */
    public int size() {
        return all.size();
    }

    List<Result> all() {
        return List.copyOf(all);
    }

    int discarded() {
        return all.stream().mapToInt(Result::discarded).sum();
    }

    long disturbed() {
        return all.stream().filter(Result::disturbed).count();
    }

    boolean has(String scenario, String rival) {
        return all.stream().anyMatch(result -> is(result, scenario, rival));
    }

    /** Median and spread over the forks. */
    Optional<Summary> summary(String scenario, String rival, Metric metric) {
        return summary(byRound(scenario, rival, metric).values().stream().toList());
    }

    /**
     * Median and spread of the ratios. Each ratio is taken within one round, so that a slow hour affects both sides
     * alike.
     */
    Optional<Summary> ratio(String scenario, String rival, String against, Metric metric) {
        Map<Integer, Double> below = byRound(scenario, against, metric);
        List<Double> ratios = new ArrayList<>();
        byRound(scenario, rival, metric).forEach((round, value) -> {
            Double other = below.get(round);
            if (other != null && other > 0) {
                ratios.add(value / other);
            }
        });
        return summary(ratios);
    }

    private Map<Integer, Double> byRound(String scenario, String rival, Metric metric) {
        return all.stream()
                .filter(result -> is(result, scenario, rival) && result.values().containsKey(metric))
                .collect(Collectors.toMap(
                        Result::round, result -> result.values().get(metric)));
    }

    private static boolean is(Result result, String scenario, String rival) {
        return result.scenario().equals(scenario) && result.rival().equals(rival);
    }

    private static Optional<Summary> summary(List<Double> values) {
        return values.isEmpty() ? Optional.empty() : Optional.of(Summary.of(values));
    }
}
