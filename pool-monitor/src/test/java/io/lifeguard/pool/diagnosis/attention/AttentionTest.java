package io.lifeguard.pool.diagnosis.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AttentionTest {

    private final InstrumentedThreadPoolExecutor pool =
            InstrumentedThreadPoolExecutor.named("sleeps").size(2).build();
    private final InstrumentedScheduledThreadPoolExecutor scheduler = new InstrumentedScheduledThreadPoolExecutor(1);
    private final Attention sleep = new Attention();

    @AfterEach
    void end() {
        pool.shutdownNow();
        scheduler.shutdownNow();
    }

    @Test
    void lasts_poolWithoutTasks_lasts() {
        pool.prestartAllCoreThreads();
        begin();

        assertThat(sleep.lasts(pool)).isTrue();
        assertThat(sleep.sleeps()).isTrue();
    }

    @Test
    void lasts_afterATaskThatHasEnded_ends() throws Exception {
        begin();
        pool.submit(() -> {}).get();

        assertThat(sleep.lasts(pool)).isFalse();
        assertThat(sleep.lasts(pool)).isFalse();
    }

    @Test
    void lasts_afterAWorkerCame_ends() {
        begin();
        pool.prestartCoreThread();

        assertThat(sleep.lasts(pool)).isFalse();
    }

    @Test
    void begin_taskBetweenReadAndSnapshot_doesNotSleepThroughIt() throws Exception {
        PoolSnapshot before = pool.snapshot();
        sleep.read(pool);
        pool.submit(() -> {}).get();
        sleep.begin(pool, before, pool.snapshot());

        assertThat(sleep.lasts(pool)).isFalse();
    }

    @Test
    void begin_afterAWindowWithATask_doesNotSleep() throws Exception {
        PoolSnapshot before = pool.snapshot();
        pool.submit(() -> {}).get();
        sleep.read(pool);
        sleep.begin(pool, before, pool.snapshot());

        assertThat(sleep.sleeps()).isFalse();
    }

    @Test
    void begin_taskThatIsDueLater_sleepsAndEndsWhenItIsDue() throws Exception {
        scheduler.schedule(() -> {}, 1, TimeUnit.HOURS);
        begin(scheduler);
        assertThat(sleep.lasts(scheduler)).isTrue();

        scheduler.schedule(() -> {}, 0, TimeUnit.SECONDS).get();
        assertThat(sleep.lasts(scheduler)).isFalse();
    }

    @Test
    void begin_otherExecutors_doNotSleep() {
        PoolSnapshot empty = PoolSnapshot.builder("other").build();
        for (Object executor : new Object[] {new ForkJoinPool(1), Executors.newWorkStealingPool(1)}) {
            sleep.read(executor);
            sleep.begin(executor, empty, empty);

            assertThat(sleep.sleeps()).isFalse();
        }
    }

    /** As an executor of virtual threads has: thousands of tasks may wait for hours. */
    @Test
    void lasts_threadPerTaskThatWaits_endsWithTheNextTask() {
        assumeTrue(Runtime.version().feature() >= 21, "executors with a thread per task need Java 21");
        CountDownLatch goOn = new CountDownLatch(1);
        ExecutorService executor = InstrumentedExecutors.newVirtualThreadPerTaskExecutor("sleeps-per-task");
        try {
            executor.execute(() -> awaitQuietly(goOn));
            InstrumentedPool pool = (InstrumentedPool) executor;
            PoolSnapshot now = pool.snapshot();
            sleep.begin(executor, now, now);
            assertThat(sleep.lasts(executor)).isTrue();
            assertThat(sleep.end(now).times().idle()).isEqualTo(now.times().idle());

            executor.execute(() -> {});
            assertThat(sleep.lasts(executor)).isFalse();

            goOn.countDown();
            await().until(() -> pool.threadCount() == 0);
            PoolSnapshot ended = pool.snapshot();
            sleep.begin(executor, ended, ended);
            assertThat(sleep.lasts(executor)).isTrue();
        } finally {
            goOn.countDown();
            executor.shutdown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void end_poolWithIdleWorkers_addsTheirIdleTime() {
        pool.prestartAllCoreThreads();
        PoolSnapshot before = begin();
        sleep.lasts(pool);

        PoolSnapshot end = sleep.end(before);

        assertThat(sleep.nanos()).isPositive();
        assertThat(end.nanoTime()).isEqualTo(before.nanoTime() + sleep.nanos());
        assertThat(end.times().idle()).isEqualTo(before.times().idle().plusNanos(2 * sleep.nanos()));
        assertThat(end.submitted()).isEqualTo(before.submitted());
    }

    private PoolSnapshot begin() {
        return begin(pool);
    }

    private PoolSnapshot begin(ThreadPoolExecutor executor) {
        await().until(() -> executor.getActiveCount() == 0); // a worker that does not run yet counts
        sleep.read(executor);
        PoolSnapshot now = ((InstrumentedPool) executor).snapshot();
        sleep.begin(executor, now, now);
        return now;
    }
}
