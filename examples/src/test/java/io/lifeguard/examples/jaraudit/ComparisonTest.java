package io.lifeguard.examples.jaraudit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.report.LastMinute;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ComparisonTest {

    private static final PoolSnapshot SNAPSHOT = snapshotOfAnIdlePool();
    private static final LastMinute NOTHING = nothing();

    @Test
    void constructor_unpairedRuns_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Comparison(runs(1), runs(1, 2)))
                .withMessage("runs must come in pairs (were 1 and 2)");
        assertThatIllegalArgumentException().isThrownBy(() -> new Comparison(runs(), runs()));
    }

    @Test
    void ratio_ofRounds_isThatOfTheMedians() {
        Comparison comparison = new Comparison(runs(9_000, 3_000, 4_000), runs(2_000, 1_000, 8_000));
        assertThat(comparison.ratio()).isEqualTo(2.0);
        assertThat(comparison.ratio(1)).isEqualTo(3.0);
    }

    @Test
    void median_ofTwo_isTheShorter() {
        assertThat(Comparison.median(runs(5, 3)).elapsedNanos()).isEqualTo(3_000_000);
    }

    @Test
    void verdict_jarsThatFitIntoThePool_meansNothing() {
        assertThat(verdict(24, runs(5_000), runs(1_000)))
                .isEqualTo(
                        "The ratio means nothing: 24 audits fit into 16 workers and 8 places in the queue, so the pool"
                                + " was never full.");
    }

    @Test
    void verdict_fewJarsOrShortRuns_isTooSmall() {
        assertThat(verdict(119, runs(5_000), runs(1_000)))
                .isEqualTo("The sample is too small for the ratio to mean anything: 119 audits in 1.00 s.");
        assertThat(verdict(240, runs(5_000), runs(299))).startsWith("The sample is too small");
    }

    @Test
    void verdict_waitingFaster_saysSo() {
        assertThat(verdict(240, runs(1_600), runs(1_000))).isEqualTo("Waiting was 1.60 times as fast as caller-runs.");
        assertThat(verdict(240, runs(1_600, 1_500), runs(1_000, 1_000)))
                .isEqualTo("Waiting was 1.50 times as fast as caller-runs (1.50 to 1.60 in 2 rounds).");
    }

    @Test
    void verdict_callerRunsFaster_saysSo() {
        assertThat(verdict(240, runs(1_000), runs(1_200))).isEqualTo("Caller-runs was 1.20 times as fast as waiting.");
    }

    @Test
    void verdict_smallOrContradictoryDifference_isNone() {
        assertThat(verdict(240, runs(1_040), runs(1_000)))
                .isEqualTo("No difference to speak of between caller-runs and waiting.");
        assertThat(verdict(240, runs(1_500, 900, 1_300), runs(1_000, 1_000, 1_000)))
                .isEqualTo("No difference to speak of between caller-runs and waiting (0.90 to 1.50 in 3 rounds).");
    }

    @Test
    void disturbance_busyMachine_isNamed() {
        List<RunResult> disturbed = List.of(run(1_600, new CpuUse(0.3, 0.42)));
        assertThat(new Comparison(disturbed, runs(1_000)).disturbance())
                .hasValue("Other programs used up to 42 % of the processors meanwhile. Repeat it when the machine is"
                        + " quiet.");
    }

    @Test
    void disturbance_quietMachineOrUnknownUse_isEmpty() {
        List<RunResult> unknown = List.of(run(1_600, new CpuUse(Double.NaN, Double.NaN)));
        assertThat(new Comparison(runs(1_600), runs(1_000)).disturbance()).isEmpty();
        assertThat(new Comparison(unknown, runs(1_000)).disturbance()).isEmpty();
    }

    @Test
    void report_healthyRuns_showsEveryRoundAndBothPools() {
        Options options =
                new Options(Optional.empty(), 16, 8, 1_000, List.of(Duration.ofMillis(5)), OptionalInt.empty(), false);
        ComparisonReport report = new ComparisonReport(
                new Comparison(runs(1_600, 1_700), runs(1_000, 1_100)), Duration.ofMillis(5), options, 400);
        assertThat(report.summary()).isEqualTo("1.60 at 5 ms");
        assertThat(report.render())
                .contains("Catalogue answers in about 5 ms; 16 workers, a queue of 8, ")
                .contains("  round 1                 1.60 s       1.00 s     1.60")
                .contains("  round 2                 1.70 s       1.10 s     1.55")
                .contains("  audits per second          250          400")
                .contains("  CPU of this JVM           50 %         50 %")
                .contains(
                        "The shorter caller-runs run, as measured by its pool:",
                        "The shorter waiting run, as measured by its pool:")
                .doesNotContain("no policy can be faster")
                .endsWith(String.format("In the shorter caller-runs run the lifeguard found nothing wrong.%n%n"
                        + "In the shorter waiting run the lifeguard found nothing wrong.%n%n"
                        + "Measured: Waiting was 1.60 times as fast as caller-runs (1.55 to 1.60 in 2"
                        + " rounds).%n"));
    }

    @Test
    void report_findingsAboutBothPools_saysThatTheSecondIsTheNextLimit() {
        Options options =
                new Options(Optional.empty(), 16, 8, 1_000, List.of(Duration.ofMillis(5)), OptionalInt.empty(), false);
        List<RunResult> callerRuns = List.of(runThatFound("dispatcher-runs-tasks"));
        List<RunResult> waiting = List.of(runThatFound("blocked-on-io"));
        String report =
                new ComparisonReport(new Comparison(callerRuns, waiting), Duration.ofMillis(5), options, 400).render();
        assertThat(report)
                .containsSubsequence(
                        "By the end of the caller-runs run the lifeguard found dispatcher-runs-tasks:",
                        "the next limit shows",
                        "By the end of the waiting run the lifeguard found blocked-on-io:",
                        "Forecast, from the last seconds: 1.70 times the throughput. Measured: ");
    }

    private static String verdict(int jars, List<RunResult> callerRuns, List<RunResult> waiting) {
        Comparison comparison = new Comparison(callerRuns, waiting);
        return comparison.flaw(jars, 16, 8).orElseGet(comparison::verdict);
    }

    private static List<RunResult> runs(long... millis) {
        return LongStream.of(millis)
                .mapToObj(each -> run(each, new CpuUse(0.5, 0.01)))
                .toList();
    }

    private static RunResult run(long millis, CpuUse cpu) {
        return new RunResult(millis * 1_000_000, cpu, new ResultSheet(List.of()), SNAPSHOT, List.of(), NOTHING);
    }

    private static RunResult runThatFound(String id) {
        PoolWindow window = PoolWindow.between(SNAPSHOT, snapshotOfAnIdlePool()).build();
        Finding finding = Finding.of(id, window)
                .summary("something")
                .advice("do this")
                .evidence("gain", 1.7)
                .build();
        return new RunResult(
                1_000_000_000, new CpuUse(0.5, 0.01), new ResultSheet(List.of()), SNAPSHOT, List.of(finding), NOTHING);
    }

    private static LastMinute nothing() {
        try (PoolMonitor monitor = PoolMonitor.builder().build()) {
            return LastMinute.of(monitor);
        }
    }

    private static PoolSnapshot snapshotOfAnIdlePool() {
        InstrumentedThreadPoolExecutor pool = Policy.WAITING.openPool(1, 1);
        pool.shutdown();
        return pool.snapshot();
    }
}
