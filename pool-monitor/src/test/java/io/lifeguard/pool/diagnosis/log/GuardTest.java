package io.lifeguard.pool.diagnosis.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.lifeguard.pool.diagnosis.TestLoggers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GuardTest {

    private final Logger logger = TestLoggers.logger("io.lifeguard.pool.diagnosis");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Guard guard = new Guard();

    @BeforeEach
    void listen() {
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
    }

    @Test
    void run_libraryFails_isOneLineOnce() {
        guard.run(this, GuardTest::fail);
        guard.run(this, GuardTest::fail);

        assertThat(written())
                .filteredOn(line -> line.getLevel() == Level.WARN)
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.getThrowableProxy()).isNull();
                    assertThat(line.getFormattedMessage())
                            .startsWith(GuardTest.class.getName() + " failed")
                            .contains("java.lang.IllegalStateException: on purpose, at " + GuardTest.class.getName()
                                    + ".fail(GuardTest.java:")
                            .doesNotContain("\n");
                });
    }

    @Test
    void run_usersCodeFails_hasTheStack() {
        guard.run("a user's object", GuardTest::fail);

        assertThat(written())
                .singleElement()
                .satisfies(line -> assertThat(line.getThrowableProxy()).isNotNull());
    }

    /** The lines so far: those that a line after them has not overtaken, because one thread writes all of them. */
    private List<ILoggingEvent> written() {
        LogLines.MONITOR.write(log -> log.warn("last"));
        await().until(() ->
                lines.list.stream().anyMatch(line -> line.getFormattedMessage().equals("last")));
        return lines.list.stream()
                .filter(line -> !line.getFormattedMessage().equals("last"))
                .toList();
    }

    private static void fail() {
        throw new IllegalStateException("on purpose");
    }
}
