package io.lifeguard.pool.corpus.work;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lifeguard.workbench.Waiting;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;

/**
 * An H2 database in memory behind a HikariCP connection pool. Thread-safe. A query can take some time, as if the
 * database were far away. A function of the database waits for a socket in that time, so the query holds its
 * connection.
 */
public final class Database implements AutoCloseable {

    private static final int ROWS = 2_000;
    private static final Service DISK = Service.unlimited();

    private final HikariDataSource connections;

    private Database(HikariDataSource connections) {
        this.connections = connections;
    }

    /** Opens a database with at most so many connections. */
    public static Database open(int connections) {
        return open(connections, false);
    }

    /** The same with beans that tell how many connections are in use, as in a service with metrics. */
    public static Database openWithBeans(int connections) {
        return open(connections, true);
    }

    private static Database open(int connections, boolean hasBeans) {
        HikariConfig config = new HikariConfig();
        config.setRegisterMbeans(hasBeans);
        config.setJdbcUrl("jdbc:h2:mem:corpus-" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(60_000);
        Database database = new Database(new HikariDataSource(config));
        database.fill();
        return database;
    }

    private void fill() {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ALIAS far FOR '" + Database.class.getName() + ".far'");
            statement.execute("CREATE ALIAS pause FOR '" + Database.class.getName() + ".pause'");
            statement.execute("CREATE TABLE orders (id INT PRIMARY KEY, customer INT, amount INT)");
            statement.execute("INSERT INTO orders SELECT x, MOD(x * 7919, 97), MOD(x * 31, 1000) FROM SYSTEM_RANGE(1, "
                    + ROWS + ")");
        } catch (SQLException e) {
            throw new IllegalStateException("cannot fill the database", e);
        }
    }

    /** A function of the database that waits as a distant disk would make it wait. */
    public static int far(double millis) {
        DISK.call(millis);
        return 1;
    }

    /** A function of the database that lets time pass without using a CPU. */
    public static int pause(double millis) {
        Waiting.millis(millis);
        return 1;
    }

    /** Finds one order by its key. The database is so far away that it uses no CPU of this machine. */
    public int findFar(double millis) {
        return query(
                "SELECT amount + pause(?) FROM orders WHERE id = ?",
                millis,
                ThreadLocalRandom.current().nextInt(1, ROWS + 1));
    }

    /** Finds one order by its key, in a database at this distance. */
    public int find(double millis) {
        return query(
                "SELECT amount + far(?) FROM orders WHERE id = ?",
                millis,
                ThreadLocalRandom.current().nextInt(1, ROWS + 1));
    }

    /** Sums up one customer's orders: reads the whole table, about a millisecond of CPU. */
    public int sum() {
        return query(
                "SELECT SUM(amount) + ? FROM orders WHERE customer = ?",
                0,
                ThreadLocalRandom.current().nextInt(97));
    }

    private int query(String sql, double first, int second) {
        try (Connection connection = connections.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setDouble(1, first);
            statement.setInt(2, second);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getInt(1) : 0;
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the query failed", e);
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
