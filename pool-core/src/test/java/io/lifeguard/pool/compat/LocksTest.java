package io.lifeguard.pool.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.Gate;
import io.lifeguard.pool.testing.HeldTask;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A pool that runs a user's code holds no lock that other threads need. */
class LocksTest {

    /** All operations of a second thread on the pool, each with a time limit. */
    private static void isUsable(PoolFixture pools, ThreadPoolExecutor pool) {
        pools.within("reading", () -> {
            assertThat(pool.getPoolSize()).isNotNegative();
            assertThat(pool.getActiveCount()).isNotNegative();
            assertThat(pool.getTaskCount()).isNotNegative();
            assertThat(pool.getQueue().size()).isNotNegative();
            assertThat(pool.toString()).isNotEmpty();
        });
        pools.within("setting", () -> {
            pool.setCorePoolSize(pool.getCorePoolSize());
            pool.setRejectedExecutionHandler(pool.getRejectedExecutionHandler());
            pool.setThreadFactory(pool.getThreadFactory());
            pool.purge();
            pool.remove(() -> {});
        });
    }

    private static void executesAnother(PoolFixture pools, ThreadPoolExecutor pool) {
        CountDownLatch ran = new CountDownLatch(1);
        pools.within("execute by another thread", () -> pool.execute(ran::countDown));
        pools.await("task of another thread", ran);
    }

    @EveryPool
    void execute_taskBlocks_othersUseThePool(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(2);
        pools.occupy(pool);
        isUsable(pools, pool);
        executesAnother(pools, pool);
    }

    @EveryPool
    void execute_taskWaitsForAThreadThatExecutes_isNotHeldUp(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(2);
        CountDownLatch done = new CountDownLatch(1);
        pool.execute(() -> {
            executesAnother(pools, pool);
            done.countDown();
        });
        pools.await("task that waited for another's execute", done);
    }

    @EveryPool
    void execute_factoryBlocks_othersUseThePool(PoolFixture pools) {
        Gate gate = pools.gate();
        AtomicBoolean first = new AtomicBoolean(true);
        ThreadPoolExecutor pool = pools.make(pools.spec(2, 2).factory(work -> {
            if (first.getAndSet(false)) {
                gate.passUninterruptibly();
            }
            return new Thread(work);
        }));
        CountDownLatch ran = new CountDownLatch(1);
        pools.thread(() -> pool.execute(ran::countDown));
        pools.await("the factory", gate.arrived());
        isUsable(pools, pool);
        executesAnother(pools, pool);
        gate.open();
        pools.await("task whose factory was blocked", ran);
    }

    @EveryPool
    void execute_handlerBlocks_othersUseThePool(PoolFixture pools) {
        Gate gate = pools.gate();
        AtomicBoolean first = new AtomicBoolean(true);
        ThreadPoolExecutor pool =
                pools.make(pools.spec(1, 1).queue(pools.bounded(1)).handler((task, executor) -> {
                    if (first.getAndSet(false)) {
                        gate.passUninterruptibly();
                    }
                }));
        HeldTask held = pools.occupy(pool);
        pool.execute(() -> {});
        pools.thread(() -> pool.execute(() -> {}));
        pools.await("the handler", gate.arrived());
        isUsable(pools, pool);
        pools.within("rejection of another's task", () -> pool.execute(() -> {}));
        held.release();
        pools.eventually("progress of the workers", () -> pool.getCompletedTaskCount() == 2);
        executesAnother(pools, pool);
    }

    @EveryPool
    void execute_callerRunsALongTask_othersUseThePool(PoolFixture pools) {
        ThreadPoolExecutor pool =
                pools.make(pools.spec(1, 1).queue(pools.bounded(1)).handler(new ThreadPoolExecutor.CallerRunsPolicy()));
        HeldTask held = pools.occupy(pool);
        pool.execute(() -> {});
        HeldTask byCaller = pools.heldTask();
        Thread caller = pools.thread(() -> pool.execute(byCaller));
        pools.await("the task, at its caller", byCaller.started);
        assertThat(byCaller.worker).isSameAs(caller);
        isUsable(pools, pool);
        held.release();
        pools.eventually("progress of the workers", () -> pool.getCompletedTaskCount() == 2);
        executesAnother(pools, pool);
    }

    @EveryPool
    void execute_offerOfTheQueueBlocks_othersUseThePool(PoolFixture pools) {
        Gate gate = pools.gate();
        AtomicBoolean first = new AtomicBoolean(true);
        BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>() {
            private static final long serialVersionUID = 1;

            @Override
            public boolean offer(Runnable task) {
                if (first.getAndSet(false)) {
                    gate.passUninterruptibly();
                }
                return super.offer(task);
            }
        };
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).queue(queue));
        HeldTask held = pools.occupy(pool);
        CountDownLatch ran = new CountDownLatch(1);
        pools.thread(() -> pool.execute(ran::countDown));
        pools.await("offer", gate.arrived());
        isUsable(pools, pool);
        held.release();
        executesAnother(pools, pool);
        gate.open();
        pools.await("task whose offer was blocked", ran);
    }

    @EveryPool
    void execute_hooksBlock_othersUseThePool(PoolFixture pools) {
        Gate before = pools.gate();
        Gate after = pools.gate();
        ThreadPoolExecutor pool = pools.make(pools.spec(2, 2).hooks(new Hooks() {
            @Override
            void beforeExecute(Thread worker, Runnable task, Runnable callSuper) {
                before.passUninterruptibly();
            }

            @Override
            void afterExecute(Runnable task, @Nullable Throwable thrown, Runnable callSuper) {
                after.passUninterruptibly();
            }
        }));
        pool.execute(() -> {});
        pools.await("beforeExecute", before.arrived());
        isUsable(pools, pool);
        pools.within("execute by another thread", () -> pool.execute(() -> {}));
        before.open();
        pools.await("afterExecute", after.arrived());
        isUsable(pools, pool);
        pools.within("execute by another thread", () -> pool.execute(() -> {}));
        after.open();
        pools.eventually("all tasks", () -> pool.getCompletedTaskCount() == 3);
    }

    @EveryPool
    void submit_newTaskForBlocks_othersUseThePool(PoolFixture pools) {
        Gate gate = pools.gate();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).hooks(new Hooks() {
            @Override
            <T> RunnableFuture<T> newTaskFor(Runnable task, T value, Supplier<RunnableFuture<T>> callSuper) {
                gate.passUninterruptibly();
                return new FutureTask<>(task, value);
            }
        }));
        CountDownLatch ran = new CountDownLatch(1);
        pools.thread(() -> pool.submit(ran::countDown));
        pools.await("newTaskFor", gate.arrived());
        isUsable(pools, pool);
        executesAnother(pools, pool);
        gate.open();
        pools.await("task whose newTaskFor was blocked", ran);
    }

    @EveryPool
    void monitorOfThePool_heldByAUser_disturbsNoThread(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(2);
        Gate gate = pools.gate();
        pools.thread(() -> {
            synchronized (pool) {
                gate.passUninterruptibly();
            }
        });
        pools.await("owner of the monitor", gate.arrived());
        isUsable(pools, pool);
        executesAnother(pools, pool);
    }

    @EveryPool
    void monitorOfThePool_codeOfAUserRuns_isNotHeld(PoolFixture pools) {
        AtomicReference<ThreadPoolExecutor> owner = new AtomicReference<>();
        AtomicBoolean held = new AtomicBoolean();
        Runnable look = () -> held.compareAndSet(false, Thread.holdsLock(owner.get()));
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1)
                .queue(pools.bounded(1))
                .factory(work -> {
                    look.run();
                    return new Thread(work);
                })
                .handler((task, executor) -> look.run())
                .hooks(new Hooks() {
                    @Override
                    void beforeExecute(Thread worker, Runnable task, Runnable callSuper) {
                        look.run();
                    }

                    @Override
                    void terminated(Runnable callSuper) {
                        look.run();
                    }
                }));
        owner.set(pool);
        HeldTask task = pools.occupy(pool);
        pool.execute(look);
        pool.execute(() -> {});
        task.release();
        pool.shutdown();
        pools.eventually("terminated", pool::isTerminated);
        assertThat(held).isFalse();
    }
}
