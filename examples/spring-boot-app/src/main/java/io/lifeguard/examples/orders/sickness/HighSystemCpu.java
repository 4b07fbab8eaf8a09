package io.lifeguard.examples.orders.sickness;

import io.lifeguard.workbench.Hashing;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** A convoy: a fair lock, taken many times for a moment by many threads, which the kernel switches instead of letting them work. */
@Component
@Profile("clinic")
final class HighSystemCpu extends Sickness {

    private static final int TIMES = 50;

    private final ExecutorService pool;

    HighSystemCpu(@Qualifier("ledger") ExecutorService pool) {
        super("high-system-cpu", "ledger", "16 workers take turns at a fair lock");
        this.pool = pool;
    }

    @Override
    void outbreak(Traffic traffic) {
        ReentrantLock fair = new ReentrantLock(true);
        traffic.feed(pool, () -> {
            for (int i = 0; i < TIMES; i++) {
                fair.lock();
                try {
                    Hashing.micros(0.1);
                } finally {
                    fair.unlock();
                }
            }
        });
    }
}
