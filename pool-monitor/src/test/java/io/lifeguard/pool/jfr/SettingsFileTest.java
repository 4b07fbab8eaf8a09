package io.lifeguard.pool.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.recording.EventType;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import jdk.jfr.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings file is understood by the JDK, and names every type of event. */
class SettingsFileTest {

    @Test
    void file_readByTheJdk_enablesEachTypeOfEvent() throws Exception {
        Map<String, String> settings = settings();

        for (EventType type : EventType.values()) {
            assertThat(settings).containsEntry(type.eventName() + "#enabled", "true");
        }
        assertThat(TaskThreshold.nanos(settings)).isEqualTo(20_000_000);
    }

    @ParameterizedTest
    @CsvSource({
        "0 ns, 0",
        "7 us, 7000",
        "20 ms, 20000000",
        "2 s, 2000000000",
        "1 m, 60000000000",
        "soon, 0",
        "x ms, 0",
        "1 fortnight, 0"
    })
    void threshold_asText_isReadAsNanoseconds(String text, long nanos) {
        assertThat(TaskThreshold.nanos(Map.of("io.lifeguard.Task#threshold", text)))
                .isEqualTo(nanos);
    }

    @Test
    void threshold_notSet_isTwentyMilliseconds() {
        assertThat(TaskThreshold.nanos(Map.of())).isEqualTo(20_000_000);
    }

    @Test
    void threshold_eventsSwitchedOff_isNever() {
        assertThat(TaskThreshold.nanos(Map.of("io.lifeguard.Task#enabled", "false")))
                .isEqualTo(Long.MAX_VALUE);
    }

    private static Map<String, String> settings() throws Exception {
        InputStream file = Objects.requireNonNull(SettingsFileTest.class.getResourceAsStream("lifeguard.jfc"));
        try (Reader reader = new InputStreamReader(file, StandardCharsets.UTF_8)) {
            return Configuration.create(reader).getSettings();
        }
    }
}
