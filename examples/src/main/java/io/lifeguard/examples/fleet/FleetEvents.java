package io.lifeguard.examples.fleet;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import io.lifeguard.examples.Command;
import io.lifeguard.examples.Terminal;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingEventLog;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.slf4j.LoggerFactory;

/**
 * Plays the findings of 300 instances of a service, and writes what their logs would hold: one file of JSON lines for
 * each instance. 250 instances had one lock; at 10 of them it is gone again. 30 wait for a connection pool. 20 are well.
 * Stateless.
 */
public final class FleetEvents implements Command {

    static final int INSTANCES = 300;

    private static final int WITH_LOCK = 250;
    private static final int CURED = 10;
    private static final int IN_LINE = 30;

    private static final Instant DEPLOYED = Instant.parse("2026-11-25T12:00:00Z");

    @Override
    public String name() {
        return "fleet-events";
    }

    @Override
    public String summary() {
        return "writes the finding events of 300 played instances, as JSON lines: fleet-events DIRECTORY";
    }

    @Override
    public int run(List<String> arguments, Terminal terminal) {
        if (arguments.size() != 1) {
            terminal.err().println("Usage: fleet-events DIRECTORY");
            return USAGE;
        }
        try {
            play(Path.of(arguments.get(0)));
            return OK;
        } catch (IOException e) {
            terminal.err().println("cannot write: " + e);
            return FAILED;
        }
    }

    static void play(Path directory) throws IOException {
        Files.createDirectories(directory);
        for (int i = 0; i < INSTANCES; i++) {
            try (Instance instance = new Instance(directory, i)) {
                instance.play(i);
            }
        }
    }

    /** One instance of the service, with its own log. */
    private static final class Instance implements AutoCloseable {
        private final Logger logger;
        private final FileAppender<ILoggingEvent> file = new FileAppender<>();
        private final FindingListener listener;

        Instance(Path directory, int number) {
            String name = FindingEventLog.LOGGER + ".checkout-" + number;
            LoggerContext logging = (LoggerContext) LoggerFactory.getILoggerFactory();
            JsonEncoder encoder = new JsonEncoder();
            encoder.setContext(logging);
            encoder.start();
            file.setContext(logging);
            file.setEncoder(encoder);
            file.setAppend(false);
            file.setFile(directory.resolve("checkout-" + number + ".jsonl").toString());
            file.start();
            logger = logging.getLogger(name);
            logger.setAdditive(false);
            logger.addAppender(file);
            listener = FindingListener.ofEvents(new FindingEventLog(name));
        }

        void play(int number) {
            if (number < WITH_LOCK) {
                listener.raised(lock(Severity.WARNING, number));
                listener.updated(lock(Severity.WARNING, number)); // new numbers are no event
                if (number % 5 == 0) {
                    listener.escalated(lock(Severity.CRITICAL, number));
                }
                if (number < CURED) {
                    listener.resolved(lock(Severity.WARNING, number));
                }
            } else if (number < WITH_LOCK + IN_LINE) {
                listener.raised(line(number));
            }
        }

        private static Finding lock(Severity severity, int number) {
            return new Finding(
                    "lock-contention",
                    severity,
                    "orders",
                    "7 of 8 busy workers wait for the monitor of com.example.Settings@" + Integer.toHexString(number),
                    "Hold the lock for a shorter time or remove it",
                    Map.of("place", "com.example.Settings.get(Settings.java:12)"),
                    OptionalInt.of(2),
                    DEPLOYED.plusSeconds(number));
        }

        private static Finding line(int number) {
            return new Finding(
                    "downstream-saturated",
                    Severity.WARNING,
                    "orders",
                    "6 of 8 workers queue for a connection pool of HikariCP",
                    "Raise the limit that they wait for",
                    Map.of("place", "com.example.Orders.load(Orders.java:42)"),
                    OptionalInt.empty(),
                    DEPLOYED.plusSeconds(number));
        }

        @Override
        public void close() {
            logger.detachAppender(file);
            file.stop();
        }
    }
}
