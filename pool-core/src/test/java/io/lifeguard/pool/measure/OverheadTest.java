package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OverheadTest {

    @Test
    void of_readsOfTheCpuClock_costWhatTheClockSays() {
        Overhead overhead = Overhead.of(CpuClock.of(() -> 0, 450), 10, 0, 0);

        assertThat(overhead.totalNanos()).isEqualTo(10 * 450);
        assertThat(overhead.perTaskNanos()).isZero();
    }

    @Test
    void of_readingsOnThisMachine_fallToSomeNanosecondsEach() {
        Overhead overhead = Overhead.of(CpuClock.none(), 0, 2_000, 1_000, false);
        for (int reading = 0; reading < 30; reading++) {
            overhead = Overhead.of(CpuClock.none(), 0, 2_000, 1_000, false);
        }

        assertThat(overhead.perTaskNanos()).isBetween(3.0, 30_000.0);
        assertThat(overhead.totalNanos()).isEqualTo(Math.round(1_000 * overhead.perTaskNanos()));
    }

    @Test
    void of_youngJvm_isNotCalibrated() {
        AtomicInteger reads = new AtomicInteger();
        CpuClock clock = CpuClock.uncalibrated(reads::incrementAndGet);

        Overhead overhead = Overhead.of(clock, 0, 2_000, 1_000, true);

        assertThat(reads).hasValue(0);
        assertThat(overhead.perTaskNanos()).isEqualTo(2 * 25 + 40);
        Overhead.of(clock, 0, 2_000, 1_000, false);
        assertThat(reads).hasPositiveValue();
    }

    @Test
    void perTaskNanos_noTask_isZero() {
        assertThat(new Overhead(0, 0, 0, 0).perTaskNanos()).isZero();
    }
}
