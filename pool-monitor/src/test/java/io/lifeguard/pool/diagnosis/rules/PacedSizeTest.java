package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PacedSizeTest {

    /**
     * Erlang's loss formula: with n workers, one lock and nine tenths of a task elsewhere, the lock idles for B(n, 9),
     * which is 3.4 % for 14 workers and 2.0 % for 15. Without variety, 10 would do.
     */
    @Test
    void sizeFor_oneIsServedAtOnce_coversTheVarietyElsewhere() {
        assertThat(PacedSize.sizeFor(10, 1)).isEqualTo(15);
        assertThat(PacedSize.sizeFor(1, 1)).isEqualTo(1);
    }

    @Test
    void sizeFor_severalAreServedAtOnce_isTheirNumberAndWhatIsElsewhere() {
        assertThat(PacedSize.sizeFor(4, 4)).isEqualTo(4);
        assertThat(PacedSize.sizeFor(4.4, 4)).isBetween(4, 6);
        assertThat(PacedSize.sizeFor(8, 4)).isBetween(10, 12);
        assertThat(PacedSize.sizeFor(3, 4)).isEqualTo(3);
    }
}
