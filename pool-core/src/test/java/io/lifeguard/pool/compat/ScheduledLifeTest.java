package io.lifeguard.pool.compat;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.testing.HeldTask;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

/** How scheduled tasks end: cancelled, failed, or with their pool. */
class ScheduledLifeTest {

    @EveryScheduledPool
    void schedule_firstTask_startsOneWorkerThoughItIsNotDue(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(2);
        pool.schedule(() -> {}, 1, HOURS);
        assertThat(pool.getPoolSize()).isEqualTo(1);
        pool.schedule(() -> {}, 1, HOURS);
        pool.schedule(() -> {}, 1, HOURS);
        assertThat(pool.getPoolSize()).isEqualTo(2);
    }

    @EveryScheduledPool
    void defaultFactory_workersStarted_areNamedAsTheJdkNamesThem(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(2);
        assertThat(pools.occupy(pool).worker.getName()).matches("pool-\\d+-thread-1");
        Thread second = pools.occupy(pool).worker;
        assertThat(second.getName()).matches("pool-\\d+-thread-2");
        assertThat(second.isDaemon()).isFalse();
    }

    @EveryScheduledPool
    void userFactory_tasksScheduled_isAskedOncePerWorker(ScheduledFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ScheduledThreadPoolExecutor pool = pools.make(pools.spec(1).factory(factory));
        assertThat(factory.made).isEmpty();
        HeldTask task = pools.occupy(pool);
        pool.schedule(() -> {}, 1, HOURS);
        assertThat(factory.made).containsExactly(task.worker);
    }

    @EveryScheduledPool
    void toString_throughALife_isFormattedAsTheJdkFormatsIt(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        pools.occupy(pool);
        pool.schedule(() -> {}, 1, HOURS);
        assertThat(pool)
                .hasToString(pool.getClass().getName() + "@" + Integer.toHexString(pool.hashCode())
                        + "[Running, pool size = 1, active threads = 1, queued tasks = 1, completed tasks = 0]");
        pool.shutdownNow();
        assertThatThrownBy(() -> pool.schedule(() -> {}, 1, HOURS))
                .isExactlyInstanceOf(RejectedExecutionException.class)
                .hasMessageMatching("Task .* rejected from .*");
    }

    @EveryScheduledPool
    void cancel_defaultPolicy_taskStaysQueuedAndNeverRuns(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        AtomicInteger runs = new AtomicInteger();
        Future<?> later = pool.schedule(runs::incrementAndGet, 1, HOURS);
        Future<?> soon = pool.schedule(runs::incrementAndGet, 1, HOURS);
        assertThat(later.cancel(false)).isTrue();
        assertThat(soon.cancel(true)).isTrue();
        assertThat(pool.getQueue()).hasSize(2);
        assertThat(later.isCancelled()).isTrue();
        assertThatThrownBy(later::get).isExactlyInstanceOf(CancellationException.class);
        pool.purge();
        assertThat(pool.getQueue()).isEmpty();
        assertThat(runs).hasValue(0);
    }

    @EveryScheduledPool
    void cancel_removeOnCancel_queueEmpties(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        pool.setRemoveOnCancelPolicy(true);
        assertThat(pool.getRemoveOnCancelPolicy()).isTrue();
        List<Future<?>> futures = List.of(
                pool.schedule(() -> {}, 1, HOURS),
                pool.schedule(() -> "value", 1, HOURS),
                pool.scheduleAtFixedRate(() -> {}, 1, 1, HOURS),
                pool.scheduleWithFixedDelay(() -> {}, 1, 1, HOURS));
        for (int left = 4; left > 0; left--) {
            assertThat(pool.getQueue()).hasSize(left);
            futures.get(left - 1).cancel(false);
        }
        assertThat(pool.getQueue()).isEmpty();
    }

    @EveryScheduledPool
    void cancel_removeOnCancelAndSubclass_queueEmptiesToo(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.make(pools.spec(1).hooks(new Hooks()));
        pool.setRemoveOnCancelPolicy(true);
        pool.schedule(() -> {}, 1, HOURS).cancel(false);
        pool.scheduleAtFixedRate(() -> {}, 1, 1, HOURS).cancel(true);
        assertThat(pool.getQueue()).isEmpty();
    }

    @EveryScheduledPool
    void cancel_periodicTaskRunning_itIsInterruptedAndNotRepeated(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        HeldTask task = pools.heldTask();
        AtomicInteger runs = new AtomicInteger();
        Future<?> future = pool.scheduleAtFixedRate(
                () -> {
                    runs.incrementAndGet();
                    task.run();
                },
                0,
                1,
                NANOSECONDS);
        pools.await("start", task.started);
        assertThat(future.cancel(true)).isTrue();
        pools.await("interrupt", task.interrupted);
        pools.eventually("idle pool", () -> pool.getActiveCount() == 0);
        assertThat(pool.getQueue()).isEmpty();
        assertThat(runs).hasValue(1);
    }

    @EveryScheduledPool
    void cancel_periodicTaskCancelsItself_isNotRepeated(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        AtomicInteger runs = new AtomicInteger();
        CompletableFuture<Future<?>> own = new CompletableFuture<>();
        own.complete(pool.scheduleWithFixedDelay(
                () -> {
                    if (runs.incrementAndGet() == 2) {
                        own.join().cancel(false);
                    }
                },
                0,
                1,
                NANOSECONDS));
        pools.eventually("cancelled", () -> own.join().isCancelled());
        pools.eventually("idle pool", () -> pool.getActiveCount() == 0);
        assertThat(pool.getQueue()).isEmpty();
        assertThat(runs).hasValue(2);
    }

    @EveryScheduledPool
    void periodicTask_throws_endsWithThatExceptionAndIsNotRepeated(ScheduledFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ScheduledThreadPoolExecutor pool = pools.make(pools.spec(1).factory(factory));
        IllegalStateException problem = new IllegalStateException();
        AtomicInteger runs = new AtomicInteger();
        Future<?> future = pool.scheduleAtFixedRate(
                () -> {
                    if (runs.incrementAndGet() == 3) {
                        throw problem;
                    }
                },
                0,
                1,
                NANOSECONDS);
        assertThatThrownBy(() -> pools.get(future))
                .isExactlyInstanceOf(ExecutionException.class)
                .satisfies(e -> assertThat(e.getCause()).isSameAs(problem));
        assertThat(future.isDone()).isTrue();
        assertThat(future.isCancelled()).isFalse();
        pools.eventually("idle pool", () -> pool.getActiveCount() == 0);
        assertThat(pool.getQueue()).isEmpty();
        assertThat(runs).hasValue(3);
        assertThat(factory.uncaught).isEmpty();
        assertThat(factory.made).hasSize(1);
    }

    @EveryScheduledPool
    void task_interruptsItself_nextTaskOfTheWorkerIsNotInterrupted(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 3; i++) {
            pool.execute(() -> {
                seen.add(Thread.currentThread().isInterrupted());
                Thread.currentThread().interrupt();
            });
        }
        pools.eventually("three tasks", () -> seen.size() == 3);
        assertThat(seen).containsOnly(false);
    }

    @EveryScheduledPool
    void shutdown_defaultPolicies_delayedTasksRunAndPeriodicOnesAreCancelled(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        HeldTask held = pools.occupy(pool);
        Future<?> delayed = pool.schedule(() -> "value", 20, MILLISECONDS);
        Future<?> periodic = pool.scheduleAtFixedRate(() -> {}, 1, 1, HOURS);
        pool.shutdown();
        assertThat(periodic.isCancelled()).isTrue();
        assertThat(delayed.isDone()).isFalse();
        held.release();
        pools.eventually("terminated", pool::isTerminated);
        assertThat(delayed.isDone()).isTrue();
        assertThat(delayed.isCancelled()).isFalse();
    }

    @EveryScheduledPool
    void shutdown_noDelayedTasksWanted_theyAreCancelled(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        pool.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        assertThat(pool.getExecuteExistingDelayedTasksAfterShutdownPolicy()).isFalse();
        Future<?> delayed = pool.schedule(() -> "value", 1, HOURS);
        pool.shutdown();
        assertThat(delayed.isCancelled()).isTrue();
        assertThat(pool.getQueue()).isEmpty();
        pools.eventually("terminated", pool::isTerminated);
    }

    @EveryScheduledPool
    void shutdown_periodicTasksWanted_theyGoOnUntilThePolicyChanges(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        pool.setContinueExistingPeriodicTasksAfterShutdownPolicy(true);
        assertThat(pool.getContinueExistingPeriodicTasksAfterShutdownPolicy()).isTrue();
        AtomicInteger runs = new AtomicInteger();
        Future<?> periodic = pool.scheduleAtFixedRate(runs::incrementAndGet, 0, 100_000, NANOSECONDS);
        pool.shutdown();
        int before = runs.get();
        pools.eventually("three more runs", () -> runs.get() >= before + 3);
        assertThat(periodic.isDone()).isFalse();
        pool.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        pools.eventually("terminated", pool::isTerminated);
        assertThat(periodic.isCancelled()).isTrue();
    }

    @EveryScheduledPool
    void shutdown_scheduleAfterwards_isRejected(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        pool.shutdown();
        Runnable task = () -> {};
        for (Runnable attempt : List.<Runnable>of(
                () -> pool.execute(task),
                () -> pool.submit(task),
                () -> pool.schedule(task, 0, HOURS),
                () -> pool.schedule(() -> "value", 1, HOURS),
                () -> pool.scheduleAtFixedRate(task, 1, 1, HOURS),
                () -> pool.scheduleWithFixedDelay(task, 1, 1, HOURS))) {
            assertThatThrownBy(attempt::run).isExactlyInstanceOf(RejectedExecutionException.class);
        }
        assertThat(pool.getQueue()).isEmpty();
    }

    @EveryScheduledPool
    void coreZero_tasksScheduled_theyRun(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(0);
        CountDownLatch runs = new CountDownLatch(3);
        pool.schedule(runs::countDown, 1, MILLISECONDS);
        pool.execute(runs::countDown);
        pool.schedule(runs::countDown, 5, MILLISECONDS);
        pools.await("three tasks", runs);
        pools.eventually("no worker stays", () -> pool.getPoolSize() == 0);
    }
}
