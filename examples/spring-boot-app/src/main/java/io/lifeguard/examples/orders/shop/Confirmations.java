package io.lifeguard.examples.orders.shop;

import io.lifeguard.examples.orders.warehouse.Warehouse;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Component;

/** Confirms orders in the background, on Spring Boot's own pool. Thread-safe. */
@Component
class Confirmations {

    private static final double MAIL_MILLIS = 5;

    private final Orders orders;
    private final Warehouse warehouse;

    Confirmations(Orders orders, Warehouse warehouse) {
        this.orders = orders;
        this.warehouse = warehouse;
    }

    @Async
    public void send(Order order) {
        warehouse.call(MAIL_MILLIS);
        orders.confirm(order.id());
    }
}
