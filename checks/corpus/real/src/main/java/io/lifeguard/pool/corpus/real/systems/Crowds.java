package io.lifeguard.pool.corpus.real.systems;

import com.zaxxer.hikari.HikariDataSource;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.workbench.Waiting;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;

/** Many workers that queue in a library for something that a few have: a monitor, a connection, a permit. */
final class Crowds {

    private static final String CONTENTION = "lock-contention";
    private static final String DOWNSTREAM = "downstream-saturated";
    private static final double OUTSIDE_MILLIS = 20;
    private static final double LINE_MILLIS = 2;

    private Crowds() {}

    static List<RealSystem> all() {
        return List.of(
                RealSystem.named("print-stream-five-hundred", CONTENTION)
                        .about("500 workers print a line each to one PrintStream, whose disk takes 2 ms per line")
                        .at("Crowds.")
                        .cure("a stream for each thread")
                        .forms(stage -> print(stage, false), stage -> print(stage, true)),
                RealSystem.named("java-logging-hundred", CONTENTION)
                        .about("100 workers log each task with java.util.logging to a disk that takes 2 ms per line")
                        .at("Crowds.")
                        .cure("the line is below the level of the logger")
                        .forms(stage -> log(stage, Level.WARNING), stage -> log(stage, Level.SEVERE)),
                RealSystem.named("hikari-leaks", DOWNSTREAM)
                        .about(
                                "50 workers take connections from four of HikariCP, and none is given back: a standstill")
                        .may("queue-growing")
                        .at("Crowds.")
                        .cure("connections are closed")
                        .forms(stage -> connections(stage, true), stage -> connections(stage, false)),
                RealSystem.named("bulkhead-of-eight", DOWNSTREAM)
                        .about("50 workers call through a bulkhead of Resilience4j that lets eight in at once")
                        .at("Crowds.")
                        .cure("a bulkhead of 50")
                        .forms(stage -> bulkhead(stage, 8), stage -> bulkhead(stage, 50)));
    }

    private static void print(Stage stage, boolean hasOneEach) {
        PrintStream shared = toDisk();
        ThreadLocal<PrintStream> own = ThreadLocal.withInitial(Crowds::toDisk);
        Clients.feed(stage, "printers", 500, 496, () -> {
            Waiting.millis(200);
            PrintStream out = hasOneEach ? own.get() : shared;
            out.write('.');
        });
    }

    private static PrintStream toDisk() {
        return new PrintStream(new SlowDisk(LINE_MILLIS), false, StandardCharsets.UTF_8);
    }

    private static void log(Stage stage, Level level) {
        Logger logger = stage.keep(Logger.getLogger("crowd"));
        logger.setUseParentHandlers(false);
        logger.setLevel(level);
        logger.addHandler(new Unbuffered(new SlowDisk(LINE_MILLIS)));
        Clients.feed(stage, "orders", 100, 96, () -> {
            Waiting.millis(50);
            logger.warning("ordered");
        });
    }

    private static void connections(Stage stage, boolean leaks) {
        HikariDataSource source = stage.keep(new HikariDataSource());
        source.setJdbcUrl("jdbc:h2:mem:leaks;DB_CLOSE_DELAY=-1");
        source.setMaximumPoolSize(4);
        source.setConnectionTimeout(Duration.ofMinutes(2).toMillis());
        InstrumentedThreadPoolExecutor pool = stage.keep(
                InstrumentedThreadPoolExecutor.named("orders").size(50).build());
        stage.loop("clients", () -> {
            Waiting.millis(2.5);
            pool.execute(() -> {
                take(stage, source, leaks);
                Waiting.millis(OUTSIDE_MILLIS);
                stage.countDone();
            });
        });
    }

    private static void take(Stage stage, HikariDataSource source, boolean leaks) {
        try {
            Connection connection = source.getConnection();
            if (leaks) {
                stage.keep(connection);
            } else {
                connection.close();
            }
        } catch (SQLException e) {
            throw new IllegalStateException("no connection", e);
        }
    }

    private static void bulkhead(Stage stage, int calls) {
        Bulkhead bulkhead = Bulkhead.of(
                "prices",
                BulkheadConfig.custom()
                        .maxConcurrentCalls(calls)
                        .maxWaitDuration(Duration.ofMinutes(2))
                        .build());
        Clients.feed(stage, "prices", 50, 45, () -> bulkhead.executeRunnable(() -> Waiting.millis(OUTSIDE_MILLIS)));
    }

    /** A handler that writes each line at once, under its own monitor as all stream handlers. */
    private static final class Unbuffered extends StreamHandler {
        Unbuffered(OutputStream out) {
            super(out, new SimpleFormatter());
        }

        @Override
        public synchronized void publish(LogRecord line) {
            super.publish(line);
            flush();
        }
    }
}
