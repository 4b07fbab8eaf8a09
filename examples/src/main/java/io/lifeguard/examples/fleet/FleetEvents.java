package io.lifeguard.examples.fleet;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import io.lifeguard.examples.Command;
import io.lifeguard.examples.Terminal;
import io.lifeguard.pool.diagnosis.FindingEventLog;
import io.lifeguard.pool.diagnosis.FindingListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Plays the findings of 300 instances of a service, and writes what their logs would hold: one file of JSON lines for
 * each instance. Stateless.
 */
public final class FleetEvents implements Command {

    static final int INSTANCES = 300;

    private static final PlayedFindings FLEET = new PlayedFindings(INSTANCES);

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
                for (int phase = 0; phase < PlayedFindings.PHASES; phase++) {
                    FLEET.play(phase, i, instance.listener);
                }
            }
        }
    }

    /** One instance of the service, with its own log. */
    private static final class Instance implements AutoCloseable {
        private final Logger logger;
        private final FileAppender<ILoggingEvent> file = new FileAppender<>();
        private final FindingEventLog events;
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
            events = new FindingEventLog(name);
            listener = FindingListener.ofEvents(events);
        }

        @Override
        public void close() {
            events.close();
            logger.detachAppender(file);
            file.stop();
        }
    }
}
