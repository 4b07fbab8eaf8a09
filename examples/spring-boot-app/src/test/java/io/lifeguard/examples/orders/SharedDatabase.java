package io.lifeguard.examples.orders;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.h2.tools.Server;

/** A database in memory that several instances use over TCP, on loopback. Gone when closed. */
final class SharedDatabase implements AutoCloseable {

    private final Server server;

    /** Of its own, because a database in memory lives as long as the JVM, and a test may be repeated in it. */
    private final String name = "mem:orders-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    private SharedDatabase(Server server) {
        this.server = server;
    }

    static SharedDatabase start() throws SQLException {
        System.setProperty("h2.bindAddress", "127.0.0.1");
        return new SharedDatabase(
                Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start());
    }

    /** For the instances. */
    String url() {
        return "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/" + name;
    }

    long count(String condition) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:" + name, "sa", "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM orders WHERE " + condition)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Override
    public void close() {
        server.stop();
    }
}
