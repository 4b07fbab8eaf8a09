package io.lifeguard.pool.compat;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.HeldTask;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;

/** An idle worker stays for the keep-alive time. */
class KeepAliveTest {

    @EveryPool
    void idleWorkers_keepAliveOver_leaveDownToCore(PoolFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 3)
                .queue(new SynchronousQueue<>())
                .keepAlive(1, MILLISECONDS)
                .factory(factory));
        List<HeldTask> tasks = List.of(pools.occupy(pool), pools.occupy(pool), pools.occupy(pool));
        tasks.forEach(HeldTask::release);
        pools.eventually("one worker left", () -> pool.getPoolSize() == 1);
        pools.never("departure of the core worker", () -> pool.getPoolSize() != 1);
        pools.eventually(
                "end of two threads",
                () -> factory.made.stream().filter(Thread::isAlive).count() == 1);
    }

    @EveryPool
    void idleWorkers_noKeepAlive_leaveAtOnceDownToCore(PoolFixture pools) {
        ThreadPoolExecutor pool =
                pools.make(pools.spec(1, 2).queue(pools.bounded(1)).keepAlive(0, SECONDS));
        HeldTask first = pools.occupy(pool);
        pool.execute(() -> {});
        HeldTask second = pools.occupy(pool);
        first.release();
        second.release();
        pools.eventually("one worker left", () -> pool.getPoolSize() == 1);
        pools.never("departure of the core worker", () -> pool.getPoolSize() != 1);
    }

    @EveryPool
    void idleWorkers_keepAliveNotOver_stay(PoolFixture pools) {
        ThreadPoolExecutor pool =
                pools.make(pools.spec(0, 2).queue(new SynchronousQueue<>()).keepAlive(1, HOURS));
        List<HeldTask> tasks = List.of(pools.occupy(pool), pools.occupy(pool));
        tasks.forEach(HeldTask::release);
        pools.eventually("idle pool", () -> pool.getActiveCount() == 0);
        pools.never("departure of a worker", () -> pool.getPoolSize() != 2);
    }

    @EveryPool
    void coreWorkers_timeOutNotAllowed_stayHoweverShortTheKeepAlive(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(2, 2).keepAlive(1, NANOSECONDS));
        pool.prestartAllCoreThreads();
        pools.never("departure of a core worker", () -> pool.getPoolSize() != 2);
    }

    @EveryPool
    void coreWorkers_timeOutAllowed_leaveAndComeBack(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(2, 2).keepAlive(1, MILLISECONDS));
        pool.allowCoreThreadTimeOut(true);
        for (int round = 0; round < 3; round++) {
            CountDownLatch ran = new CountDownLatch(2);
            pool.execute(ran::countDown);
            pool.execute(ran::countDown);
            pools.await("tasks of round " + round, ran);
            pools.eventually("empty pool", () -> pool.getPoolSize() == 0);
        }
        assertThat(pool.isShutdown()).isFalse();
    }

    @EveryPool
    void allowCoreThreadTimeOut_workersIdleAlready_appliesToThem(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(2, 2).keepAlive(1, MILLISECONDS));
        pool.prestartAllCoreThreads();
        assertThat(pool.getPoolSize()).isEqualTo(2);
        pool.allowCoreThreadTimeOut(true);
        pools.eventually("empty pool", () -> pool.getPoolSize() == 0);
    }

    @EveryPool
    void setKeepAliveTime_shortened_appliesToWorkersIdleAlready(PoolFixture pools) {
        ThreadPoolExecutor pool =
                pools.make(pools.spec(0, 1).queue(new SynchronousQueue<>()).keepAlive(1, HOURS));
        pools.occupy(pool).release();
        pools.eventually("idle pool", () -> pool.getActiveCount() == 0);
        pool.setKeepAliveTime(1, MILLISECONDS);
        pools.eventually("empty pool", () -> pool.getPoolSize() == 0);
    }

    @EveryPool
    void setCorePoolSize_lowered_idleWorkersAboveItTimeOut(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(3, 3).keepAlive(1, MILLISECONDS));
        pool.prestartAllCoreThreads();
        pool.setCorePoolSize(1);
        pools.eventually("one worker left", () -> pool.getPoolSize() == 1);
    }

    @EveryPool
    void execute_workersAlwaysAboutToLeave_everyTaskRuns(PoolFixture pools) {
        // Each task arrives when the previous worker times out. No task may stay in a queue without a worker.
        ThreadPoolExecutor pool = pools.make(pools.spec(0, 2).keepAlive(1, NANOSECONDS));
        for (int i = 0; i < 500; i++) {
            CountDownLatch ran = new CountDownLatch(1);
            pool.execute(ran::countDown);
            pools.await("task " + i, ran);
        }
    }

    @EveryPool
    void execute_coreWorkersAlwaysAboutToLeave_everyTaskRuns(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).keepAlive(1, NANOSECONDS));
        pool.allowCoreThreadTimeOut(true);
        for (int i = 0; i < 500; i++) {
            CountDownLatch ran = new CountDownLatch(1);
            pool.execute(ran::countDown);
            pools.await("task " + i, ran);
        }
    }
}
