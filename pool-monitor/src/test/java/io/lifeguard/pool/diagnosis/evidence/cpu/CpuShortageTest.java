package io.lifeguard.pool.diagnosis.evidence.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.system.ThreadReading;
import org.junit.jupiter.api.Test;

class CpuShortageTest {

    @Test
    void isShort_waitedForTwiceAsLongAsRan_isTrue() {
        assertThat(CpuShortage.isShort(times(30, 60))).isTrue();
        assertThat(CpuShortage.isShort(times(30, 59))).isFalse();
    }

    @Test
    void isShort_waitedForAMoment_isFalse() {
        assertThat(CpuShortage.isShort(times(1, 19))).isFalse();
    }

    @Test
    void isShort_systemDoesNotTell_isFalse() {
        assertThat(CpuShortage.isShort(null)).isFalse();
    }

    private static ThreadReading times(long cpuMillis, long waitMillis) {
        return new ThreadReading(cpuMillis * 1_000_000, waitMillis * 1_000_000, 1, 1, true, 0);
    }
}
