package io.lifeguard.pool.corpus.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SizingResultTest {

    private static final SizingWorkload WORKLOAD =
            SizingWorkload.named("hash-and-call").orElseThrow();
    private static final List<String> LINES = List.of(
            "@point\t1\t100.0",
            "@point\t2\t200.0",
            "@point\t4\t200.0",
            "@advice\t1\t2\t17.5\t1=110.0,2=200.0,4=220.0,",
            "@right\t2",
            "@comparison\t2\t190.0",
            "@comparison\t4\t200.0",
            "@comparison\t2\t190.0",
            "@comparison\t4\t200.0",
            "@done");

    @Test
    void parse_fork_readsAll() {
        SizingResult result = SizingResult.parse(WORKLOAD, LINES);
        assertThat(result.sweep()).containsOnlyKeys(1, 2, 4);
        assertThat(result.right()).isEqualTo(2);
        assertThat(result.advices()).singleElement().satisfies(advice -> {
            assertThat(advice.recommended()).isEqualTo(2);
            assertThat(result.lost(advice)).isCloseTo(0.05, within(1e-9));
            assertThat(result.errors(advice)).first().isEqualTo(0.0);
            assertThat(result.errors(advice))
                    .last()
                    .satisfies(worst -> assertThat(worst).isCloseTo(0.1, within(1e-9)));
        });
    }

    @Test
    void parse_severalPasses_mediansAndTheirNoise() {
        SizingResult result = SizingResult.parse(
                WORKLOAD, List.of("@point\t1\t90.0", "@point\t1\t100.0", "@point\t1\t160.0", "@right\t1", "@done"));
        assertThat(result.sweep()).containsEntry(1, 100.0);
        assertThat(result.noise()).isCloseTo((0.1 + 0 + 0.6) / 3, within(1e-9));
    }

    @Test
    void lostAt_betweenSweptSizes_isReadOffBetweenThem() {
        SizingResult result = SizingResult.parse(
                WORKLOAD, List.of("@point\t2\t100.0", "@point\t4\t200.0", "@point\t8\t160.0", "@right\t4", "@done"));
        assertThat(result.lostAt(3)).isCloseTo(0.25, within(1e-9));
        assertThat(result.lostAt(4)).isZero();
        assertThat(result.lostAt(1)).isCloseTo(0.5, within(1e-9));
        assertThat(result.lostAt(Double.POSITIVE_INFINITY)).isCloseTo(0.2, within(1e-9));
    }

    @Test
    void parse_forkThatBroke_throws() {
        assertThatThrownBy(() -> SizingResult.parse(WORKLOAD, List.of("@right\t2", "OutOfMemoryError")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("OutOfMemoryError");
    }

    @Test
    void isGood_fewerThanThreeAdvices_isFalse() {
        SizingReport report = new SizingReport(List.of(SizingResult.parse(WORKLOAD, LINES)));
        assertThat(report.isGood()).isFalse();
        assertThat(report.markdown()).contains("17.5").contains("Without advice: 2 of 3 windows");
    }

    @Test
    void isPlausible_manyTasksLost_onlyWhereOthersUsedTheCpus() {
        List<String> lost = List.of(
                "@point\t1\t60.0",
                "@point\t2\t100.0",
                "@right\t2",
                "@advice\t1\t1\t1.0\t1=60.0,2=60.0,",
                "@comparison\t1\t60.0",
                "@comparison\t2\t100.0",
                "@done");
        List<String> disturbed = new ArrayList<>(lost);
        disturbed.add(0, "@foreign\t0.4");
        SizingReport quiet = new SizingReport(List.of(SizingResult.parse(WORKLOAD, lost)));
        SizingReport busy = new SizingReport(List.of(SizingResult.parse(WORKLOAD, disturbed)));
        assertThat(quiet.isPlausible()).isFalse();
        assertThat(quiet.markdown()).contains("used 0.00 CPUs.");
        assertThat(busy.isPlausible()).isTrue();
        assertThat(busy.markdown()).contains("used 0.40 CPUs, so a short sweep is not judged");
    }

    @Test
    void swept_anySize_nearestInProportion() {
        assertThat(WORKLOAD.swept(5)).isIn(4, 6);
        assertThat(WORKLOAD.swept(1_000)).isEqualTo(96);
        assertThat(WORKLOAD.swept(0.25)).isEqualTo(1);
    }
}
