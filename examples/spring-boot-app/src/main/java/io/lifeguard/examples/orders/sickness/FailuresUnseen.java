package io.lifeguard.examples.orders.sickness;

import io.lifeguard.workbench.Hashing;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** Newsletters are submitted and their futures dropped, so nobody notices the failures. */
@Component
@Profile("clinic")
final class FailuresUnseen extends Sickness {

    private static final double FAILING = 0.1;

    private final ExecutorService pool;

    FailuresUnseen(@Qualifier("newsletters") ExecutorService pool) {
        super("failures-unseen", "newsletters", "one task in ten fails, and its future is dropped");
        this.pool = pool;
    }

    @Override
    void outbreak(Traffic traffic) {
        traffic.arrivals(200, () -> {
            Future<?> dropped = pool.submit(FailuresUnseen::send);
            if (dropped.isCancelled()) {
                throw new IllegalStateException("nobody cancels it");
            }
        });
        // A dropped future is found when it is garbage-collected. A service under load collects often.
        traffic.arrivals(2, System::gc);
    }

    /** Collects the futures of the last tasks, because an idle application hardly ever collects garbage. */
    @Override
    void cure() {
        System.gc();
    }

    private static void send() {
        Hashing.micros(100);
        if (ThreadLocalRandom.current().nextDouble() < FAILING) {
            throw new IllegalStateException("no such address");
        }
    }
}
