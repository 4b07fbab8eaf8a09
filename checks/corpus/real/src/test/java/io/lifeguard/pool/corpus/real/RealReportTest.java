package io.lifeguard.pool.corpus.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.corpus.real.systems.HealthyPrograms;
import io.lifeguard.pool.corpus.real.systems.RealSystem;
import io.lifeguard.pool.corpus.real.systems.Systems;
import io.lifeguard.pool.corpus.sizing.SizingWorkload;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RealReportTest {

    private static final RealSystem HIKARI =
            Systems.named("hikari-ten-connections").orElseThrow();

    @Test
    void isRight_causeAndPlaceAndNothingElse_only() {
        RealRun silent = run(100);
        assertThat(outcome(run(20, "downstream-saturated", "in Orders.find"), silent)
                        .isRight())
                .isTrue();
        assertThat(outcome(run(20, "downstream-saturated", "elsewhere"), silent).isRight())
                .isFalse();
        assertThat(outcome(run(20, "blocked-on-io", "in Orders.find"), silent).isRight())
                .isFalse();
        assertThat(outcome(run(20, "downstream-saturated", "in Orders.find"), run(100, "oversized", ""))
                        .isRight())
                .isFalse();
    }

    @Test
    void markdown_oneOfTwoRight_saysSo() {
        RealReport report = new RealReport(List.of(
                outcome(run(20, "downstream-saturated", "in Orders.find"), run(100)), outcome(run(20), run(100))));
        assertThat(report.markdown()).contains("| 5.00 |").contains("Of 2 systems 1 have the right cause and place");
        assertThat(report.isGood()).isFalse();
    }

    @Test
    void parse_noThroughput_isAFailedRun() {
        assertThatThrownBy(() -> RealRun.parse(List.of("java.io.IOException: gone")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("gone");
    }

    @Test
    void all_namesAreUnique_andEachSystemHasAPlaceAndACure() {
        assertThat(Systems.all()).extracting(RealSystem::name).doesNotHaveDuplicates();
        assertThat(Systems.all()).allSatisfy(system -> {
            assertThat(system.must()).isNotEmpty();
            assertThat(system.place()).isNotBlank();
            assertThat(system.cure()).isNotBlank();
        });
        assertThat(HealthyPrograms.all()).hasSize(6);
        assertThat(SizingWorkload.all())
                .extracting(SizingWorkload::name)
                .doesNotHaveDuplicates()
                .hasSize(20);
    }

    private static RealOutcome outcome(RealRun sick, RealRun cured) {
        return new RealOutcome(HIKARI, sick, cured);
    }

    /** A run with a look each at 0 and 250 ms; the latter shows a finding if there are an id and a text. */
    private static RealRun run(double perSecond, String... finding) {
        List<String> lines = new ArrayList<>(List.of("@look\t0", "@look\t250"));
        if (finding.length == 2) {
            lines.add("@standing\t" + finding[0] + "\torders\t\t50\t" + finding[1]);
        }
        lines.add(RealForkMain.THROUGHPUT + perSecond);
        return RealRun.parse(lines);
    }
}
