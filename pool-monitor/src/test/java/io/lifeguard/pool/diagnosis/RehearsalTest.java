package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RehearsalTest {

    private final int workers = 4 * Runtime.getRuntime().availableProcessors();
    private final InstrumentedThreadPoolExecutor pool =
            InstrumentedThreadPoolExecutor.named("rehearsed").size(workers).build();
    private final CountDownLatch started = new CountDownLatch(workers);
    private final CountDownLatch end = new CountDownLatch(1);

    @BeforeEach
    void occupyAllWorkers() throws InterruptedException {
        for (int i = 0; i < workers; i++) {
            pool.execute(() -> {
                started.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        started.await();
    }

    @AfterEach
    void endPool() {
        end.countDown();
        pool.shutdown();
    }

    /** What a part throws is swallowed when it runs in its thread, so each part is called here. */
    @Test
    void eachPart_busyPool_completesAndLeavesThePoolAsItWas() {
        PoolSnapshot before = pool.snapshot();

        Rehearsal.readSystem();
        Rehearsal.judge(pool);
        Rehearsal.look(pool);

        assertThat(pool.snapshot().counts()).isEqualTo(before.counts());
    }

    /** Otherwise the code of the rule of busy CPUs would not be reached. */
    @Test
    void fullCpus_busyPool_showsTheCpuAsBottleneck() {
        PoolSnapshot before = pool.snapshot();
        PoolSnapshot after = pool.snapshot();

        assertThat(Bottlenecks.of(Rehearsal.fullCpus(before, after))).isEqualTo(Bottleneck.CPU);
    }
}
