package io.lifeguard.pool.benchmarks.harness;

import static io.lifeguard.pool.benchmarks.scenarios.Metric.ALLOCATION;
import static io.lifeguard.pool.benchmarks.scenarios.Metric.CPU_ERROR;
import static io.lifeguard.pool.benchmarks.scenarios.Metric.MAKESPAN_P50;
import static io.lifeguard.pool.benchmarks.scenarios.Metric.SWITCHES;
import static io.lifeguard.pool.benchmarks.scenarios.Metric.THROUGHPUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.benchmarks.scenarios.Metric;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    private final Results results = new Results();
    private final Report report = new Report(results, Map.of("processors", "2 × x"));

    @Test
    void markdown_measured_hasFiguresAndRatios() {
        add("bounded-1us", "tpe-lbq", Map.of(THROUGHPUT, 1_000.0, ALLOCATION, 24.0));
        add("bounded-1us", "tpe-abq", Map.of(THROUGHPUT, 1_250.0, ALLOCATION, 2.0));

        assertThat(report.markdown())
                .contains("- processors: 2 × x")
                .contains("## bounded-1us")
                .containsPattern("tpe-abq +\\| +1,250 \\|.*\\| +1\\.25× \\|")
                .contains("queue.put in the rejection handler")
                .doesNotContain("## burst")
                .doesNotContain("## Targets");
    }

    @Test
    void targets_reachedAndMissed_areToldApart() {
        add("bounded-1us", "tpe-lbq", Map.of(THROUGHPUT, 1_000.0));
        add("bounded-1us", "lifeguard", Map.of(THROUGHPUT, 1_450.0, ALLOCATION, 0.02));
        add("burst", "tpe-lbq", Map.of(MAKESPAN_P50, 100.0));
        add("burst", "lifeguard", Map.of(MAKESPAN_P50, 120.0));

        assertThat(report.targets().orElseThrow())
                .containsPattern("bounded, 1 µs +\\| +tpe-lbq \\| +≥ 1.45× \\| +1.45× \\|.*\\| met +\\|")
                .containsPattern("allocation, bounded +\\|.*\\| met +\\|")
                .containsPattern("burst makespan p50 +\\|.*1.20×.*\\| MISSED +\\|");
        assertThat(report.grossRegressions()).isEmpty();
    }

    @Test
    void markdown_earlierJarMeasured_comparesWithIt() {
        add("bounded-1us", "tpe-lbq", Map.of(THROUGHPUT, 1_000.0));
        add("bounded-1us", "before", Map.of(THROUGHPUT, 1_500.0));
        add("bounded-1us", "lifeguard", Map.of(THROUGHPUT, 1_440.0, ALLOCATION, 0.02));

        assertThat(report.markdown())
                .contains("## Before and after")
                .containsPattern("bounded-1us +\\| +1.50× \\| +1.44× \\| +0.96× \\|")
                .containsPattern("bounded-1us +\\| +before +\\| +≥ 0.97× \\| +0.96× \\|.*MISSED");
        assertThat(report.grossRegressions()).isEmpty();
    }

    @Test
    void grossRegressions_muchSlowerThanBefore_areNamed() {
        add("unbounded-1us", "before", Map.of(THROUGHPUT, 1_000.0));
        add("unbounded-1us", "lifeguard", Map.of(THROUGHPUT, 690.0));

        assertThat(report.grossRegressions()).containsExactly("unbounded-1us against before: 0.69×, should be ≥ 0.97×");
    }

    @Test
    void grossRegressions_muchSlower_areNamed() {
        add("bounded-1us", "tpe-lbq", Map.of(THROUGHPUT, 1_000.0));
        add("bounded-1us", "lifeguard", Map.of(THROUGHPUT, 600.0, ALLOCATION, 96.0));

        assertThat(report.grossRegressions())
                .containsExactly(
                        "bounded, 1 µs against tpe-lbq: 0.60×, should be ≥ 1.45×",
                        "allocation, bounded: 96.0 B/task, should be ≤ 0 B/task");
    }

    /** A busy machine says nothing about the pool: it is told, and is no regression. */
    @Test
    void grossRegressions_disturbedOnly_areNotJudged() {
        add("bounded-1us", "tpe-lbq", Map.of(THROUGHPUT, 1_000.0));
        results.add(new Result("bounded-1us", "lifeguard", 1, 0, 0.5, true, Map.of(THROUGHPUT, 100.0)));

        assertThat(report.grossRegressions()).isEmpty();
        assertThat(report.unjudged()).containsExactly("bounded, 1 µs");
    }

    /** An error has a sign, and too little is as wrong as too much. */
    @Test
    void targets_negativeCpuError_isMissed() {
        add("cpu-sparse", "lifeguard", Map.of(CPU_ERROR, -3.0));

        assertThat(report.targets().orElseThrow()).containsPattern("CPU error, sparse.*MISSED");
    }

    @Test
    void csv_measured_hasALinePerValue() {
        results.add(new Result("burst", "tpe-lbq", 3, 2, 0.0512, true, Map.of(MAKESPAN_P50, 145.5)));

        assertThat(CsvReport.of(results).lines())
                .containsExactly(
                        "scenario,rival,round,discarded,foreign_share,disturbed,metric,unit,value",
                        "burst,tpe-lbq,3,2,0.0512,true,makespan_p50,\"µs\",145.5");
    }

    @Test
    void csv_readAgain_isTheSame() {
        results.add(new Result("burst", "tpe-lbq", 3, 2, 0.0512, true, Map.of(MAKESPAN_P50, 145.5)));
        add("bounded-1us", "tpe-lbq", Map.of(THROUGHPUT, 1_000.25, SWITCHES, 3.0));

        Results again = CsvReport.read(CsvReport.of(results).lines().toList());

        assertThat(again.all()).isEqualTo(results.all());
        assertThat(again.discarded()).isEqualTo(2);
    }

    @Test
    void csv_ofAnotherVersion_isRefused() {
        assertThatThrownBy(() -> CsvReport.read(List.of("scenario,rival,value")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--append");
    }

    @Test
    void plain_anySize_hasAboutThreeDigits() {
        assertThat(Figures.plain(12_345.6)).isEqualTo("12,346");
        assertThat(Figures.plain(12.345)).isEqualTo("12.3");
        assertThat(Figures.plain(1.2345)).isEqualTo("1.23");
        assertThat(Figures.plain(-0.5)).isEqualTo("-0.50");
        assertThat(Figures.plain(0.001)).isEqualTo("0");
        assertThat(Figures.plain(Double.NaN)).isEqualTo("–");
    }

    private void add(String scenario, String rival, Map<Metric, Double> values) {
        results.add(new Result(scenario, rival, 1, 0, 0.01, false, values));
    }
}
