package io.lifeguard.examples.orders.sickness;

import io.lifeguard.examples.orders.warehouse.Warehouse;
import io.lifeguard.workbench.Hashing;
import java.util.concurrent.ExecutorService;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** All workers call a synchronized getter, which asks another service while it holds the lock. */
@Component
@Profile("clinic")
final class LockContention extends Sickness {

    private static final double CALL_MILLIS = 2;

    private final ExecutorService pool;
    private final Warehouse warehouse;

    LockContention(@Qualifier("catalogue") ExecutorService pool, Warehouse warehouse) {
        super("lock-contention", "catalogue", "40 workers wait for one synchronized getter, which asks a service");
        this.pool = pool;
        this.warehouse = warehouse;
    }

    @Override
    void outbreak(Traffic traffic) {
        LazyCatalogue catalogue = new LazyCatalogue(warehouse);
        traffic.feed(pool, () -> {
            catalogue.load();
            Hashing.micros(100);
        });
    }

    /** The settings that all tasks share. */
    private static final class LazyCatalogue {
        private final Warehouse warehouse;

        LazyCatalogue(Warehouse warehouse) {
            this.warehouse = warehouse;
        }

        synchronized void load() {
            warehouse.call(CALL_MILLIS);
        }
    }
}
