package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OverheadTest {

    @Test
    void of_countsOfEverything_addsWhatEachCosts() {
        CpuClock clock = CpuClock.of(() -> 0, 450);
        RecordingCost cost = RecordingCost.after(1);

        Overhead overhead = Overhead.of(clock, 1_000, 2_000, 1_000);

        double expected = 1_000 * 450 + 2_000 * cost.timeReadNanos() + 1_000 * cost.recordNanos();
        // a calibration in between may have found lower costs
        assertThat((double) overhead.totalNanos())
                .isLessThanOrEqualTo(expected + 1)
                .isGreaterThan(450_000.0);
        assertThat(overhead.perTaskNanos()).isEqualTo(overhead.totalNanos() / 1_000.0);
    }

    @Test
    void after_moreAndMoreRecords_neverGetsDearerAndIsCalibratedOnlyOnceInTen() {
        RecordingCost first = RecordingCost.after(1);
        RecordingCost many = RecordingCost.after(100_000_000);

        assertThat(many.recordNanos()).isPositive().isLessThanOrEqualTo(first.recordNanos());
        assertThat(many.timeReadNanos()).isPositive().isLessThanOrEqualTo(first.timeReadNanos());
        assertThat(RecordingCost.after(200_000_000)).isSameAs(many);
    }
}
