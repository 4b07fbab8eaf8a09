package io.lifeguard.pool.corpus.real.virtual;

import io.lifeguard.workbench.Waiting;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/** Programs whose virtual threads keep all carriers. Stateless. */
final class TakenCarriers {

    private static final String STARVED = "carriers-starved";

    private TakenCarriers() {}

    static List<VirtualProgram> all() {
        return List.of(
                VirtualProgram.sick(
                                "tomcat-class-initialiser",
                                "the first requests of Tomcat initialise a class, which asks a slow service meanwhile",
                                Label.of(STARVED, "initialisation of class .*Rates", "Rates.<clinit>"),
                                stage -> Servers.tomcat(stage, 40, 0, Rates::latest))
                        .quick(),
                VirtualProgram.sick(
                        "jetty-password-hashes",
                        "each request of Jetty 12.1 hashes a password, for a third of a second of CPU",
                        Label.of(STARVED, "computes", "Logins.check"),
                        stage -> Servers.jetty(stage, 40, 0, Logins::check)),
                VirtualProgram.sick(
                        "sqlite-busy",
                        "tasks write to SQLite while a report holds its lock, and wait in SQLite's native code",
                        Label.of(STARVED, "native method|leave its carrier", "Ledger.write"),
                        TakenCarriers::sqlite),
                VirtualProgram.sick(
                        "postgresql-one-connection",
                        "100 tasks share one connection of PostgreSQL's driver 42.2, which works under a monitor",
                        Label.of(STARVED, "monitor", "Notes.read"),
                        Label.of("virtual-threads-in-line", "monitor|QueryExecutorImpl", "Notes.read")
                                .heldBy("held by thread"),
                        TakenCarriers::postgresql),
                VirtualProgram.sickBefore24(
                        "lock-inside-synchronized",
                        "spans are ended under a monitor and reported under a lock, whose owner gets no carrier",
                        Label.of(STARVED, "ReentrantLock|monitor", "Reporter.report"),
                        TakenCarriers::spans));
    }

    private static void sqlite(VirtualStage stage) throws Exception {
        String url = "jdbc:sqlite:" + Path.of(System.getProperty("java.io.tmpdir"), "ledger.db");
        Connection report = stage.keep(DriverManager.getConnection(url));
        try (Statement statement = report.createStatement()) {
            statement.execute("CREATE TABLE ledger (amount INT)");
            statement.execute("BEGIN EXCLUSIVE");
        }
        stage.feed(stage.executor("ledger"), 40, () -> Ledger.write(url));
    }

    private static void postgresql(VirtualStage stage) throws SQLException {
        Notes notes = new Notes(stage.keep(DriverManager.getConnection(
                "jdbc:postgresql://localhost:" + VirtualStage.databasePort() + "/notes?sslmode=disable"
                        + "&gssEncMode=disable&preferQueryMode=simple",
                "user",
                "secret")));
        stage.feed(stage.executor("notes"), 100, notes::read);
    }

    /** The sender gives its carrier back while it holds the lock. Threads that wait for the lock keep all carriers. */
    private static void spans(VirtualStage stage) {
        Reporter reporter = stage.keep(new Reporter());
        stage.executor("sender").execute(reporter::sendForever);
        stage.feed(stage.executor("requests"), 100, () -> {
            Waiting.millis(10);
            new Span(reporter).finish();
        });
    }

    /** A user's class, whose initialiser asks a service for a minute. */
    static final class Rates {
        private static final byte[] LATEST = VirtualStage.call(60_000);

        private Rates() {}

        static byte[] latest() {
            return LATEST.clone();
        }
    }

    /** A user's service. */
    static final class Logins {
        private static final byte[] SALT = "salt and pepper!".getBytes(StandardCharsets.US_ASCII);
        private static final int ROUNDS = 150_000;

        private Logins() {}

        static byte[] check() throws GeneralSecurityException {
            PBEKeySpec password = new PBEKeySpec("correct horse".toCharArray(), SALT, ROUNDS, 256);
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(password)
                    .getEncoded();
        }
    }

    /** A user's repository. */
    static final class Ledger {

        private Ledger() {}

        static void write(String url) throws SQLException {
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("PRAGMA busy_timeout = 60000");
                statement.executeUpdate("INSERT INTO ledger VALUES (7)");
            }
        }
    }

    /** A user's repository. */
    private static final class Notes {
        private final Connection connection;

        Notes(Connection connection) {
            this.connection = connection;
        }

        void read() throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1");
            }
        }
    }

    /** A tracer's reporter. */
    private static final class Reporter {
        private final ReentrantLock lock = new ReentrantLock();
        private int reported;
        private @Nullable Span latest; // the compiler removes the monitor of a span that no other thread sees

        int report(Span span) {
            lock.lock();
            try {
                latest = span;
                return ++reported;
            } finally {
                lock.unlock();
            }
        }

        void sendForever() {
            while (true) {
                Waiting.millis(50);
                lock.lock();
                try {
                    Waiting.millis(5);
                    reported = latest == null ? reported : 0;
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    /** A tracer's span. */
    private static final class Span {
        private final Reporter reporter;

        Span(Reporter reporter) {
            this.reporter = reporter;
        }

        synchronized int finish() {
            return reporter.report(this);
        }
    }
}
