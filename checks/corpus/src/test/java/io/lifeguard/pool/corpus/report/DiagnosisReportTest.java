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
        assertThat(row(text, "pool-leaked").replace(" ", "")).endsWith("|0|||||");
        assertThat(row(text, "(healthy)")).contains("1!");
        assertThat(report.conclusion())
                .startsWith("1 of 2 runs of sick workloads")
                .contains("in 1 of 1 healthy runs");
        assertThat(report.conclusion()).contains("Judged wrongly, and how often: idle-night 1, pool-per-request 1.");
    }

    @Test
    void isGood_wrongOnceOrTwice_onlyTwiceFails() {
        Outcome wrong = outcome("idle-night", "oversized");
        assertThat(new DiagnosisReport(List.of(wrong, outcome("idle-night"))).isGood())
                .isTrue();
        assertThat(new DiagnosisReport(List.of(wrong, outcome("pool-per-request"))).isGood())
                .isTrue();
        assertThat(new DiagnosisReport(List.of(wrong, wrong)).isGood()).isFalse();
    }

    @Test
    void isGoodUnderForeignLoad_missedOrFalse_fourFifthsNamedAndNothingFalse() {
        Outcome named = outcome("fair-lock-convoy", "high-system-cpu");
        Outcome missed = outcome("fair-lock-convoy");
        assertThat(new DiagnosisReport(List.of(named, named, named, named, missed)).isGoodUnderForeignLoad())
                .isTrue();
        assertThat(new DiagnosisReport(List.of(named, named, named, missed)).isGoodUnderForeignLoad())
                .isFalse();
        assertThat(new DiagnosisReport(List.of(named, outcome("idle-night", "oversized"))).isGoodUnderForeignLoad())
                .isFalse();
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
