package io.lifeguard.pool.diagnosis.evidence.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.system.ProcessReading;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import java.time.Duration;
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
