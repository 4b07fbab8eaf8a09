package io.lifeguard.pool.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** People get two significant digits, and all digits of whole numbers. */
class UnitsTest {

    @ParameterizedTest
    @CsvSource({"7.41, 7.4", "3, 3", "12.2, 12", "0.25, 0.25", "88.5, 89", "'1340', '1,340'"})
    void rate_anyNumber_hasTwoDigits(double number, String text) {
        assertThat(Units.rate(number)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"1.66, 1.7×", "8, 8×", "12.4, 12×", "1.05, 1.05×", "1, 1.00×"})
    void times_closeToOne_keepsASecondDecimal(double factor, String text) {
        assertThat(Units.times(factor)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0.72, 72%", "1, 100%", "0.004, 0%"})
    void percent_anyShare_isWhole(double share, String text) {
        assertThat(Units.percent(share)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0.0118, 12 ms", "5.97, 6 s", "1.45, 1.5 s", "0.000291, 291 µs", "200, 3 min 20 s", "60, 60 s"})
    void time_anyLength_hasTwoDigitsAndItsUnit(double seconds, String text) {
        assertThat(Units.time(seconds)).isEqualTo(text);
    }
}
