package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.Fixture;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** One thread checks all executors that were shut down, and so must not check one of them often. */
class TerminationCheckTest {

    private static final int SHUTDOWNS = 100;

    @AutoClose
    private final Fixture fixture = new Fixture();

    /** Counts its checks. Has terminated when it was checked once. */
    private static final class Checked extends AbstractExecutorService implements InstrumentedPool {
        private final AtomicInteger checks = new AtomicInteger(); // by the thread that checks all
        private final SharedInstruments instruments;

        Checked(String name) {
            this.instruments = new SharedInstruments(this, name);
        }

        @Override
        public void shutdown() {
            instruments.shutDown();
        }

        @Override
        public boolean isTerminated() {
            if (Thread.currentThread().getName().equals("lifeguard-watch")) {
                checks.incrementAndGet();
            }
            return checks.get() > 0 && instruments.terminated();
        }

        @Override
        public String name() {
            return instruments.name;
        }

        @Override
        public PoolSnapshot snapshot() {
            return instruments.snapshot(new PoolSnapshot.Limits(0, 1, 0), () -> 0, () -> 0);
        }

        @Override
        public void execute(Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Runnable> shutdownNow() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isShutdown() {
            return true;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            throw new UnsupportedOperationException();
        }
    }

    /** The first checks of all come 10 ms after their shutdown, in that order. */
    @Test
    void shutdown_manyTimes_isCheckedOnce() {
        Checked often = new Checked("often");
        Checked later = new Checked("later");
        for (int i = 0; i < SHUTDOWNS; i++) {
            often.shutdown();
        }
        later.shutdown();
        fixture.eventually("both were checked", () -> later.checks.get() > 0 && often.checks.get() > 0);
        assertThat(often.checks).hasValue(1);
        assertThat(Pools.find("often")).isEmpty();
    }
}
