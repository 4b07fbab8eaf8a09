package io.lifeguard.pool.compat;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;

/** A pool starts threads exactly when the JDK starts them. */
class GrowthTest {

    @EveryPool
    void constructor_nothingExecuted_startsNoThread(PoolFixture pools) {
        for (PoolSpec spec : pools.everyConstructor(3, 5)) {
            ThreadPoolExecutor pool = pools.make(spec);
            assertThat(pool.getPoolSize()).isZero();
            assertThat(pool.getLargestPoolSize()).isZero();
            if (spec.factoryNamed()) {
                assertThat(((RecordingFactory) spec.factoryOrDefault()).made).isEmpty();
            }
        }
    }

    @EveryPool
    void getters_nothingExecuted_startNoThread(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(3);
        assertThat(pool.getQueue()).isEmpty();
        assertThat(pool.toString()).isNotEmpty();
        pool.purge();
        pool.remove(() -> {});
        pool.setCorePoolSize(2);
        pool.setMaximumPoolSize(4);
        pool.setCorePoolSize(3);
        assertThat(pool.getPoolSize()).isZero();
        assertThat(pool.getLargestPoolSize()).isZero();
    }

    @EveryPool
    void execute_idleWorkersBelowCore_startsAnotherAllTheSame(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(3);
        for (int tasks = 1; tasks <= 5; tasks++) {
            CountDownLatch ran = new CountDownLatch(1);
            pool.execute(ran::countDown);
            pools.await("task " + tasks, ran);
            int completed = tasks;
            pools.eventually("the worker idle again", () -> pool.getCompletedTaskCount() == completed);
            assertThat(pool.getPoolSize()).isEqualTo(Math.min(tasks, 3));
        }
    }

    @EveryPool
    void execute_coreBusy_fillsTheQueueBeforeItGrows(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 2).queue(pools.bounded(2)));
        pools.occupy(pool);
        HeldTask second = pools.heldTask();
        HeldTask third = pools.heldTask();
        HeldTask fourth = pools.heldTask();
        pool.execute(second);
        pool.execute(third);
        assertThat(pool.getPoolSize()).isEqualTo(1);
        assertThat(pool.getQueue()).hasSize(2);
        pool.execute(fourth);
        pools.await("the task that found the queue full, on a worker of its own", fourth.started);
        assertThat(pool.getPoolSize()).isEqualTo(2);
        Same.objects("queue", pool.getQueue(), second, third);
        assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(pool.getPoolSize()).isEqualTo(2);
        assertThat(pool.getLargestPoolSize()).isEqualTo(2);
    }

    @EveryPool
    void execute_unboundedQueue_neverGrowsBeyondCore(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 4));
        pools.occupy(pool);
        for (int i = 0; i < 100; i++) {
            pool.execute(() -> {});
        }
        assertThat(pool.getPoolSize()).isEqualTo(1);
        assertThat(pool.getQueue()).hasSize(100);
    }

    @EveryPool
    void execute_synchronousQueue_growsToMaximumAndThenRejects(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 3).queue(new SynchronousQueue<>()));
        for (int size = 1; size <= 3; size++) {
            pools.occupy(pool);
            assertThat(pool.getPoolSize()).isEqualTo(size);
        }
        assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @EveryPool
    void execute_synchronousQueueAndIdleWorker_reusesIt(PoolFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool =
                pools.make(pools.spec(0, 3).queue(new SynchronousQueue<>()).factory(factory));
        for (int tasks = 1; tasks <= 4; tasks++) {
            CountDownLatch ran = new CountDownLatch(1);
            pool.execute(ran::countDown);
            pools.await("task " + tasks, ran);
            pools.eventually(
                    "the worker waiting for a task",
                    () -> pool.getActiveCount() == 0 && Fixture.isWaiting(factory.made.get(0)));
        }
        assertThat(factory.made).hasSize(1);
    }

    @EveryPool
    void execute_queueRefusesWhileThreadsCanBeAdded_grows(PoolFixture pools) {
        // Tomcat's queue works like this: it refuses tasks as long as the pool can grow.
        List<ThreadPoolExecutor> owner = new ArrayList<>();
        LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>() {
            private static final long serialVersionUID = 1;

            @Override
            public boolean offer(Runnable task) {
                ThreadPoolExecutor pool = owner.get(0);
                return pool.getPoolSize() >= pool.getMaximumPoolSize() && super.offer(task);
            }
        };
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 3).queue(queue));
        owner.add(pool);
        for (int i = 0; i < 3; i++) {
            pools.occupy(pool);
        }
        assertThat(pool.getPoolSize()).isEqualTo(3);
        pool.execute(() -> {});
        assertThat(queue).hasSize(1);
    }

    @EveryPool
    void execute_coreZero_startsOneWorkerForTheQueue(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(0, 3));
        HeldTask task = pools.occupy(pool);
        assertThat(pool.getPoolSize()).isEqualTo(1);
        CountDownLatch ran = new CountDownLatch(1);
        pool.execute(ran::countDown);
        assertThat(pool.getPoolSize()).isEqualTo(1);
        task.release();
        pools.await("the task behind it", ran);
    }

    @EveryPool
    void prestartCoreThread_belowCore_startsOneIdleWorker(PoolFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(2, 4).factory(factory));
        assertThat(pool.prestartCoreThread()).isTrue();
        assertThat(pool.getPoolSize()).isEqualTo(1);
        assertThat(pool.prestartCoreThread()).isTrue();
        assertThat(pool.prestartCoreThread()).isFalse();
        assertThat(pool.getPoolSize()).isEqualTo(2);
        assertThat(factory.made).hasSize(2);
        pools.eventually("idle workers", () -> pool.getActiveCount() == 0);
        assertThat(pool.getTaskCount()).isZero();
    }

    @EveryPool
    void prestartAllCoreThreads_someRunning_startsTheOthers(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(3);
        pools.occupy(pool);
        assertThat(pool.prestartAllCoreThreads()).isEqualTo(2);
        assertThat(pool.prestartAllCoreThreads()).isZero();
        assertThat(pool.getPoolSize()).isEqualTo(3);
    }

    @EveryPool
    void prestart_coreZero_startsNone(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(0, 2));
        assertThat(pool.prestartCoreThread()).isFalse();
        assertThat(pool.prestartAllCoreThreads()).isZero();
        assertThat(pool.getPoolSize()).isZero();
    }

    @EveryPool
    void prestartedWorkers_taskExecuted_oneOfThemRunsIt(PoolFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(2, 2).factory(factory));
        pool.prestartAllCoreThreads();
        HeldTask task = pools.occupy(pool);
        assertThat(factory.made).hasSize(2).contains(task.worker);
    }

    @EveryPool
    void setCorePoolSize_raisedWithBacklog_startsThreadsForIt(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 4));
        pools.occupy(pool);
        HeldTask second = pools.heldTask();
        HeldTask third = pools.heldTask();
        pool.execute(second);
        pool.execute(third);
        pool.setCorePoolSize(4);
        pools.await("second task", second.started);
        pools.await("third task", third.started);
        assertThat(pool.getLargestPoolSize()).isBetween(3, 4);
    }

    @EveryPool
    void setCorePoolSize_raisedWithoutBacklog_startsNone(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 4));
        pools.occupy(pool);
        pool.setCorePoolSize(4);
        assertThat(pool.getPoolSize()).isEqualTo(1);
    }

    @EveryPool
    void setMaximumPoolSize_lowered_idleWorkersAboveItLeaveAtOnce(PoolFixture pools) {
        ThreadPoolExecutor pool =
                pools.make(pools.spec(1, 3).queue(new SynchronousQueue<>()).keepAlive(60, MINUTES));
        List<HeldTask> tasks = List.of(pools.occupy(pool), pools.occupy(pool), pools.occupy(pool));
        tasks.forEach(HeldTask::release);
        pools.eventually("idle pool", () -> pool.getActiveCount() == 0);
        pool.setMaximumPoolSize(1);
        pools.eventually("one worker left", () -> pool.getPoolSize() == 1);
        assertThat(pool.getLargestPoolSize()).isEqualTo(3);
    }

    @EveryPool
    void setMaximumPoolSize_raised_poolGrowsFurther(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).queue(new SynchronousQueue<>()));
        pools.occupy(pool);
        pool.setMaximumPoolSize(2);
        pools.occupy(pool);
        assertThat(pool.getPoolSize()).isEqualTo(2);
    }
}
