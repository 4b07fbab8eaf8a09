package io.lifeguard.examples.orders.sickness;

import io.lifeguard.examples.orders.warehouse.Warehouse;
import java.util.concurrent.ThreadPoolExecutor;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** More mails are submitted than two workers can send. The cure discards the queued mails. */
@Component
@Profile("clinic")
final class QueueGrowing extends Sickness {

    private static final double MAIL_MILLIS = 10;

    private final ThreadPoolExecutor pool;
    private final Warehouse warehouse;

    QueueGrowing(@Qualifier("mails") ThreadPoolExecutor pool, Warehouse warehouse) {
        super("queue-growing", "mails", "300 mails a second come, 200 go, and the queue has no bound to speak of");
        this.pool = pool;
        this.warehouse = warehouse;
    }

    @Override
    void outbreak(Traffic traffic) {
        traffic.arrivals(300, pool, () -> warehouse.call(MAIL_MILLIS));
    }

    @Override
    void cure() {
        pool.getQueue().clear();
    }
}
