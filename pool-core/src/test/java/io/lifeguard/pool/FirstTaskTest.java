package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.queue.WorkQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A worker's first task does not pass through the queue, and is still counted exactly once. */
class FirstTaskTest {

    @Test
    void firstTask_throws_isCompletedOnce() throws InterruptedException {
        InstrumentedThreadPoolExecutor pool = pool();

        pool.execute(() -> {
            throw new IllegalStateException("on purpose");
        });
        end(pool);

        PoolSnapshot snapshot = pool.snapshot();
        assertThat(snapshot.submitted()).isEqualTo(1);
        assertThat(snapshot.completed()).isEqualTo(1);
        assertThat(snapshot.failed()).isEqualTo(1);
    }

    /** After the shutdown, the worker returns to the queue although the end of its task is already recorded. */
    @Test
    void firstTask_endsAfterShutdown_staysSubmitted() throws InterruptedException {
        InstrumentedThreadPoolExecutor pool = pool();
        CountDownLatch shutDown = new CountDownLatch(1);

        pool.execute(() -> awaitQuietly(shutDown));
        pool.execute(() -> {});
        pool.shutdown();
        shutDown.countDown();
        end(pool);

        PoolSnapshot snapshot = pool.snapshot();
        assertThat(snapshot.submitted()).isEqualTo(2);
        assertThat(snapshot.completed()).isEqualTo(2);
    }

    private static InstrumentedThreadPoolExecutor pool() {
        return new InstrumentedThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, WorkQueue.unbounded(), body -> {
            Thread thread = new Thread(body);
            thread.setUncaughtExceptionHandler((where, expected) -> {});
            return thread;
        });
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void end(ThreadPoolExecutor pool) throws InterruptedException {
        pool.shutdown();
        assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }
}
