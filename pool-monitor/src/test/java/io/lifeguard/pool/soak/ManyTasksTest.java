package io.lifeguard.pool.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * As many tasks as one pool can do, without the soak's mischief and books: {@code -Dlifeguard.soak.many} says how many
 * (2·10⁷). A billion take a few minutes.
 */
@Tag("soak")
class ManyTasksTest {

    private static final int SUBMITTERS = 4;
    private static final long EACH = Long.getLong("lifeguard.soak.many", 20_000_000) / SUBMITTERS;

    private final LongAdder run = new LongAdder();

    @Test
    void execute_manyTasks_allRunOnceAndAreCountedOnce() throws InterruptedException {
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("many").size(4).build();
        Thread[] submitters = new Thread[SUBMITTERS];
        for (int i = 0; i < SUBMITTERS; i++) {
            submitters[i] = new Thread(() -> {
                for (long n = 0; n < EACH; n++) {
                    pool.execute(run::increment);
                }
            });
            submitters[i].start();
        }
        for (Thread submitter : submitters) {
            submitter.join();
        }
        pool.shutdown();
        assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();

        long tasks = SUBMITTERS * EACH;
        PoolSnapshot snapshot = pool.snapshot();
        assertThat(run.sum()).isEqualTo(tasks);
        assertThat(pool.getCompletedTaskCount()).isEqualTo(tasks);
        assertThat(snapshot.submitted()).isEqualTo(tasks);
        assertThat(snapshot.completed()).isEqualTo(tasks);
        assertThat(snapshot.queueWait().count()).isEqualTo(tasks);
        assertThat(snapshot.serviceTime().count()).isEqualTo(tasks);
    }
}
