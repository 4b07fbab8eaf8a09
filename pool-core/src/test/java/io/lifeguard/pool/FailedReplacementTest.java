package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A worker ends because the pool shrinks, but the pool has grown again, and the thread factory fails to replace the
 * worker.
 */
@Timeout(40)
class FailedReplacementTest {

    private final CountDownLatch inInterrupt = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);
    private final AtomicBoolean fails = new AtomicBoolean();
    private final CountDownLatch died = new CountDownLatch(1);
    private final InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("replaced")
            .size(2)
            .queueCapacity(8)
            .threadFactory(this::newThread)
            .build();

    @AfterEach
    void end() {
        letGo.countDown();
        pool.shutdownNow();
    }

    private Thread newThread(Runnable body) {
        if (fails.get()) {
            throw new IllegalStateException("no thread today");
        }
        Thread thread = new SlowlyInterrupted(body);
        thread.setUncaughtExceptionHandler((dead, why) -> died.countDown());
        return thread;
    }

    @Test
    void execute_replacementOfTheWorkerFails_lastTaskDoesNotCountAsFailed() throws InterruptedException {
        AtomicReference<Thread> worker = new AtomicReference<>();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        pool.prestartAllCoreThreads();
        pool.execute(() -> {
            worker.set(Thread.currentThread());
            running.countDown();
            awaitQuietly(finish);
        });
        running.await();
        await().until(() -> pool.workers().stream().filter(WorkerState::idle).count() == 1);

        // The thread that interrupts the idle worker holds the JDK's main lock meanwhile. So a worker that ends must
        // wait before it creates its replacement.
        Thread shrinks = start(() -> pool.setCorePoolSize(1));
        inInterrupt.await();
        Thread shrinksToo = start(() -> pool.setMaximumPoolSize(1));
        await().until(() -> pool.getMaximumPoolSize() == 1);
        finish.countDown();
        await().until(() -> isLeaving(worker.get()));
        pool.setMaximumPoolSize(2);
        pool.setCorePoolSize(2);
        fails.set(true);
        letGo.countDown();
        died.await();
        shrinks.join();
        shrinksToo.join();

        assertThat(pool.snapshot().completed()).isEqualTo(1);
        assertThat(pool.snapshot().failed()).isZero();
    }

    private static boolean isLeaving(Thread worker) {
        return worker.getState() == Thread.State.WAITING
                && Arrays.stream(worker.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("processWorkerExit"));
    }

    private static Thread start(Runnable body) {
        Thread thread = new Thread(body, "resizer");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class SlowlyInterrupted extends Thread {
        SlowlyInterrupted(Runnable body) {
            super(body);
            setDaemon(true);
        }

        @Override
        public void interrupt() {
            inInterrupt.countDown();
            awaitQuietly(letGo);
            super.interrupt();
        }
    }
}
