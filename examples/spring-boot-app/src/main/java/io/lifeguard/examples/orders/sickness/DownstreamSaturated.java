package io.lifeguard.examples.orders.sickness;

import io.lifeguard.examples.orders.warehouse.SlowQuery;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** More and more reports are requested, by more workers than the database has connections. */
@Component
@Profile("clinic")
final class DownstreamSaturated extends Sickness {

    private static final int WORKERS = 16;
    private static final double QUERY_MILLIS = 6;

    private final ExecutorService pool;
    private final JdbcClient database;

    DownstreamSaturated(@Qualifier("reports") ExecutorService pool, JdbcClient database) {
        super("downstream-saturated", "reports", "16 workers share the database's 4 connections");
        this.pool = pool;
        this.database = database;
    }

    @Override
    void outbreak(Traffic traffic) {
        SlowQuery.prepare(database);
        AtomicInteger clients = new AtomicInteger(1);
        traffic.clients(
                200,
                () -> clients.updateAndGet(now -> Math.min(2 * WORKERS, now + 3)),
                pool,
                () -> SlowQuery.run(database, QUERY_MILLIS));
    }
}
