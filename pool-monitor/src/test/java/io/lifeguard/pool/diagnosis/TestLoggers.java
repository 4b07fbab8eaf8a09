package io.lifeguard.pool.diagnosis;

import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import org.slf4j.LoggerFactory;

/** Loggers to which a test can add an appender. Stateless. */
public final class TestLoggers {

    private TestLoggers() {}

    /** The logger of that name. Waits while another thread, with the first line of this JVM, loads the library. */
    public static Logger logger(String name) {
        await().until(() -> LoggerFactory.getILoggerFactory() instanceof LoggerContext);
        return (Logger) LoggerFactory.getLogger(name);
    }
}
