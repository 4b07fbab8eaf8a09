package io.lifeguard.examples.orders.sickness;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** Many threads take a fair lock very often, so the kernel spends the CPU time on switching threads. */
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
        Ledger ledger = new Ledger();
        traffic.feed(pool, () -> {
            for (int i = 0; i < TIMES; i++) {
                ledger.enter(i);
            }
        });
    }

    /** The lock that all tasks share. */
    private static final class Ledger {
        private final ReentrantLock fair = new ReentrantLock(true);
        private long balance; // guarded by the lock

        long enter(long amount) {
            fair.lock();
            try {
                balance += amount;
                return balance;
            } finally {
                fair.unlock();
            }
        }
    }
}
