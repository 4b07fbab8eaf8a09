package io.lifeguard.pool.agent.inside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent's arguments: what is wrong is named with its value. */
class OptionsTest {

    @Test
    void parse_keysWithAndWithoutPrefix_areTheSame() {
        assertThat(Options.parse("lifeguard.page.port=0, window=1s").pagePort()).hasValue(0);
        assertThat(Options.parse("").pagePort()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "2s, PT2S", "3m, PT3M", "1h, PT1H", "PT4S, PT4S"})
    void duration_unit_isKnown(String text, Duration expected) {
        assertThat(Options.duration("window", text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "window=soon",
                "window=9",
                "page.port=70000",
                "page.port=x",
                "thresholds.a.b=much",
                "rules.oversized=no"
            })
    void parse_wrongValue_isNamedWithItsKey(String pair) {
        String[] parts = pair.split("=");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(pair))
                .withMessageContaining(parts[0])
                .withMessageContaining('"' + parts[1] + '"');
    }

    @ParameterizedTest
    @ValueSource(strings = {"rules.over-sized", "thresholds.oversized.share"})
    void parse_findingOrThresholdThatIsNotThere_isNamed(String key) {
        String value = key.startsWith("rules") ? "false" : "1";

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(key + '=' + value))
                .withMessageContaining('"' + key + '"');
        assertThat(Options.parse("rules.oversized=false,thresholds.oversized.busy=0.4"))
                .isNotNull();
    }

    @Test
    void parse_unknownKeyOrNoPair_namesWhatIsKnown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse("windows=1s"))
                .withMessageContaining("\"windows\"")
                .withMessageContaining("log-reminder");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse("fast"))
                .withMessageContaining("\"fast\"");
    }
}
