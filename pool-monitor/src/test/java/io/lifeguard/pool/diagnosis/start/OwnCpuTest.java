package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OwnCpuTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private static long ticks(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.US_ASCII);
        return OwnCpu.ticksIn(bytes, bytes.length);
    }

    @Test
    void ticksIn_lineOfLinux_isTheSumOfBothModes() {
        assertThat(ticks("42 (a) R b) S 1 42 42 0 -1 4194304 97 8 7 6 310 25 1 2 20 0 1 0 6968508 3133440 377"))
                .isEqualTo(335);
        assertThat(ticks("42 (java) S 1 42 42 0 -1 4194304 97 8 7 6 310")).isNegative();
        assertThat(ticks("")).isNegative();
    }

    @Test
    void isLow_lessThanAQuarterOfTheCpus_isTrue() {
        assertThat(OwnCpu.isLow(49, SECOND, 2)).isTrue();
        assertThat(OwnCpu.isLow(50, SECOND, 2)).isFalse();
    }

    /** The process computes for a moment, and hours pass by the clock that is given. */
    @Test
    void isLow_thisProcess_isReadFromLinux() {
        OwnCpu cpu = new OwnCpu();
        cpu.begin(0);

        assertThat(cpu.isLow(SECOND - 1)).as("too early").isFalse();
        assertThat(cpu.isLow(3_600 * SECOND)).isTrue();
    }
}
