package io.lifeguard.pool.corpus.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.pool.corpus.workloads.Workloads;
import org.junit.jupiter.api.Test;

/** What a machine adds to a label is true on that machine only. */
class MachineKindTest {

    @Test
    void label_quota_allowsThatTheProcessIsThrottled() {
        Workload workload = Workloads.named("http-behind-four-slots").orElseThrow();

        assertThat(MachineKind.QUOTA.label(workload).may()).contains("cpu-throttled");
        assertThat(MachineKind.QUOTA.label(workload).must()).isEqualTo(workload.must());
        assertThat(MachineKind.BESIDE.label(workload)).isEqualTo(workload);
    }
}
