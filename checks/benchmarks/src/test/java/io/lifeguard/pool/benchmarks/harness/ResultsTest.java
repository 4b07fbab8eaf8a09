package io.lifeguard.pool.benchmarks.harness;

import static io.lifeguard.pool.benchmarks.scenarios.Metric.THROUGHPUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.benchmarks.scenarios.Metric;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultsTest {
    private final Results results = new Results();

    @Test
    void summary_manyRounds_isOverItsForksOnly() {
        add("s", "a", 1, 10);
        add("s", "a", 2, 30);
        add("s", "b", 1, 1_000);
        add("t", "a", 1, 1_000);

        assertThat(results.summary("s", "a", THROUGHPUT)).contains(new Summary(2, 10, 15, 20, 25, 30));
    }

    /** A round in which the machine was half as fast changes both medians but not the ratio. */
    @Test
    void ratio_slowRound_comparesWithinTheRound() {
        add("s", "base", 1, 100);
        add("s", "a", 1, 200);
        add("s", "base", 2, 10);
        add("s", "a", 2, 20);

        assertThat(results.ratio("s", "a", "base", THROUGHPUT)).contains(new Summary(2, 2, 2, 2, 2, 2));
    }

    @Test
    void ratio_roundWithoutBaseline_isLeftOut() {
        add("s", "base", 1, 100);
        add("s", "a", 1, 150);
        add("s", "a", 2, 900);

        assertThat(results.ratio("s", "a", "base", THROUGHPUT))
                .hasValueSatisfying(ratio -> assertThat(ratio.count()).isEqualTo(1));
    }

    @Test
    void ratio_baselineOfZero_isUnknown() {
        add("s", "base", 1, 0);
        add("s", "a", 1, 150);

        assertThat(results.ratio("s", "a", "base", THROUGHPUT)).isEmpty();
    }

    @Test
    void summary_neverMeasured_isEmpty() {
        add("s", "a", 1, 10);

        assertThat(results.summary("s", "a", Metric.ALLOCATION)).isEmpty();
        assertThat(results.summary("s", "b", THROUGHPUT)).isEmpty();
        assertThat(results.has("s", "a")).isTrue();
        assertThat(results.has("s", "b")).isFalse();
    }

    private void add(String scenario, String rival, int round, double value) {
        results.add(new Result(scenario, rival, round, 0, 0, false, Map.of(THROUGHPUT, value)));
    }
}
