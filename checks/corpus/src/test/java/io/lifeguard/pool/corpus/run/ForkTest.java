package io.lifeguard.pool.corpus.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.pool.corpus.workloads.Workloads;
import io.lifeguard.workbench.Machine;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ForkTest {

    @Test
    void run_verbose_playsInAnotherProcessAndTellsTheWindows() {
        Workload workload = Workloads.named("idle-night").orElseThrow();
        Outcome outcome =
                new Fork(Duration.ofSeconds(1), Duration.ofMillis(100), 1, Machine.UNCHANGED, true).run(workload);
        assertThat(outcome.wasRun()).isTrue();
        assertThat(outcome.log()).anyMatch(line -> line.startsWith("nightly, "));
    }
}
