package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OverheadTest {

    @Test
    void of_countsOfEverything_addsWhatEachCosts() {
        CpuClock clock = CpuClock.of(() -> 0, 450);

        Overhead overhead = Overhead.of(new RecordingCost(34, 18), clock, 10, 2_000, 1_000);

        assertThat(overhead.totalNanos()).isEqualTo(10 * 450 + 2_000 * 34 + 1_000 * 18);
        assertThat(overhead.perTaskNanos()).isEqualTo(90.5);
    }

    @Test
    void perTaskNanos_noTask_isZero() {
        assertThat(Overhead.of(new RecordingCost(34, 18), CpuClock.none(), 0, 0, 0)
                        .perTaskNanos())
                .isZero();
    }
}
