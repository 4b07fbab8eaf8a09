package io.lifeguard.pool.diagnosis.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

/** A real worker of XNIO, as Undertow makes it. */
class XnioWorkerReaderTest {

    @Test
    void read_busyAndIdleThreads_tellsThemApart() throws Exception {
        XnioWorker worker = Xnio.getInstance()
                .createWorker(OptionMap.builder()
                        .set(Options.WORKER_IO_THREADS, 1)
                        .set(Options.WORKER_TASK_CORE_THREADS, 3)
                        .set(Options.WORKER_TASK_MAX_THREADS, 3)
                        .getMap());
        CountDownLatch end = new CountDownLatch(1);
        try {
            PoolReader<Executor> reader = PoolReaders.of(worker);
            for (int i = 0; i < 5; i++) {
                worker.execute(() -> awaitEnd(end));
            }
            await().untilAsserted(() -> assertThat(reader.read(worker))
                    .isEqualTo(new PoolGauges(3, 3, 2, PoolGauges.UNKNOWN, 3, 3, Integer.MAX_VALUE)));
            assertThat(reader.workers(worker)).hasSize(3);

            end.countDown();

            await().untilAsserted(() -> {
                PoolGauges idle = reader.read(worker);
                assertThat(idle.active()).isZero();
                assertThat(idle.queued()).isZero();
            });
        } finally {
            end.countDown();
            worker.shutdownNow();
            worker.awaitTermination();
        }
    }

    private static void awaitEnd(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
