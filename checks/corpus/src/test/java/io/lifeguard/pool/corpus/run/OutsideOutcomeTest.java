package io.lifeguard.pool.corpus.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.corpus.report.OutsideReport;
import io.lifeguard.pool.corpus.run.OutsideOutcome.Verdict;
import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.pool.corpus.workloads.Workloads;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a watcher printed is read, and judged against the label. */
class OutsideOutcomeTest {

    private static final Workload LOCKED =
            Workloads.named("synchronized-lazy-getter").orElseThrow();
    private static final Workload HEALTHY =
            Workloads.named("hash-at-the-right-size").orElseThrow();
    private static final long BEGAN = 1_000_000;

    private static String line(long millis, String... findings) {
        return """
            {"time":"%s","pid":7,"pools":[{"name":"orders","threads":100,"findings":[%s]}]}\
            """.formatted(Instant.ofEpochMilli(BEGAN + millis), String.join(",", findings));
    }

    private static String finding(String id, String summary, String more) {
        return """
            {"id":"%s","summary":"%s"%s}\
            """.formatted(id, summary, more);
    }

    private static String lock(String more) {
        return finding("lock-contention", "all wait at LazyCatalogue.get(X.java:1)", more);
    }

    @Test
    void of_findingStands_countsFromItsFirstLineAndTakesTheLastSize() {
        OutsideOutcome outcome = OutsideOutcome.of(
                LOCKED,
                BEGAN,
                500,
                List.of(line(1_000), line(2_500, lock("")), line(3_500, lock(",\"recommendedSize\":4")), "a warning"));

        assertThat(outcome.verdicts()).hasSize(1);
        Verdict verdict = outcome.verdicts().get(0);
        assertThat(verdict.seconds()).isEqualTo(2.0);
        assertThat(verdict.size()).hasValue(4);
        assertThat(outcome.isNamed()).isTrue();
        assertThat(outcome.isPlaceRight()).contains(true);
        assertThat(outcome.falseFindings()).isEmpty();
        assertThat(outcome.threads()).isEqualTo(100);
        assertThat(outcome.log()).containsExactly("a warning");
    }

    @Test
    void of_otherFindingOrLateOne_isFalseOrLate() {
        OutsideOutcome late = OutsideOutcome.of(
                LOCKED, BEGAN, 0, List.of(line(1_000, finding("cpu-saturated", "x", "")), line(15_100, lock(""))));

        assertThat(late.right()).isPresent();
        assertThat(late.isNamed()).isFalse();
        assertThat(late.falseFindings()).containsExactly("cpu-saturated");
    }

    @Test
    void report_findingOnAHealthyWorkload_isNotGood() {
        OutsideOutcome named = OutsideOutcome.of(LOCKED, BEGAN, 0, List.of(line(1_000, lock(""))));
        OutsideOutcome silent = OutsideOutcome.of(HEALTHY, BEGAN, 0, List.of(line(1_000)));
        OutsideOutcome wrong = OutsideOutcome.of(HEALTHY, BEGAN, 0, List.of(line(1_000, lock(""))));

        assertThat(new OutsideReport(List.of(named, silent)).isGood()).isTrue();
        assertThat(new OutsideReport(List.of(named, wrong)).isGood()).isFalse();
        assertThat(new OutsideReport(List.of(named, silent)).markdown())
                .contains("1 of 1 kinds told right. 1 of 1 runs of sick workloads named within 15 s.")
                .containsPattern("synchronized-lazy-getter.*lock-contention 1\\.0.*\\b150\\b"); // 1.5 × 100
    }
}
