package io.lifeguard.pool.diagnosis.evidence.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.system.ProcessReading;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProcessTimesTest {

    private final FakeClock clock = new FakeClock();
    private long throttledNanos;
    private long gcMillis;
    private final ProcessTimes times = new ProcessTimes(
            () -> new ProcessReading(-1, -1, -1, -1, 2, throttledNanos), () -> gcMillis, () -> -1, clock);

    private ProcessWindow after(Duration time) {
        clock.pass(time);
        return times.advance(Duration.ZERO);
    }

    @Test
    void advance_known_isTheDifference() {
        after(Duration.ofSeconds(1));
        throttledNanos += 5_000_000;
        gcMillis += 7;

        ProcessWindow window = after(Duration.ofSeconds(1));

        assertThat(window.throttled()).contains(Duration.ofMillis(5));
        assertThat(window.gcTime()).contains(Duration.ofMillis(7));
    }

    /** The beans of the collectors take 170 classes, so they are asked where collections may take much of the CPUs. */
    @Test
    void advance_littleCpuUsed_collectorsAreNotAsked() {
        AtomicLong asked = new AtomicLong();
        AtomicLong used = new AtomicLong();
        ProcessTimes young = new ProcessTimes(
                () -> new ProcessReading(used.get(), 0, -1, -1, 2, 0), asked::incrementAndGet, () -> -1, clock);
        long second = 1_000_000_000L;
        for (long cpu : new long[] {5 * second, second / 5, second / 5}) {
            used.addAndGet(cpu);
            clock.pass(Duration.ofSeconds(1));
            assertThat(young.advance(Duration.ZERO).gcTime()).isEmpty();
        }
        assertThat(asked).hasValue(0);

        used.addAndGet(2 * second);
        clock.pass(Duration.ofSeconds(1));
        young.advance(Duration.ZERO);
        clock.pass(Duration.ofSeconds(1));
        assertThat(young.advance(Duration.ZERO).gcTime()).contains(Duration.ofMillis(1));
    }

    @Test
    void advance_unknown_isEmptyAndNotZero() {
        after(Duration.ofSeconds(1));
        throttledNanos = -1;
        gcMillis = -1;

        assertThat(after(Duration.ofSeconds(1)).throttled()).isEmpty();
        assertThat(after(Duration.ofSeconds(1)).gcTime()).isEmpty();

        throttledNanos = 9_000_000_000L;
        assertThat(after(Duration.ofSeconds(1)).throttled())
                .as("what was before is not known")
                .isEmpty();
        assertThat(after(Duration.ofSeconds(1)).throttled()).contains(Duration.ZERO);
    }
}
