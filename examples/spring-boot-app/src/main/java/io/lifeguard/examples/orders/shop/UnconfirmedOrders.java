package io.lifeguard.examples.orders.shop;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Checks regularly whether confirmations are overdue. Thread-safe. */
@Component
class UnconfirmedOrders {

    private static final Logger LOG = LoggerFactory.getLogger(UnconfirmedOrders.class);

    private final Orders orders;

    UnconfirmedOrders(Orders orders) {
        this.orders = orders;
    }

    @Scheduled(fixedDelayString = "${orders.unconfirmed.every:5s}")
    void count() {
        LOG.debug("{} orders are not confirmed yet", orders.unconfirmed());
    }
}
