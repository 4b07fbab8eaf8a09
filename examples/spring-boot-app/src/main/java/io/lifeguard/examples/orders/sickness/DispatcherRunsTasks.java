package io.lifeguard.examples.orders.sickness;

import io.lifeguard.examples.orders.warehouse.Warehouse;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** A pool of 16 workers has a queue of 4 and caller-runs, and its tasks differ very much in length. */
@Component
@Profile("clinic")
final class DispatcherRunsTasks extends Sickness {

    private static final double MEAN_MILLIS = 5;
    private static final double SIGMA = 1.2;

    private final ExecutorService pool;
    private final Warehouse warehouse;

    DispatcherRunsTasks(@Qualifier("thumbnails") ExecutorService pool, Warehouse warehouse) {
        super(
                "dispatcher-runs-tasks",
                "thumbnails",
                "the one thread that feeds 16 workers runs a task itself whenever the queue of 4 is full");
        this.pool = pool;
        this.warehouse = warehouse;
    }

    @Override
    void outbreak(Traffic traffic) {
        traffic.feed(pool, () -> warehouse.call(lognormalMillis()));
    }

    private static double lognormalMillis() {
        double normal = ThreadLocalRandom.current().nextGaussian();
        return MEAN_MILLIS * Math.exp(SIGMA * normal - SIGMA * SIGMA / 2);
    }
}
