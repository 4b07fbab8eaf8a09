package io.lifeguard.pool.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Formattable;
import java.util.IllegalFormatException;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** People get two significant digits, and all digits of whole numbers. */
class UnitsTest {

    @ParameterizedTest
    @CsvSource({"7.41, 7.4", "3, 3", "12.2, 12", "0.25, 0.25", "88.5, 89", "'1340', '1,340'", "-1340, '-1,340'"})
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

    /** Mostly written without the JDK's formatter, in the same way. */
    @Test
    void format_anything_isAsTheJdkWritesIt() {
        Formattable own = (formatter, flags, width, precision) -> formatter.format("own");
        Object[] arguments = {"a", 7, -3L, 0.25, -1.5, Double.NaN, 12_345, null, own, 'c', List.of(1)};
        for (Object one : arguments) {
            for (String format : new String[] {"%s", "x%s%%", "%s of %s, %%s", "%10s|", "%S", "%%", "", "100%% %s"}) {
                Object[] both = {one, "b"};
                assertThat(Units.format(format, both)).isEqualTo(String.format(Locale.ROOT, format, both));
            }
        }
        for (String format :
                new String[] {"%d", "%,d and %s", "%05d %d", "%d%% of %.2f", "%.0f", "%.1f", "%,.1f", "%.10f"}) {
            for (Object one : new Object[] {0, 12_345, -9L, Long.MAX_VALUE, 0.005, 2.5, -0.0, 1e9, Double.NaN}) {
                Object[] both = {one, 99.995};
                assertThat(outcome(() -> Units.format(format, both)))
                        .isEqualTo(outcome(() -> String.format(Locale.ROOT, format, both)));
            }
        }
        for (String wrong : new String[] {"%s %s", "50 %"}) {
            assertThat(outcome(() -> Units.format(wrong, 1))).isEqualTo(outcome(() -> String.format(wrong, 1)));
        }
    }

    private static String outcome(Supplier<String> text) {
        try {
            return text.get();
        } catch (IllegalFormatException e) {
            return e.toString();
        }
    }

    /** Written without the JDK's formatter, in the same way. */
    @Test
    void fixed_anyNumber_isWrittenAsTheFormatterDoes() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            double number = (random.nextDouble() - 0.1) * Math.pow(10, random.nextInt(-5, 8));
            double rounded = Units.twoDigits(number);
            for (int decimals = 0; decimals <= 2; decimals++) {
                String format = "%." + decimals + "f";
                assertThat(Units.fixed(number, decimals)).isEqualTo(String.format(Locale.ROOT, format, number));
                assertThat(Units.fixed(rounded, decimals)).isEqualTo(String.format(Locale.ROOT, format, rounded));
            }
        }
        assertThat(Units.fixed(Double.NaN, 1)).isEqualTo("NaN");
        assertThat(Units.fixed(-0.04, 1)).isEqualTo("-0.0");
        assertThat(Units.fixed(0.5, 0)).isEqualTo("1");
    }
}
