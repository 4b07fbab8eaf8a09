package io.lifeguard.pool.compat;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.testing.Gate;
import io.lifeguard.pool.testing.HeldTask;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The parts that a scheduled pool inherits: threads, hooks, interrupts, counters, settings. */
class ScheduledPoolTest {

    @EveryScheduledPool
    void hooks_superNeverCalled_poolWorksAndCountsAllTheSame(ScheduledFixture pools) {
        CountDownLatch ended = new CountDownLatch(1);
        ScheduledThreadPoolExecutor pool = pools.make(pools.spec(1).hooks(new Hooks() {
            @Override
            void beforeExecute(Thread worker, Runnable task, Runnable callSuper) {}

            @Override
            void afterExecute(Runnable task, @Nullable Throwable thrown, Runnable callSuper) {}

            @Override
            void terminated(Runnable callSuper) {
                ended.countDown();
            }
        }));
        CountDownLatch runs = new CountDownLatch(3);
        Future<?> periodic = pool.scheduleWithFixedDelay(runs::countDown, 0, 1, NANOSECONDS);
        pools.await("three runs", runs);
        periodic.cancel(false);
        pools.eventually("idle", () -> pool.getActiveCount() == 0);
        assertThat(pool.getCompletedTaskCount()).isGreaterThanOrEqualTo(3);
        pool.shutdown();
        pools.await("terminated()", ended);
        pools.eventually("terminated", pool::isTerminated);
    }

    @EveryScheduledPool
    void beforeExecute_throws_workerIsReplacedAndTheNextTaskRuns(ScheduledFixture pools) {
        IllegalStateException problem = new IllegalStateException("from beforeExecute");
        AtomicBoolean first = new AtomicBoolean(true);
        RecordingFactory factory = new RecordingFactory();
        ScheduledThreadPoolExecutor pool =
                pools.make(pools.spec(1).factory(factory).hooks(new Hooks() {
                    @Override
                    void beforeExecute(Thread worker, Runnable task, Runnable callSuper) {
                        callSuper.run();
                        if (first.getAndSet(false)) {
                            throw problem;
                        }
                    }
                }));
        Future<?> skipped = pool.submit(() -> {});
        pools.eventually("uncaught exception", () -> factory.uncaught.size() == 1);
        Same.objects("uncaught", factory.uncaught, problem);
        assertThat(pools.occupy(pool).worker).isSameAs(factory.made.get(1));
        assertThat(skipped.isDone()).isFalse();
    }

    @EveryScheduledPool
    void task_interruptsItself_afterExecuteSeesTheInterrupt(ScheduledFixture pools) {
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        ScheduledThreadPoolExecutor pool = pools.make(pools.spec(1).hooks(new Hooks() {
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

    @EveryScheduledPool
    void shutdownNow_calledAgain_interruptsAgain(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        HeldTask stubborn = pools.heldTask();
        HeldTask second = pools.heldTask();
        pool.execute(() -> {
            stubborn.run();
            second.run();
        });
        pools.await("start", stubborn.started);
        pool.shutdownNow();
        pools.await("first interrupt", stubborn.interrupted);
        pools.await("task that goes on", second.started);
        assertThat(pool.shutdownNow()).isEmpty();
        pools.await("second interrupt", second.interrupted);
        pools.eventually("terminated", pool::isTerminated);
        assertThat(pool.isTerminating()).isFalse();
    }

    @EveryScheduledPool
    void execute_callerIsInterrupted_acceptsAndKeepsTheInterrupt(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        CountDownLatch ran = new CountDownLatch(2);
        Thread.currentThread().interrupt();
        pool.execute(ran::countDown);
        pool.schedule(ran::countDown, 1, NANOSECONDS);
        assertThat(Thread.interrupted()).isTrue();
        pools.await("both tasks", ran);
    }

    @EveryScheduledPool
    void userFactory_throws_scheduleThrowsTheSameAndThePoolGoesOn(ScheduledFixture pools) {
        Error problem = new OutOfMemoryError("unable to create native thread");
        ScheduledThreadPoolExecutor pool = pools.make(pools.spec(1).factory(work -> {
            throw problem;
        }));
        assertThatThrownBy(() -> pool.schedule(() -> {}, 1, HOURS)).isSameAs(problem);
        assertThat(pool.getPoolSize()).isZero();
        assertThat(pool.getQueue()).hasSize(1);
        pool.setThreadFactory(Executors.defaultThreadFactory());
        pools.occupy(pool);
        assertThat(pool.getPoolSize()).isEqualTo(1);
    }

    @EveryScheduledPool
    void userFactory_returnsNull_taskWaitsForAThreadThatWorks(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.make(pools.spec(1).factory(work -> null));
        CountDownLatch ran = new CountDownLatch(2);
        pool.execute(ran::countDown);
        assertThat(pool.getPoolSize()).isZero();
        assertThat(pool.getQueue()).hasSize(1);
        pool.setThreadFactory(Executors.defaultThreadFactory());
        pool.execute(ran::countDown);
        pools.await("both tasks", ran);
    }

    @EveryScheduledPool
    void setters_factoryAndHandler_areReturnedAndUsedFromThenOn(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(2);
        ThreadFactory factory = new RecordingFactory();
        List<Object> seen = new CopyOnWriteArrayList<>();
        RejectedExecutionHandler handler = (task, executor) -> seen.add(task);
        pool.setThreadFactory(factory);
        pool.setRejectedExecutionHandler(handler);
        assertThat(pool.getThreadFactory()).isSameAs(factory);
        assertThat(pool.getRejectedExecutionHandler()).isSameAs(handler);
        assertThat(pools.occupy(pool).worker.getName()).isEqualTo("user-1");
        pool.shutdown();
        Future<?> late = pool.submit(() -> {});
        Same.objects("seen", seen, late);
        assertThatThrownBy(() -> pool.setThreadFactory(null)).isExactlyInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> pool.setRejectedExecutionHandler(null))
                .isExactlyInstanceOf(NullPointerException.class);
    }

    @EveryScheduledPool
    void constructor_defaultFactory_usesUpOnePoolNumber(ScheduledFixture pools) {
        int before = ThreadsTest.nextPoolNumber();
        pools.occupy(pools.pool(1));
        assertThat(ThreadsTest.nextPoolNumber() - before).isEqualTo(2);
        pools.occupy(pools.make(pools.spec(1).handler(new ThreadPoolExecutor.AbortPolicy())));
        assertThat(ThreadsTest.nextPoolNumber() - before).isEqualTo(4);
        pools.occupy(pools.make(pools.spec(1).factory(new RecordingFactory())));
        assertThat(ThreadsTest.nextPoolNumber() - before).isEqualTo(5);
    }

    @EveryScheduledPool
    void coreWorkers_timeOutAllowed_leaveAndComeBack(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(2);
        pool.setKeepAliveTime(1, MILLISECONDS);
        pool.allowCoreThreadTimeOut(true);
        for (int round = 0; round < 3; round++) {
            CountDownLatch ran = new CountDownLatch(2);
            pool.schedule(ran::countDown, 1, NANOSECONDS);
            pool.execute(ran::countDown);
            pools.await("tasks of round " + round, ran);
            pools.eventually("empty pool", () -> pool.getPoolSize() == 0);
        }
    }

    @EveryScheduledPool
    void counters_throughALife_countAsTheJdkCounts(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(2);
        HeldTask held = pools.occupy(pool);
        pool.schedule(() -> {}, 1, HOURS);
        // A worker counts as active until it has begun to wait.
        pools.eventually("the second worker waiting", () -> pool.getActiveCount() == 1);
        assertThat(pool.getTaskCount()).isEqualTo(2);
        assertThat(pool.getLargestPoolSize()).isEqualTo(2);
        held.release();
        pools.eventually("completed", () -> pool.getCompletedTaskCount() == 1 && pool.getActiveCount() == 0);
        assertThat(pool.getTaskCount()).isEqualTo(2);
    }

    @EveryScheduledPool
    void schedule_factoryOrDecoratorBlocks_othersUseThePool(ScheduledFixture pools) {
        Gate factoryGate = pools.gate();
        Gate decoratorGate = pools.gate();
        AtomicInteger threads = new AtomicInteger();
        AtomicInteger futures = new AtomicInteger();
        ThreadFactory factory = work -> {
            if (threads.incrementAndGet() == 1) {
                factoryGate.passUninterruptibly();
            }
            return new Thread(work);
        };
        ScheduledThreadPoolExecutor pool =
                pools.make(pools.spec(2).factory(factory).hooks(new Hooks() {
                    @Override
                    <V> RunnableScheduledFuture<V> decorateTask(
                            Object task, Supplier<RunnableScheduledFuture<V>> callSuper) {
                        if (futures.incrementAndGet() == 2) {
                            decoratorGate.passUninterruptibly();
                        }
                        return callSuper.get();
                    }
                }));
        CountDownLatch ran = new CountDownLatch(3);
        pools.thread(() -> pool.execute(ran::countDown));
        pools.await("the factory", factoryGate.arrived());
        pools.thread(() -> pool.execute(ran::countDown));
        pools.await("decorateTask", decoratorGate.arrived());
        pools.within("execute by another thread", () -> pool.execute(ran::countDown));
        pools.eventually("a task of another thread", () -> ran.getCount() <= 2);
        pools.within("reading", () -> assertThat(pool.toString()).isNotEmpty());
        factoryGate.open();
        decoratorGate.open();
        pools.await("all tasks", ran);
    }

    @EveryScheduledPool
    void schedule_withinATask_runs(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        CountDownLatch left = new CountDownLatch(50);
        Runnable task = new Runnable() {
            @Override
            public void run() {
                left.countDown();
                if (left.getCount() > 0) {
                    pool.schedule(this, left.getCount() % 2, NANOSECONDS);
                }
            }
        };
        pool.execute(task);
        pools.await("fifty runs", left);
    }

    @EveryScheduledPool
    void execute_sameTaskManyTimes_runsAsManyTimesAlsoAtOnce(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(2);
        CountDownLatch together = new CountDownLatch(2);
        CountDownLatch done = new CountDownLatch(4);
        Gate gate = pools.gate();
        Runnable task = () -> {
            together.countDown();
            gate.passUninterruptibly();
            done.countDown();
        };
        for (int i = 0; i < 4; i++) {
            pool.execute(task);
        }
        pools.await("two runs at the same time", together);
        gate.open();
        pools.await("four runs", done);
    }
}
