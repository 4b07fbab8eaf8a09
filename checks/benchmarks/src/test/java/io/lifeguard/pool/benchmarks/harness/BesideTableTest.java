package io.lifeguard.pool.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.benchmarks.scenarios.Metric;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BesideTableTest {
    private static final String CELL = "beside-p4-bounded-1us-2w-1p";

    private final Results results = new Results();

    @Test
    void markdown_nothingMeasured_isEmpty() {
        assertThat(new BesideTable(results).markdown()).isEmpty();
    }

    @Test
    void markdown_measured_hasRowsOfLoadsAndColumnsOfNeighbours() {
        add(CELL, 1, 100, 120);
        add("beside-quota-bounded-1us-2w-1p", 1, 100, 90);
        add(CELL + "-first", 1, 100, 50);

        assertThat(new BesideTable(results).markdown().orElseThrow())
                .contains("1 of 3 cells reach 1.00×")
                .contains("- p4: 4 computing processes", "- quota: a quota of half a CPU")
                .containsPattern("bounded, 1 µs, 2 workers, 1 producer +\\| +1\\.20× +\\| \\*\\*0\\.90×\\*\\* +\\|")
                .containsPattern("In a JVM one second old:\n(?s).*\\*\\*0\\.50×\\*\\*")
                .doesNotContain("nice");
    }

    @Test
    void markdown_severalForks_tellsQuartilesAndNumber() {
        add(CELL, 1, 100, 100);
        add(CELL, 2, 100, 110);
        add(CELL, 3, 100, 120);

        assertThat(new BesideTable(results).markdown().orElseThrow()).contains("1.10× (1.05×–1.15×, 3)");
    }

    /** A cell that is a little short is shown. Only one that is far too slow fails the short form. */
    @Test
    void grossRegressions_cellFarTooSlow_isNamed() {
        add(CELL, 1, 100, 45);
        add("beside-p4-bounded-10us-2w-1p", 1, 100, 75);

        List<String> regressions = new Report(results, Map.of()).grossRegressions();

        assertThat(regressions).singleElement().asString().contains("bounded, 1 µs", "4 computing processes", "0.45×");
    }

    private void add(String scenario, int round, double plain, double ours) {
        results.add(new Result(scenario, "tpe-lbq", round, 0, 0.9, false, Map.of(Metric.THROUGHPUT, plain)));
        results.add(new Result(scenario, "lifeguard", round, 0, 0.9, false, Map.of(Metric.THROUGHPUT, ours)));
    }
}
