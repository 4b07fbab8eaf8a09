package io.lifeguard.pool.diagnosis.attention;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.lifeguard.pool.diagnosis.TestLoggers;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.outside.ExternalThreadPool;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.testing.Fixture;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The log says once that the threads of a pool that works are unknown. */
class BlindnessTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = TestLoggers.logger("io.lifeguard.pool.diagnosis");

    @BeforeEach
    void listen() {
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(lines);
        logger.setLevel(null); // as its parent
    }

    /** Its two threads have names that do not differ in a number only. */
    private ExternalPool<?> blind() {
        Iterator<String> names =
                List.of("BlindnessTest anna", "BlindnessTest bob").iterator();
        ThreadPoolExecutor pool = fixture.closing(new ThreadPoolExecutor(
                2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> new Thread(task, names.next())));
        pool.prestartAllCoreThreads();
        ExternalPool<?> watched = new ExternalThreadPool(pool, "BlindnessTest", "");
        fixture.eventually("a search", () -> {
            watched.workers();
            return watched.blindness().isPresent();
        });
        return watched;
    }

    private List<String> said() {
        return lines.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(text -> text.contains("BlindnessTest"))
                .toList();
    }

    @Test
    void closed_poolWorksBlindForLong_isSaidOnce() {
        Blindness blindness = new Blindness(blind());
        Windows five = Windows.of("BlindnessTest").seconds(5).size(2).busy(2);

        assertThat(blindness.closed(five.build())).contains("names that differ in a number only");
        assertThat(said()).as("the search goes on").isEmpty();
        blindness.closed(five.build());
        blindness.closed(five.build());
        blindness.closed(five.build());

        fixture.eventually("the line", () -> !said().isEmpty());
        assertThat(said())
                .containsExactly("pool 'BlindnessTest': not all that its workers do is known, because no 2 threads with"
                        + " names that differ in a number only are workers of such a pool.");
    }

    /** Nothing is missed. */
    @Test
    void closed_blindPoolIsIdle_isNotSaid() {
        Blindness blindness = new Blindness(blind());

        for (int i = 0; i < 10; i++) {
            assertThat(blindness.closed(Windows.of("BlindnessTest")
                            .seconds(5)
                            .size(2)
                            .busy(0)
                            .build()))
                    .isNotEmpty();
        }
        assertThat(said()).isEmpty();
    }
}
