package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MonitorSettingsTest {

    private final MonitorSettings settings = new MonitorSettings();

    @Test
    void grace_usualWindows_isThreeSeconds() {
        assertThat(settings.grace()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void grace_longWindows_isThreeSeconds() {
        settings.window(Duration.ofMinutes(1));
        assertThat(settings.grace()).isEqualTo(Duration.ofSeconds(3));
    }

    /** So that a test with short windows need not last longer than before. */
    @Test
    void grace_shortWindows_isThreeOfThem() {
        settings.window(Duration.ofMillis(50));
        assertThat(settings.grace()).isEqualTo(Duration.ofMillis(150));
    }

    @Test
    void grace_set_holdsForAllWindows() {
        settings.grace(Duration.ofSeconds(9));
        settings.window(Duration.ofMillis(50));
        assertThat(settings.grace()).isEqualTo(Duration.ofSeconds(9));
        assertThat(new MonitorSettings(settings).grace()).isEqualTo(Duration.ofSeconds(9));
    }
}
