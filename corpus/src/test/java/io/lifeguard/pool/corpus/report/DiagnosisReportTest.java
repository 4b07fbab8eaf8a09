package io.lifeguard.pool.corpus.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.corpus.run.Outcome;
import io.lifeguard.pool.corpus.run.Sighting;
import io.lifeguard.pool.corpus.workloads.Workloads;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiagnosisReportTest {

    @Test
    void markdown_rightAndWrong_tellsThemApart() {
        DiagnosisReport report = new DiagnosisReport(List.of(
                outcome("fair-lock-convoy", "high-system-cpu", "lock-contention"),
                outcome("pool-per-request"),
                outcome("idle-night", "oversized")));

        String text = report.markdown();
        assertThat(row(text, "high-system-cpu")).contains("(1)").doesNotContain("!");
        assertThat(row(text, "pool-leaked").replace(" ", "")).endsWith("|0|");
        assertThat(row(text, "(healthy)")).contains("1!");
        assertThat(report.conclusion())
                .startsWith("1 of 2 runs of sick workloads")
                .contains("in 1 of 1 healthy runs");
        assertThat(report.wrongRuns()).isEqualTo(2);
    }

    @Test
    void wrongRuns_allAsLabelled_none() {
        assertThat(new DiagnosisReport(List.of(outcome("idle-night"), outcome("fair-lock-convoy", "high-system-cpu")))
                        .wrongRuns())
                .isZero();
    }

    private static String row(String text, String label) {
        return text.lines()
                .filter(line -> line.contains("| " + label))
                .findFirst()
                .orElseThrow();
    }

    private static Outcome outcome(String workload, String... found) {
        return new Outcome(
                Workloads.named(workload).orElseThrow(),
                Arrays.stream(found)
                        .map(id -> new Sighting(id, "pool", 5, 0, "said"))
                        .toList(),
                "",
                List.of());
    }
}
