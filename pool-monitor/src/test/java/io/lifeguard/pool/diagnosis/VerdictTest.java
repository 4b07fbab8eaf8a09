package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.diagnosis.testing.Windows;
import org.junit.jupiter.api.Test;

class VerdictTest {

    private final Finding finding =
            Finding.of("too-blue", Windows.of("db").build()).build();

    @Test
    void finding_found_isTheFinding() {
        assertThat(Verdict.found(finding).finding()).containsSame(finding);
    }

    @Test
    void finding_clearOrUnknown_isEmpty() {
        assertThat(Verdict.clear().finding()).isEmpty();
        assertThat(Verdict.unknown("stacks").finding()).isEmpty();
        assertThat(Verdict.unknown("stacks")).isNotEqualTo(Verdict.clear());
    }

    @Test
    @SuppressWarnings("NullAway") // what a user's code may do
    void found_null_isRefused() {
        assertThatThrownBy(() -> Verdict.found(null)).hasMessage("finding must not be null");
    }

    @Test
    void unknown_blank_isRefusedWithItsValue() {
        assertThatThrownBy(() -> Verdict.unknown(" "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("missing must not be blank (was \" \")");
    }
}
