package io.lifeguard.pool.diagnosis.seen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SaidLockTest {

    /** As the finding says it: the JDK names neither the class nor the lock itself. */
    @Test
    void summary_monitorOfAClass_namesTheClass() {
        CountDownLatch end = new CountDownLatch(1);
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("prices").size(3).build();
        try {
            for (int i = 0; i < 3; i++) {
                pool.execute(() -> hold(end));
            }
            AtomicReference<SaidFinding> said = new AtomicReference<>();
            await().until(() -> {
                said.set(SaidLock.of(pool, "prices"));
                return said.get() != null;
            });

            assertThat(said.get().summary())
                    .startsWith("2 of 3 busy workers wait for the monitor of class " + SaidLockTest.class.getName()
                            + " at " + SaidLockTest.class.getName() + ".hold(")
                    .contains("; it is held by prices-");
            assertThat(said.get().isOf(pool)).isTrue();
            assertThat(said.get().isOf(null)).isFalse();
        } finally {
            end.countDown();
            pool.shutdown();
        }
    }

    private static synchronized void hold(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
