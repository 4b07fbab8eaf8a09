package io.lifeguard.examples.orders.sickness;

import io.lifeguard.examples.orders.warehouse.Warehouse;
import java.util.concurrent.ExecutorService;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** Four workers make a hidden call that takes 20 ms, and the tasks never run out. */
@Component
@Profile("clinic")
final class BlockedOnIo extends Sickness {

    private static final double CALL_MILLIS = 20;

    private final ExecutorService pool;
    private final Warehouse warehouse;

    BlockedOnIo(@Qualifier("prices") ExecutorService pool, Warehouse warehouse) {
        super("blocked-on-io", "prices", "4 workers wait for a service that takes 20 ms, and the CPUs idle");
        this.pool = pool;
        this.warehouse = warehouse;
    }

    @Override
    void outbreak(Traffic traffic) {
        traffic.feed(pool, () -> warehouse.call(CALL_MILLIS));
    }
}
