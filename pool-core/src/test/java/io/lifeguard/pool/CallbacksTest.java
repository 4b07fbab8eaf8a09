package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Failures of user code are logged, and their text cannot look like another line of the log. */
class CallbacksTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.lifeguard.pool");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

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
    void call_failureWhoseTextForgesALine_isLoggedEscaped() {
        Object target = new Object() {};
        RuntimeException failure = new IllegalStateException(
                "x\n2026-01-01 ERROR all is lost", new IllegalArgumentException("y\u001b[31m"));

        Callbacks.call(target, () -> {
            throw failure;
        });

        IThrowableProxy logged = onlyLineAbout(target.getClass().getName()).getThrowableProxy();
        assertThat(logged.getMessage()).contains("x\\u000a2026-01-01 ERROR all is lost");
        assertThat(logged.getCause().getMessage()).contains("y\\u001b[31m");
    }

    @Test
    void ask_failureWithHarmlessText_isLoggedUnchanged() {
        Object target = new Object() {};

        boolean answer = Callbacks.ask(target, () -> {
            throw new IllegalStateException("on purpose");
        });

        assertThat(answer).isFalse();
        IThrowableProxy logged = onlyLineAbout(target.getClass().getName()).getThrowableProxy();
        assertThat(logged.getClassName()).isEqualTo("java.lang.IllegalStateException");
        assertThat(logged.getMessage()).isEqualTo("on purpose");
    }

    @Test
    void loadAll_providerWhoseNameColoursTheLog_isLoggedEscaped(@TempDir Path classes) throws IOException {
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve(PoolObserver.class.getName()), "some.Provider\u001b[31m\n");

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, null)) {
            assertThat(Callbacks.loadAll(ServiceLoader.load(PoolObserver.class, loader)))
                    .isEmpty();
        }

        assertThat(onlyLineAbout("some.Provider").getFormattedMessage())
                .contains("some.Provider\\u001b[31m")
                .doesNotContain("\u001b");
    }

    private ILoggingEvent onlyLineAbout(String text) {
        assertThat(lines.list)
                .filteredOn(line -> line.getFormattedMessage().contains(text))
                .hasSize(1);
        return lines.list.stream()
                .filter(line -> line.getFormattedMessage().contains(text))
                .findFirst()
                .orElseThrow();
    }
}
