package io.lifeguard.examples.orders.sickness;

import io.lifeguard.examples.orders.warehouse.Warehouse;
import java.util.concurrent.ThreadPoolExecutor;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** A pool has 64 workers for calls that keep three workers busy. */
@Component
@Profile("clinic")
final class Oversized extends Sickness {

    private static final double CALL_MILLIS = 10;

    private final ThreadPoolExecutor pool;
    private final Warehouse warehouse;

    Oversized(@Qualifier("search") ThreadPoolExecutor pool, Warehouse warehouse) {
        super("oversized", "search", "64 workers, of which three are busy");
        this.pool = pool;
        this.warehouse = warehouse;
    }

    @Override
    void outbreak(Traffic traffic) {
        pool.prestartAllCoreThreads();
        traffic.arrivals(150, pool, () -> warehouse.call(CALL_MILLIS));
    }
}
