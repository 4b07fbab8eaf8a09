package io.lifeguard.pool.compat;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;

/** A scheduled pool keeps no reference to finished tasks, and an unused pool can be garbage-collected. */
class ScheduledRetentionTest {

    /** The futures that {@code use} returns, and their tasks, must be collected while the pool lives. */
    private static void isReleased(
            ScheduledFixture pools, ScheduledThreadPoolExecutor pool, Function<CountDownLatch, Future<?>> use) {
        List<WeakReference<Object>> used = references(use);
        pools.eventually(
                "idle pool", () -> pool.getActiveCount() == 0 && pool.getQueue().isEmpty());
        used.forEach(reference -> pools.collected("a task that is finished with", reference));
        assertThat(pool.isShutdown()).isFalse();
    }

    private static List<WeakReference<Object>> references(Function<CountDownLatch, Future<?>> use) {
        List<WeakReference<Object>> used = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            CountDownLatch latch = new CountDownLatch(1);
            used.add(new WeakReference<>(use.apply(latch)));
            used.add(new WeakReference<>(latch));
        }
        return used;
    }

    @EveryScheduledPool
    void schedule_taskFinished_isNotRetained(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(2);
        isReleased(pools, pool, latch -> pool.schedule(latch::countDown, 1, NANOSECONDS));
    }

    @EveryScheduledPool
    void cancel_removeOnCancel_taskIsNotRetained(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(2);
        pool.setRemoveOnCancelPolicy(true);
        isReleased(pools, pool, latch -> {
            Future<?> future = pool.schedule(latch::countDown, 1, HOURS);
            future.cancel(false);
            return future;
        });
    }

    @EveryScheduledPool
    void cancel_periodicTask_isNotRetained(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(2);
        isReleased(pools, pool, latch -> {
            Future<?> future = pool.scheduleAtFixedRate(latch::countDown, 0, 1000, NANOSECONDS);
            pools.await("run of the periodic task", latch);
            future.cancel(false);
            return future;
        });
    }

    @EveryScheduledPool
    void pool_droppedUnused_isCollected(ScheduledFixture pools) {
        pools.everyConstructor(1)
                .forEach(spec -> pools.collected("a pool never used", new WeakReference<>(pools.make(spec))));
    }

    @EveryScheduledPool
    void pool_coreZeroDroppedWithoutShutdown_isCollected(ScheduledFixture pools) {
        pools.collected("a pool whose workers have left", usedAndDropped(pools));
    }

    private static WeakReference<ScheduledThreadPoolExecutor> usedAndDropped(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(0);
        pools.occupy(pool).release();
        pools.eventually("empty pool", () -> pool.getPoolSize() == 0);
        return new WeakReference<>(pool);
    }

    @EveryScheduledPool
    void pool_ranTasksOfAnotherLoader_doesNotPinThatLoader(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(2);
        WeakReference<ClassLoader> loader = loaderOfFinishedTask(pools, pool);
        pools.eventually("idle pool", () -> pool.getActiveCount() == 0);
        pools.collected("a class loader whose task has run", loader);
        assertThat(pool.isShutdown()).isFalse();
    }

    private static WeakReference<ClassLoader> loaderOfFinishedTask(
            ScheduledFixture pools, ScheduledThreadPoolExecutor pool) {
        Runnable task = ApplicationLoader.newTask();
        Future<?> future = pool.schedule(task, 1, NANOSECONDS);
        pools.eventually("task of another loader", future::isDone);
        return new WeakReference<>(task.getClass().getClassLoader());
    }
}
