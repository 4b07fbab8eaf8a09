package io.lifeguard.examples.orders.warehouse;

import io.lifeguard.workbench.Waiting;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A query that holds its connection for a given time, as with a slow database. Stateless. */
public final class SlowQuery {

    private SlowQuery() {}

    /** Registers the database function that the query uses. */
    public static void prepare(JdbcClient database) {
        database.sql("CREATE ALIAS IF NOT EXISTS far FOR '" + SlowQuery.class.getName() + ".far'")
                .update();
    }

    /** Runs the query. */
    public static void run(JdbcClient database, double millis) {
        database.sql("SELECT COUNT(*) + far(?) FROM orders WHERE id < 10")
                .param(millis)
                .query(Long.class)
                .single();
    }

    /** The database function that waits. */
    public static int far(double millis) {
        Waiting.nanos((long) (millis * 1e6));
        return 0;
    }
}
