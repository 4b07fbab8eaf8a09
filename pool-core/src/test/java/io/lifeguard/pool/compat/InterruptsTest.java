package io.lifeguard.pool.compat;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/** An interrupt reaches the thread that it is meant for, and no other. */
class InterruptsTest {

    @EveryPool
    void task_interruptsItself_nextTaskOfTheWorkerIsNotInterrupted(PoolFixture pools) {
        List<Object> seen = new CopyOnWriteArrayList<>();
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(factory));
        HeldTask held = pools.occupy(pool);
        for (int i = 0; i < 3; i++) {
            pool.execute(() -> {
                seen.add(Thread.currentThread().isInterrupted());
                Thread.currentThread().interrupt();
            });
        }
        held.release();
        pools.eventually("three queued tasks", () -> seen.size() == 3);
        pools.eventually("an empty pool", () -> pool.getActiveCount() == 0);
        pool.execute(() -> seen.add(Thread.currentThread().isInterrupted()));
        pools.eventually("a task for the waiting worker", () -> seen.size() == 4);
        assertThat(seen).containsOnly(false);
        assertThat(factory.made).hasSize(1);
    }

    @EveryPool
    void task_interruptsItself_afterExecuteSeesTheInterrupt(PoolFixture pools) {
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).hooks(new Hooks() {
            @Override
            void afterExecute(Runnable task, @Nullable Throwable thrown, Runnable callSuper) {
                callSuper.run();
                seen.add(Thread.currentThread().isInterrupted());
            }
        }));
        pool.execute(() -> Thread.currentThread().interrupt());
        pool.execute(() -> {});
        pools.eventually("two tasks", () -> seen.size() == 2);
        assertThat(seen).containsExactly(true, false);
    }

    @EveryPool
    void beforeExecute_interruptsTheWorker_taskSeesTheInterrupt(PoolFixture pools) {
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).hooks(new Hooks() {
            @Override
            void beforeExecute(Thread worker, Runnable task, Runnable callSuper) {
                worker.interrupt();
                callSuper.run();
            }
        }));
        pool.execute(() -> seen.add(Thread.currentThread().isInterrupted()));
        pool.execute(() -> seen.add(Thread.currentThread().isInterrupted()));
        pools.eventually("two tasks", () -> seen.size() == 2);
        assertThat(seen).containsExactly(true, true);
    }

    @EveryPool
    void idleWorker_interruptedFromOutside_staysAndWorks(PoolFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(factory));
        pool.prestartCoreThread();
        Thread worker = factory.made.get(0);
        pools.eventually("waiting worker", () -> Fixture.isWaiting(worker));
        worker.interrupt();
        pools.eventually("interrupt cleared", () -> !worker.isInterrupted());
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        pool.execute(() -> seen.add(Thread.currentThread().isInterrupted()));
        pools.eventually("task", () -> seen.size() == 1);
        assertThat(seen).containsExactly(false);
        assertThat(factory.made).hasSize(1);
        assertThat(factory.uncaught).isEmpty();
    }

    @EveryPool
    void execute_callerIsInterrupted_acceptsAndKeepsTheInterrupt(PoolFixture pools) throws Exception {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).queue(pools.bounded(1)));
        HeldTask held = pools.heldTask();
        HeldTask queued = pools.heldTask();
        Thread.currentThread().interrupt();
        try {
            pool.execute(held);
            pool.execute(queued);
            assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        held.release();
        pools.await("the queued task", queued.started);
        assertThat(held.wasInterrupted()).isFalse();
    }

    @EveryPool
    void cancel_mayInterrupt_interruptsTheRunningTaskOnly(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask first = pools.heldTask();
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        Future<?> future = pool.submit(first);
        pools.await("start", first.started);
        assertThat(future.cancel(true)).isTrue();
        pools.await("interrupt", first.interrupted);
        pool.execute(() -> seen.add(Thread.currentThread().isInterrupted()));
        pools.eventually("next task", () -> seen.size() == 1);
        assertThat(seen).containsExactly(false);
    }

    @EveryPool
    void cancel_mayNotInterrupt_leavesTheRunningTaskAlone(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask task = pools.heldTask();
        Future<?> future = pool.submit(task);
        pools.await("start", task.started);
        assertThat(future.cancel(false)).isTrue();
        pools.never("interrupt", task::wasInterrupted);
        assertThat(task.ended.getCount()).isEqualTo(1);
    }

    @EveryPool
    void shutdownNow_tasksRunning_interruptsEveryOne(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(2);
        HeldTask first = pools.occupy(pool);
        HeldTask second = pools.occupy(pool);
        pool.shutdownNow();
        pools.await("interrupt of the first", first.interrupted);
        pools.await("interrupt of the second", second.interrupted);
    }

    @EveryPool
    void shutdownNow_calledAgain_interruptsAgain(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask second = pools.heldTask();
        HeldTask stubborn = pools.heldTask();
        pool.execute(() -> {
            stubborn.run();
            second.run();
        });
        pools.await("start", stubborn.started);
        pool.shutdownNow();
        pools.await("first interrupt", stubborn.interrupted);
        pools.await("task that goes on", second.started);
        assertThat(pool.isTerminated()).isFalse();
        assertThat(pool.shutdownNow()).isEmpty();
        pools.await("second interrupt", second.interrupted);
        pools.eventually("terminated", pool::isTerminated);
    }

    @EveryPool
    void shutdown_taskRunning_isNotInterrupted(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(2);
        HeldTask task = pools.occupy(pool);
        pool.shutdown();
        pools.never("interrupt", task::wasInterrupted);
        assertThat(task.ended.getCount()).isEqualTo(1);
    }

    @EveryPool
    void setters_taskRunning_doNotInterruptIt(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(2);
        HeldTask first = pools.occupy(pool);
        HeldTask second = pools.occupy(pool);
        pool.setCorePoolSize(1);
        pool.setMaximumPoolSize(1);
        pool.setKeepAliveTime(1, SECONDS);
        pool.allowCoreThreadTimeOut(true);
        pool.purge();
        pools.never("interrupt", () -> first.wasInterrupted() || second.wasInterrupted());
        assertThat(pool.getActiveCount()).isEqualTo(2);
    }

    @EveryPool
    void invokeAll_callerInterrupted_throwsAndCancelsTheRest(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask running = pools.heldTask();
        HeldTask waiting = pools.heldTask();
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        Thread caller = pools.thread(() -> {
            try {
                pool.invokeAll(List.<Callable<Object>>of(callable(running), callable(waiting)));
            } catch (InterruptedException e) {
                thrown.add(e);
            }
            done.countDown();
        });
        pools.await("start", running.started);
        caller.interrupt();
        pools.await("return of invokeAll", done);
        assertThat(thrown).hasSize(1);
        pools.await("interrupt of the running task", running.interrupted);
        pools.eventually(
                "idle pool", () -> pool.getActiveCount() == 0 && pool.getQueue().isEmpty());
        assertThat(waiting.started.getCount()).isEqualTo(1);
    }

    @EveryPool
    void awaitTermination_callerInterrupted_throws(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        pools.occupy(pool);
        pool.shutdown();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> pool.awaitTermination(60, SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    private static Callable<Object> callable(HeldTask task) {
        return () -> {
            task.run();
            return task;
        };
    }
}
