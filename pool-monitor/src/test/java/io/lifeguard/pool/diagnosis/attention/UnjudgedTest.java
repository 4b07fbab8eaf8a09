package io.lifeguard.pool.diagnosis.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.lifeguard.pool.diagnosis.log.LogLines;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnjudgedTest {

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private Unjudged unjudged;

    @BeforeEach
    void make() {
        Logger logger = new LoggerContext().getLogger("test");
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        logger.addAppender(lines);
        unjudged = new Unjudged(new LogLines(() -> logger));
    }

    private String window(boolean isJudged, double gc, double late) {
        return unjudged.closed(isJudged, Duration.ofSeconds(1), millis(gc), millis(late));
    }

    private static Duration millis(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1e3));
    }

    @Test
    void closed_collectionsForTenSeconds_isSaidOnce() {
        for (int i = 0; i < 9; i++) {
            assertThat(window(false, 0.42, 0)).isEmpty();
        }
        assertThat(window(false, 0.42, 0)).isEqualTo("pools are not judged: collections take 42% of the time");
        assertThat(window(false, 0.42, 0)).isNotEmpty();

        await().untilAsserted(() -> assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("pools are not judged: collections take 42% of the time"));
    }

    @Test
    void closed_monitorIsLate_saysThatEverythingStandsStill() {
        for (int i = 0; i < 9; i++) {
            window(false, 0, 0.6);
        }
        assertThat(window(false, 0, 0.6))
                .isEqualTo("pools are not judged: everything stands still for 60% of the time");
    }

    @Test
    void closed_aWindowIsJudgedBetween_beginsAnew() {
        for (int i = 0; i < 9; i++) {
            window(false, 0.42, 0);
        }
        assertThat(window(true, 0, 0)).isEmpty();
        assertThat(window(false, 0.42, 0)).isEmpty();
    }
}
