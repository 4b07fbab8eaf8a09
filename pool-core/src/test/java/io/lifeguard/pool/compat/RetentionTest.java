package io.lifeguard.pool.compat;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.HeldTask;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.BiFunction;

/** A pool keeps no reference to finished tasks, and an unused pool can be garbage-collected. */
class RetentionTest {

    /** A task that can be collected. A lambda that captures nothing cannot, because its class keeps it. */
    private static final class Disposable implements Runnable {

        private final Runnable work;

        Disposable(Runnable work) {
            this.work = work;
        }

        @Override
        public void run() {
            work.run();
        }
    }

    /** The tasks and futures of {@code use} must be collected while the pool lives. */
    private static void isReleased(
            PoolFixture pools, PoolSpec spec, BiFunction<ThreadPoolExecutor, Runnable, Object> use) {
        ThreadPoolExecutor pool = pools.make(spec);
        HeldTask held = pools.occupy(pool);
        List<WeakReference<Object>> used = references(pool, use);
        held.release();
        pools.eventually(
                "idle pool", () -> pool.getActiveCount() == 0 && pool.getQueue().isEmpty());
        used.forEach(reference -> pools.collected("a task that is finished with", reference));
        assertThat(pool.isShutdown()).isFalse();
    }

    private static List<WeakReference<Object>> references(
            ThreadPoolExecutor pool, BiFunction<ThreadPoolExecutor, Runnable, Object> use) {
        List<WeakReference<Object>> used = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Disposable task = new Disposable(() -> {});
            used.add(new WeakReference<>(task));
            used.add(new WeakReference<>(use.apply(pool, task)));
        }
        return used;
    }

    @EveryPool
    void execute_taskFinished_isNotRetained(PoolFixture pools) {
        isReleased(pools, pools.spec(1, 1), (pool, task) -> {
            pool.execute(task);
            return task;
        });
    }

    @EveryPool
    void execute_firstTaskOfItsWorkerFinished_isNotRetained(PoolFixture pools) {
        isReleased(pools, pools.spec(4, 4), (pool, task) -> {
            pool.execute(task);
            return task;
        });
    }

    @EveryPool
    void execute_taskHandedOverDirectly_isNotRetained(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(0, 3).queue(new SynchronousQueue<>()));
        List<WeakReference<Object>> used = references(pool, (executor, task) -> {
            CountDownLatch ran = new CountDownLatch(1);
            executor.execute(() -> {
                task.run();
                ran.countDown();
            });
            pools.await("task", ran);
            pools.eventually("idle pool", () -> executor.getActiveCount() == 0);
            return task;
        });
        used.forEach(reference -> pools.collected("a task that is finished with", reference));
    }

    @EveryPool
    void execute_taskThrew_neitherItNorItsExceptionIsRetained(PoolFixture pools) {
        ThreadFactory factory = work -> {
            Thread thread = new Thread(work);
            thread.setUncaughtExceptionHandler((t, e) -> {});
            return thread;
        };
        isReleased(pools, pools.spec(1, 1).factory(factory), (pool, task) -> {
            IllegalStateException problem = new IllegalStateException();
            pool.execute(new Disposable(() -> {
                task.run();
                throw problem;
            }));
            return problem;
        });
    }

    @EveryPool
    void submit_taskFinished_itsFutureIsNotRetained(PoolFixture pools) {
        isReleased(pools, pools.spec(1, 1), ThreadPoolExecutor::submit);
    }

    @EveryPool
    void remove_taskTakenOut_isNotRetained(PoolFixture pools) {
        isReleased(pools, pools.spec(1, 1), (pool, task) -> {
            pool.execute(task);
            assertThat(pool.remove(task)).isTrue();
            return task;
        });
    }

    @EveryPool
    void purge_futureCancelled_isNotRetained(PoolFixture pools) {
        isReleased(pools, pools.spec(1, 1), (pool, task) -> {
            Future<?> future = pool.submit(task);
            future.cancel(true);
            pool.purge();
            return future;
        });
    }

    @EveryPool
    void execute_taskRejected_isNotRetained(PoolFixture pools) {
        for (RejectedExecutionHandler handler : List.of(
                new ThreadPoolExecutor.AbortPolicy(),
                new ThreadPoolExecutor.CallerRunsPolicy(),
                new ThreadPoolExecutor.DiscardPolicy(),
                new ThreadPoolExecutor.DiscardOldestPolicy())) {
            isReleased(pools, pools.spec(1, 1).queue(pools.bounded(1)).handler(handler), (pool, task) -> {
                try {
                    pool.execute(task);
                    return task;
                } catch (RejectedExecutionException e) {
                    return e;
                }
            });
        }
    }

    @EveryPool
    void shutdownNow_tasksReturned_areNotRetained(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        pools.occupy(pool);
        List<WeakReference<Object>> used = references(pool, (executor, task) -> {
            executor.execute(task);
            return task;
        });
        assertThat(pool.shutdownNow()).hasSize(3);
        used.forEach(reference -> pools.collected("a task that never ran", reference));
        assertThat(pool.isShutdown()).isTrue();
    }

    @EveryPool
    void worker_timedOut_itsThreadIsNotRetained(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(0, 1).keepAlive(1, MILLISECONDS));
        WeakReference<Thread> worker = workerOf(pools, pool);
        pools.eventually("empty pool", () -> pool.getPoolSize() == 0);
        pools.collected("the thread of a worker that left", worker);
        assertThat(pool.isShutdown()).isFalse();
    }

    private static WeakReference<Thread> workerOf(PoolFixture pools, ThreadPoolExecutor pool) {
        HeldTask task = pools.occupy(pool);
        task.release();
        return new WeakReference<>(task.worker);
    }

    @EveryPool
    void pool_droppedUnused_isCollected(PoolFixture pools) {
        pools.everyConstructor(1, 1)
                .forEach(spec -> pools.collected("a pool never used", new WeakReference<>(pools.make(spec))));
    }

    @EveryPool
    void pool_coreZeroDroppedWithoutShutdown_isCollected(PoolFixture pools) {
        pools.collected("a pool whose workers have left", usedAndDropped(pools, false));
    }

    @EveryPool
    void pool_timedOutDroppedWithoutShutdown_isCollected(PoolFixture pools) {
        pools.collected("a pool whose workers have left", usedAndDropped(pools, true));
    }

    private static WeakReference<ThreadPoolExecutor> usedAndDropped(PoolFixture pools, boolean coreTimeOut) {
        ThreadPoolExecutor pool = pools.make(pools.spec(coreTimeOut ? 1 : 0, 1).keepAlive(1, MILLISECONDS));
        pool.allowCoreThreadTimeOut(coreTimeOut);
        pools.occupy(pool).release();
        pools.eventually("empty pool", () -> pool.getPoolSize() == 0);
        return new WeakReference<>(pool);
    }

    @EveryPool
    void pool_shutDownAndDropped_isCollected(PoolFixture pools) {
        pools.collected("a pool that was shut down", shutDownAndDropped(pools));
    }

    private static WeakReference<ThreadPoolExecutor> shutDownAndDropped(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(2);
        pools.occupy(pool);
        pool.shutdownNow();
        pools.eventually("terminated", pool::isTerminated);
        return new WeakReference<>(pool);
    }

    @EveryPool
    void pool_ranTasksOfAnotherLoader_doesNotPinThatLoader(PoolFixture pools) {
        isReleased(pools, pools.spec(2, 2), (pool, own) -> {
            Runnable task = ApplicationLoader.newTask();
            pool.execute(task);
            pool.submit(task);
            Future<?> future = pool.submit((Callable<?>) task);
            pools.eventually("task of another loader", future::isDone);
            return task.getClass().getClassLoader();
        });
    }

    /** Only the task and the class loader are dropped; the future is kept, as a cache of results keeps it. */
    @EveryPool
    void submit_futureKept_doesNotPinTheLoaderOfItsTask(PoolFixture pools) throws Exception {
        ThreadPoolExecutor pool = pools.fixed(1);
        List<Future<?>> kept = new ArrayList<>();
        WeakReference<ClassLoader> loader = loaderOfFinishedTask(pools, pool, kept);
        pools.collected("the class loader of a task whose future is kept", loader);
        assertThat(kept).allMatch(Future::isDone);
    }

    private static WeakReference<ClassLoader> loaderOfFinishedTask(
            PoolFixture pools, ThreadPoolExecutor pool, List<Future<?>> kept) throws Exception {
        Runnable task = ApplicationLoader.newTask();
        Future<?> ran = pool.submit(task);
        pools.get(ran);
        HeldTask held = pools.occupy(pool);
        Future<?> cancelled = pool.submit(task);
        cancelled.cancel(false);
        held.release();
        pools.eventually("idle pool", () -> pool.getCompletedTaskCount() == 3);
        kept.addAll(List.of(ran, cancelled));
        return new WeakReference<>(task.getClass().getClassLoader());
    }

    @EveryPool
    void pool_droppedWithFactoryOfAnotherLoader_doesNotPinThatLoader(PoolFixture pools) {
        pools.collected("a class loader whose pool was dropped", loaderOfDroppedPool(pools));
    }

    private static WeakReference<ClassLoader> loaderOfDroppedPool(PoolFixture pools) {
        Runnable task = ApplicationLoader.newTask();
        ThreadPoolExecutor pool = pools.make(pools.spec(0, 1)
                .keepAlive(1, MILLISECONDS)
                .factory((ThreadFactory) task)
                .handler((RejectedExecutionHandler) task));
        pool.execute(task);
        pools.eventually("empty pool", () -> pool.getCompletedTaskCount() == 1 && pool.getPoolSize() == 0);
        return new WeakReference<>(task.getClass().getClassLoader());
    }
}
