package io.lifeguard.pool.diagnosis.start;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What the diagnosis logs in a JVM that a test has started. Thread-safe. */
final class LoggedLines extends AppenderBase<ILoggingEvent> {

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    static LoggedLines begin() {
        LoggedLines logged = new LoggedLines();
        logged.start();
        Logger log = (Logger) LoggerFactory.getLogger("io.lifeguard.pool.diagnosis");
        log.setLevel(Level.INFO);
        log.addAppender(logged);
        return logged;
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(event.getFormattedMessage());
    }

    /** {@return the next line that has this text; null if there is no line for so long} */
    @Nullable
    String next(String text, int seconds) throws InterruptedException {
        String line = "";
        while (line != null && !line.contains(text)) {
            line = lines.poll(seconds, TimeUnit.SECONDS);
        }
        return line;
    }
}
