package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class GuardTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.lifeguard.pool.diagnosis");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Guard guard = new Guard();

    @BeforeEach
    void listen() {
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

        assertThat(lines.list)
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

        assertThat(lines.list)
                .singleElement()
                .satisfies(line -> assertThat(line.getThrowableProxy()).isNotNull());
    }

    private static void fail() {
        throw new IllegalStateException("on purpose");
    }
}
