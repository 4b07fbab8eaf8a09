package io.lifeguard.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WaitingTest {

    @Test
    void millis_notInterrupted_areNeverFewer() {
        long start = System.nanoTime();
        Waiting.millis(1.5);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(1_500_000);
    }

    @Test
    void nanos_interrupted_returnsAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        Waiting.nanos(Duration.ofHours(1).toNanos());
        assertThat(Thread.interrupted()).isTrue();
    }
}
