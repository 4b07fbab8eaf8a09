package io.lifeguard.pool.corpus.real.systems;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import io.lifeguard.workbench.Waiting;
import java.util.List;
import org.apache.logging.log4j.core.config.AppenderRef;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.slf4j.LoggerFactory;

/** Appenders of Logback and Log4j that write to a slow disk. */
public final class Loggers {

    private static final int WORKERS = 32;

    private Loggers() {}

    static List<RealSystem> all() {
        return List.of(
                RealSystem.named("logback-slow-file", "lock-contention")
                        .about("32 workers log each task with Logback to a file whose disk takes 2 ms per line")
                        .at("OutputStreamAppender")
                        .cure("AsyncAppender that never blocks")
                        .forms(stage -> logback(stage, false), stage -> logback(stage, true)),
                RealSystem.named("log4j-async-queue-full", "downstream-saturated", "lock-contention")
                        .about("32 workers log each task with Log4j's AsyncAppender, whose queue is always full")
                        .at("Log4jOrders.order")
                        .cure("AsyncAppender that drops what does not fit")
                        .forms(stage -> log4j(stage, true), stage -> log4j(stage, false)));
    }

    private static void logback(Stage stage, boolean async) {
        Logger logger = toSlowDisk(2);
        if (async) {
            Appender<ILoggingEvent> file = logger.iteratorForAppenders().next();
            logger.detachAppender(file);
            AsyncAppender queue = new AsyncAppender();
            queue.setContext(logger.getLoggerContext());
            queue.setNeverBlock(true);
            queue.addAppender(file);
            queue.start();
            logger.addAppender(queue);
        }
        LogbackOrders orders = new LogbackOrders(logger);
        Clients.feed(stage, "orders", WORKERS, WORKERS - 4, orders::order);
    }

    /** A logger whose only appender writes to a disk that takes so long for a line. */
    public static Logger toSlowDisk(double millisPerLine) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%date [%thread] %-5level %logger %message%n");
        encoder.start();
        OutputStreamAppender<ILoggingEvent> file = new OutputStreamAppender<>();
        file.setContext(context);
        file.setEncoder(encoder);
        file.setOutputStream(new SlowDisk(millisPerLine));
        file.start();
        Logger logger = context.getLogger("orders");
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logger.addAppender(file);
        return logger;
    }

    private static void log4j(Stage stage, boolean blocking) {
        org.apache.logging.log4j.core.LoggerContext context = (org.apache.logging.log4j.core.LoggerContext)
                org.apache.logging.log4j.LogManager.getContext(Loggers.class.getClassLoader(), false);
        Configuration configuration = context.getConfiguration();
        PatternLayout layout = PatternLayout.newBuilder()
                .setPattern("%d [%t] %-5level %logger %msg%n")
                .build();
        var file = org.apache.logging.log4j.core.appender.OutputStreamAppender.newBuilder()
                .setName("file")
                .setTarget(new SlowDisk(2))
                .setLayout(layout)
                .build();
        file.start();
        configuration.addAppender(file);
        var queue = org.apache.logging.log4j.core.appender.AsyncAppender.newBuilder()
                .setName("queue")
                .setConfiguration(configuration)
                .setAppenderRefs(new AppenderRef[] {AppenderRef.createAppenderRef("file", null, null)})
                .setBlocking(blocking)
                .setBufferSize(128)
                .build();
        queue.start();
        configuration.addAppender(queue);
        LoggerConfig config = new LoggerConfig("orders", org.apache.logging.log4j.Level.INFO, false);
        config.addAppender(queue, null, null);
        configuration.addLogger("orders", config);
        context.updateLoggers();
        Log4jOrders orders = new Log4jOrders(context.getLogger("orders"));
        Clients.feed(stage, "orders", WORKERS, WORKERS - 4, orders::order);
    }

    /** A user's service. */
    private static final class LogbackOrders {
        private final org.slf4j.Logger log;

        LogbackOrders(org.slf4j.Logger log) {
            this.log = log;
        }

        void order() {
            Waiting.millis(10);
            log.info("ordered");
        }
    }

    /** A user's service. */
    private static final class Log4jOrders {
        private final org.apache.logging.log4j.Logger log;

        Log4jOrders(org.apache.logging.log4j.Logger log) {
            this.log = log;
        }

        void order() {
            Waiting.millis(10);
            log.info("ordered");
        }
    }
}
