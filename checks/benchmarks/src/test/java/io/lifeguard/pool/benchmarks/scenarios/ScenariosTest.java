package io.lifeguard.pool.benchmarks.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.rivals.Rivals;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class ScenariosTest {
    private static final Setup SHORT = new Setup(Duration.ofMillis(20), Duration.ofMillis(60), 300, true, 2_000, 1);

    /**
     * Those of a young JVM differ from the others in one thing only: they warm up for a second. Two of them will do.
     */
    static List<String> names() {
        return Scenarios.all().stream()
                .map(Scenario::name)
                .filter(name -> !name.startsWith("beside-")
                        || name.matches("beside-t2-(bounded-1us-2w-8p"
                                + "|unbounded-100us-64w-8p-first|wake-up|blocked-submit|cpu-sparse)"))
                .filter(name -> !name.startsWith("first-") || name.matches("first-(un)?bounded-1us"))
                .toList();
    }

    /** For a moment each, with whoever may take part first: what it promises to measure is there. */
    @ParameterizedTest
    @MethodSource("names")
    void measure_forAMoment_givesEveryMetric(String name) {
        Scenario scenario = Scenarios.named(name).orElseThrow();
        Rival rival = Rivals.all().stream().filter(scenario::admits).findFirst().orElseThrow();

        Map<Metric, Double> values = scenario.measure(rival, SHORT, new LoadMeter());

        assertThat(values).containsOnlyKeys(scenario.metrics());
        assertThat(values.values()).allSatisfy(value -> assertThat(value).isFinite());
    }

    @Test
    void measure_barelyWorkingLoops_givesTheCeiling() {
        Scenario scenario = Scenarios.named("bounded-10us").orElseThrow();
        Rival loop = Rivals.named(Rivals.CEILING).orElseThrow();

        assertThat(scenario.measure(loop, SHORT, new LoadMeter()).get(Metric.THROUGHPUT))
                .isPositive();
        assertThat(Scenarios.named("burst").orElseThrow().admits(loop)).isFalse();
        assertThat(Scenarios.named("bounded-empty").orElseThrow().admits(loop)).isFalse();
    }

    @Test
    void all_names_areDistinct() {
        assertThat(Scenarios.all()).extracting(Scenario::name).doesNotHaveDuplicates();
    }
}
