package io.lifeguard.pool.corpus.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.pool.corpus.workloads.Workloads;
import org.junit.jupiter.api.Test;

/** What a machine adds to a label is true on that machine only. */
class MachineKindTest {

    @Test
    void labelled_quota_allowsThatTheProcessIsThrottled() {
        Workload workload = Workloads.named("http-behind-four-slots").orElseThrow();

        assertThat(MachineKind.QUOTA.labelled(workload).may()).contains("cpu-throttled");
        assertThat(MachineKind.QUOTA.labelled(workload).must()).isEqualTo(workload.must());
        assertThat(MachineKind.BESIDE.labelled(workload)).isEqualTo(workload);
    }
}
