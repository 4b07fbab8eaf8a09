package io.lifeguard.examples.orders;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.tools.Server;

/** A database in memory that several instances use over TCP, on loopback. Gone when closed. */
final class SharedDatabase implements AutoCloseable {

    private static final String NAME = "mem:orders;DB_CLOSE_DELAY=-1";

    private final Server server;

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
        return "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/" + NAME;
    }

    long count(String condition) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:" + NAME, "sa", "");
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
