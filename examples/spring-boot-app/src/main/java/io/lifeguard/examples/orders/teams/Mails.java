package io.lifeguard.examples.orders.teams;

import io.lifeguard.examples.orders.warehouse.Warehouse;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Profile;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Component;

/** Asynchronous methods: one on an executor of a team, two on Spring Boot's. */
@Component
@Profile("teams")
class Mails {

    private static final double SEND_MILLIS = 40;
    private static final double LOCKED_MILLIS = 2;

    private final Warehouse warehouse;

    Mails(Warehouse warehouse) {
        this.warehouse = warehouse;
    }

    /** Waits for a distant server. */
    @Async("mailing")
    public void send() {
        warehouse.call(SEND_MILLIS);
    }

    /** Asks a distant server under a lock. */
    @Async
    public CompletableFuture<@Nullable Void> index() {
        addToIndex();
        return CompletableFuture.completedFuture(null);
    }

    private synchronized void addToIndex() {
        warehouse.call(LOCKED_MILLIS);
    }

    /** Healthy, beside the other one. */
    @Async
    public void archive() {}
}
