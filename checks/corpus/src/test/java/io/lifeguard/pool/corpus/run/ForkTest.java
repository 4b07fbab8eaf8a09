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
        Outcome outcome = new Fork(
                        Duration.ofSeconds(1), Duration.ZERO, Duration.ofMillis(100), 1, Machine.UNCHANGED, true)
                .run(workload);
        assertThat(outcome.wasRun()).isTrue();
        assertThat(outcome.log()).anyMatch(line -> line.startsWith("nightly, "));
    }

    /** It would play for a minute otherwise. */
    @Test
    void run_sickWithPatience_endsSoonAfterItsFinding() {
        Workload workload = Workloads.named("two-connections").orElseThrow();
        Fork fork = new Fork(
                Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofMillis(250), 0, Machine.UNCHANGED, false);
        long begin = System.nanoTime();
        Outcome outcome = fork.run(workload);
        assertThat(outcome.isRight()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(50));
    }
}
