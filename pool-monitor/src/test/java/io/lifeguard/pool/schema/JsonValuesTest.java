package io.lifeguard.pool.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Durations have one form, and any evidence of a user's rule becomes JSON. */
class JsonValuesTest {

    private static Map<String, Object> evidence(String name, Object value) {
        return JsonValues.evidence(new Finding(
                "id", Severity.INFO, "pool", "", "", Map.of(name, value), OptionalInt.empty(), Instant.EPOCH));
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0",
        "PT0.0000004S, 0",
        "PT0.000001S, 0.000001",
        "PT0.026652S, 0.026652",
        "PT1.5S, 1.5",
        "PT100S, 100",
        "-PT0.25S, -0.25",
        "P1000D, 86400000"
    })
    void seconds_anyDuration_isNumberWithoutExponent(Duration duration, String written) {
        assertThat(JsonValues.seconds(duration)).hasToString(written);
    }

    @Test
    void seconds_longestDuration_isNumber() {
        assertThat(JsonValues.seconds(ChronoUnit.FOREVER.getDuration()).toString())
                .startsWith("9223372036854775808");
    }

    @Test
    void evidence_durations_haveNamesThatEndWithTheUnit() {
        assertThat(evidence("serviceTime", Duration.ofMillis(1500)))
                .containsOnly(Map.entry("serviceTimeSeconds", new BigDecimal("1.5")));
        assertThat(evidence("waits", List.of(Duration.ofSeconds(1), Duration.ofSeconds(2))))
                .containsOnly(Map.entry("waitsSeconds", List.of(new BigDecimal("1"), new BigDecimal("2"))));
    }

    @Test
    void evidence_numbersTextsAndLists_areUnchanged() {
        assertThat(evidence("workers", 16)).containsOnly(Map.entry("workers", 16));
        assertThat(evidence("deadlock", true)).containsOnly(Map.entry("deadlock", true));
        assertThat(evidence("stack", List.of("a", "b"))).containsOnly(Map.entry("stack", List.of("a", "b")));
        assertThat(evidence("none", List.of())).containsOnly(Map.entry("none", List.of()));
    }

    @Test
    void evidence_objectThatThrowsOrNull_doesNotHideTheRest() {
        Object sick = new Object() {
            @Override
            public String toString() {
                throw new AssertionError("on purpose");
            }
        };
        assertThat(evidence("some", Arrays.asList(sick, null, 7)).get("some"))
                .asString()
                .contains("whose toString() throws", "null", "7");
    }
}
