package io.lifeguard.pool.diagnosis.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.threads.EnhancedQueueExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A real executor of JBoss Threads, without its statistics, as Quarkus makes it. */
class EnhancedQueueReaderTest {

    private final EnhancedQueueExecutor executor = new EnhancedQueueExecutor.Builder()
            .setCorePoolSize(3)
            .setMaximumPoolSize(4)
            .setMaximumQueueSize(10)
            .build();

    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void stop() throws InterruptedException {
        end.countDown();
        executor.shutdownNow();
        executor.awaitTermination(30, TimeUnit.SECONDS);
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void read_idleThenBusy_tellsThemApart() {
        PoolReader<Executor> reader = PoolReaders.of(executor);
        assertThat(executor.prestartAllCoreThreads()).isEqualTo(3);
        await().untilAsserted(() ->
                assertThat(reader.read(executor)).isEqualTo(new PoolGauges(3, 0, 0, PoolGauges.UNKNOWN, 3, 4, 10)));

        executor.execute(this::awaitEnd);
        executor.execute(this::awaitEnd);

        await().untilAsserted(() ->
                assertThat(reader.read(executor)).isEqualTo(new PoolGauges(3, 2, 0, PoolGauges.UNKNOWN, 3, 4, 10)));
        for (int i = 0; i < 7; i++) {
            executor.execute(this::awaitEnd);
        }
        await().untilAsserted(() -> {
            PoolGauges full = reader.read(executor);
            assertThat(full.active()).isEqualTo(full.size());
            assertThat(full.queued() + full.size()).isEqualTo(9);
            assertThat(full.queued() + full.queueRemaining()).isEqualTo(10);
        });
        assertThat(reader.workers(executor)).hasSize(executor.getPoolSize());
    }

    @Test
    void watch_workersQueueForAPermit_isFound() throws InterruptedException {
        Semaphore permit = new Semaphore(1);
        permit.acquire();
        try (PoolMonitor monitor = PoolMonitor.builder().build()) {
            monitor.watch(executor, "quarkus", PoolReaders.of(executor));
            for (int i = 0; i < 8; i++) {
                executor.execute(() -> {
                    while (!Thread.currentThread().isInterrupted() && end.getCount() > 0) {
                        permit.acquireUninterruptibly();
                        permit.release();
                    }
                });
            }
            await().atMost(60, TimeUnit.SECONDS)
                    .untilAsserted(() -> assertThat(monitor.findings("quarkus"))
                            .extracting(finding -> finding.id())
                            .contains("stands-still")); // the permit is never given back
        } finally {
            end.countDown();
            permit.release();
        }
    }

    @Test
    void of_otherExecutor_isRefusedByName() {
        Executor other = Runnable::run;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PoolReaders.of(other))
                .withMessageContaining(
                        "must be an org.jboss.threads.EnhancedQueueExecutor, an org.xnio.XnioWorker or a Default");
    }
}
