package io.lifeguard.pool.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest {
    @Test
    void of_oddCount_takesTheMiddle() {
        assertThat(Summary.of(List.of(5.0, 1.0, 3.0, 2.0, 4.0))).isEqualTo(new Summary(5, 1, 2, 3, 4, 5));
    }

    @Test
    void of_evenCount_interpolates() {
        assertThat(Summary.of(List.of(4.0, 1.0, 3.0, 2.0))).isEqualTo(new Summary(4, 1, 1.75, 2.5, 3.25, 4));
    }

    @Test
    void of_oneValue_isThatValue() {
        assertThat(Summary.of(List.of(7.0))).isEqualTo(new Summary(1, 7, 7, 7, 7, 7));
    }

    @Test
    void of_nothing_isRefused() {
        assertThatThrownBy(() -> Summary.of(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("values must not be empty");
    }
}
