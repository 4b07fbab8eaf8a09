package io.lifeguard.examples.orders.sickness;

import io.lifeguard.examples.orders.warehouse.Warehouse;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.stereotype.Component;

/** A pool may grow from 2 to 16 workers, but never does, because its queue is unbounded. */
@Component
@Profile("clinic")
final class MaxSizeUnreachable extends Sickness {

    private static final int CLIENTS = 12;
    private static final double CALL_MILLIS = 10;

    private final ThreadPoolTaskExecutor pool;
    private final Warehouse warehouse;

    MaxSizeUnreachable(@Qualifier("exports") ThreadPoolTaskExecutor pool, Warehouse warehouse) {
        super("max-size-unreachable", "exports", "would grow from 2 to 16 workers if only its queue were ever full");
        this.pool = pool;
        this.warehouse = warehouse;
    }

    @Override
    void outbreak(Traffic traffic) {
        traffic.clients(1_000, () -> CLIENTS, pool, () -> warehouse.call(CALL_MILLIS));
    }
}
