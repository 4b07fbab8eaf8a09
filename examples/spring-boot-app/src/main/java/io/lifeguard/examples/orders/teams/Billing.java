package io.lifeguard.examples.orders.teams;

import io.lifeguard.workbench.Waiting;
import org.springframework.context.annotation.Profile;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Scheduled methods on Spring Boot's scheduler of one thread. */
@Component
@Profile("teams")
class Billing {

    private static final long LONG_NANOS = 3_000_000_000L;

    private volatile boolean slow; // written by requests; a stale read delays the problem by one run

    void slow(boolean now) {
        slow = now;
    }

    @Scheduled(fixedRate = 100)
    void remind() {}

    @Scheduled(fixedDelay = 1_000)
    void closeMonth() {
        if (slow) {
            Waiting.nanos(LONG_NANOS);
        }
    }
}
