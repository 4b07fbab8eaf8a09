package io.lifeguard.pool.corpus.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.corpus.run.MachineKind;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MachinesReportTest {

    private final MachinesReport report = new MachinesReport();

    @Test
    void markdown_severalMachines_hasAColumnForEach() {
        report.add("convoy", MachineKind.QUIET, "lock-contention 4");
        report.add("convoy", MachineKind.BESIDE, "lock-contention 9");
        report.add("convoy", MachineKind.BESIDE, "silent");
        report.add("night", MachineKind.BESIDE, "silent");
        report.conclude(MachineKind.QUIET, "all named");
        report.conclude(MachineKind.BESIDE, "one missed");

        assertThat(report.markdown())
                .containsPattern("workload +\\| +quiet +\\| +beside")
                .containsPattern("convoy +\\| +lock-contention 4 +\\| +lock-contention 9; silent")
                .containsPattern("night +\\| +not run +\\| +silent")
                .contains("- quiet: all named\n", "- beside: one missed\n")
                .doesNotContain("The quota");
    }

    @Test
    void markdown_quota_saysHowItWasMade() {
        report.conclude(MachineKind.QUOTA, "all named");

        assertThat(report.markdown()).contains("The quota was made by a ");
    }

    @Test
    void cell_missedAndFalse_standOut() {
        assertThat(MachinesReport.cell(Set.of("deadlock"), Set.of("oversized"), "oversized 3"))
                .isEqualTo("**missed** deadlock, **false** oversized, oversized 3");
        assertThat(MachinesReport.cell(Set.of(), Set.of(), "")).isEqualTo("silent");
    }
}
