package io.lifeguard.pool.compat;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Supplier;

/** A scheduled pool queues, runs and removes the same futures that it returns, and shows them to its subclass. */
class ScheduledIdentityTest {

    @EveryScheduledPool
    void constructor_anyArguments_hasTheJdksSettings(ScheduledFixture pools) {
        for (ScheduledSpec spec : pools.everyConstructor(3)) {
            ScheduledThreadPoolExecutor pool = pools.make(spec);
            assertThat(pool.getCorePoolSize()).isEqualTo(3);
            assertThat(pool.getMaximumPoolSize()).isEqualTo(Integer.MAX_VALUE);
            assertThat(pool.getKeepAliveTime(NANOSECONDS)).isEqualTo(MILLISECONDS.toNanos(10));
            assertThat(pool.allowsCoreThreadTimeOut()).isFalse();
            assertThat(pool.getQueue()).isEmpty();
            assertThat(pool.getQueue().remainingCapacity()).isEqualTo(Integer.MAX_VALUE);
            assertThat(pool.getRemoveOnCancelPolicy()).isFalse();
            assertThat(pool.getExecuteExistingDelayedTasksAfterShutdownPolicy()).isTrue();
            assertThat(pool.getContinueExistingPeriodicTasksAfterShutdownPolicy())
                    .isFalse();
            assertThat(pool.getPoolSize()).isZero();
            assertThat(pool.getLargestPoolSize()).isZero();
        }
    }

    @EveryScheduledPool
    void constructor_wrongArgument_isRefused(ScheduledFixture pools) {
        for (ScheduledSpec spec : pools.everyConstructor(-1)) {
            assertThatThrownBy(() -> pools.make(spec)).isExactlyInstanceOf(IllegalArgumentException.class);
        }
        ThreadFactory factory = new RecordingFactory();
        RejectedExecutionHandler handler = new ThreadPoolExecutor.AbortPolicy();
        for (ScheduledSpec spec : List.of(
                pools.spec(1).factory(null),
                pools.spec(1).handler(null),
                pools.spec(1).factory(null).handler(handler),
                pools.spec(1).factory(factory).handler(null))) {
            assertThatThrownBy(() -> pools.make(spec)).isExactlyInstanceOf(NullPointerException.class);
        }
    }

    @EveryScheduledPool
    void getters_factoryAndHandlerGiven_returnThose(ScheduledFixture pools) {
        ThreadFactory factory = new RecordingFactory();
        RejectedExecutionHandler handler = new ThreadPoolExecutor.DiscardPolicy();
        assertThat(pools.make(pools.spec(1).factory(factory)).getThreadFactory())
                .isSameAs(factory);
        assertThat(pools.make(pools.spec(1).handler(handler)).getRejectedExecutionHandler())
                .isSameAs(handler);
        ScheduledThreadPoolExecutor pool =
                pools.make(pools.spec(1).factory(factory).handler(handler));
        assertThat(pool.getThreadFactory()).isSameAs(factory);
        assertThat(pool.getRejectedExecutionHandler()).isSameAs(handler);
        assertThat(pools.pool(1).getRejectedExecutionHandler())
                .isExactlyInstanceOf(ThreadPoolExecutor.AbortPolicy.class);
    }

    @EveryScheduledPool
    void getQueue_tasksScheduled_holdsTheReturnedFutures(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        ScheduledFuture<?> ofRunnable = pool.schedule(() -> {}, 1, HOURS);
        ScheduledFuture<?> ofCallable = pool.schedule(() -> "value", 2, HOURS);
        ScheduledFuture<?> atRate = pool.scheduleAtFixedRate(() -> {}, 3, 1, HOURS);
        ScheduledFuture<?> withDelay = pool.scheduleWithFixedDelay(() -> {}, 4, 1, HOURS);
        assertThat(pool.getQueue().toArray()).containsExactlyInAnyOrder(ofRunnable, ofCallable, atRate, withDelay);
        assertThat(pool.getQueue().contains((Object) atRate)).isTrue();
        assertThat(((RunnableScheduledFuture<?>) atRate).isPeriodic()).isTrue();
        assertThat(((RunnableScheduledFuture<?>) ofRunnable).isPeriodic()).isFalse();
        assertThat(pool.remove((Runnable) ofCallable)).isTrue();
        assertThat(pool.remove((Runnable) ofCallable)).isFalse();
        assertThat(pool.getQueue()).hasSize(3);
    }

    @EveryScheduledPool
    void getQueue_tasksExecutedAndSubmitted_holdsScheduledFutures(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        pools.occupy(pool);
        Future<?> submitted = pool.submit(() -> {});
        Future<?> called = pool.submit(() -> "value");
        Same.objects("queue", pool.getQueue(), submitted, called);
        pool.execute(() -> {});
        assertThat(pool.getQueue()).hasSize(3).allMatch(task -> task instanceof RunnableScheduledFuture);
        assertThat(submitted).isInstanceOf(RunnableScheduledFuture.class);
    }

    @EveryScheduledPool
    void shutdownNow_tasksScheduled_returnsTheirFutures(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        Future<?> once = pool.schedule(() -> {}, 1, HOURS);
        Future<?> periodic = pool.scheduleAtFixedRate(() -> {}, 1, 1, HOURS);
        List<Runnable> returned = pool.shutdownNow();
        assertThat(returned.toArray()).containsExactlyInAnyOrder(once, periodic);
        assertThat(once.isDone()).isFalse();
        assertThat(periodic.isDone()).isFalse();
        assertThat(pool.getQueue()).isEmpty();
    }

    @EveryScheduledPool
    void hooks_tasksRun_seeTheReturnedFutures(ScheduledFixture pools) {
        LoggingHooks hooks = new LoggingHooks();
        ScheduledThreadPoolExecutor pool = pools.make(pools.spec(1).hooks(hooks));
        Future<?> once = pool.schedule(() -> {}, 1, NANOSECONDS);
        pools.eventually("first task", () -> hooks.after.size() == 1);
        Future<?> failing = pool.submit(() -> Sneaky.raise(new IllegalStateException()));
        pools.eventually("second task", () -> hooks.after.size() == 2);
        Future<?> periodic = pool.scheduleWithFixedDelay(() -> {}, 0, 1, NANOSECONDS);
        pools.eventually("periodic task, twice", () -> hooks.after.size() >= 4);
        periodic.cancel(false);
        pools.eventually("idle pool", () -> pool.getActiveCount() == 0);
        Same.objects("beforeExecute", hooks.before.subList(0, 4), once, failing, periodic, periodic);
        Same.objects("afterExecute", hooks.after.subList(0, 4), once, failing, periodic, periodic);
        assertThat(hooks.thrown).containsOnly("none");
    }

    @EveryScheduledPool
    void handler_poolShutDown_seesTheFuture(ScheduledFixture pools) {
        List<Object> seen = new CopyOnWriteArrayList<>();
        ScheduledThreadPoolExecutor pool = pools.make(pools.spec(1).handler((task, executor) -> {
            seen.add(task);
            seen.add(executor);
        }));
        pool.shutdown();
        Future<?> once = pool.schedule(() -> {}, 1, HOURS);
        Future<?> periodic = pool.scheduleAtFixedRate(() -> {}, 1, 1, HOURS);
        Future<?> submitted = pool.submit(() -> {});
        Same.objects("seen", seen, once, pool, periodic, pool, submitted, pool);
    }

    @EveryScheduledPool
    void decorateTask_overriddenWithSuper_itsResultIsUsedEverywhere(ScheduledFixture pools) {
        List<Object> tasks = new ArrayList<>();
        List<Object> made = new ArrayList<>();
        LoggingHooks hooks = new LoggingHooks() {
            @Override
            <V> RunnableScheduledFuture<V> decorateTask(Object task, Supplier<RunnableScheduledFuture<V>> callSuper) {
                RunnableScheduledFuture<V> future = callSuper.get();
                tasks.add(task);
                made.add(future);
                return future;
            }
        };
        decoratedFuturesAreUsed(pools, hooks, tasks, made);
    }

    @EveryScheduledPool
    void decorateTask_returnsADecorator_itIsUsedEverywhere(ScheduledFixture pools) {
        List<Object> tasks = new ArrayList<>();
        List<Object> made = new ArrayList<>();
        LoggingHooks hooks = new LoggingHooks() {
            @Override
            <V> RunnableScheduledFuture<V> decorateTask(Object task, Supplier<RunnableScheduledFuture<V>> callSuper) {
                RunnableScheduledFuture<V> future = new DecoratedFuture<>(callSuper.get());
                tasks.add(task);
                made.add(future);
                return future;
            }
        };
        decoratedFuturesAreUsed(pools, hooks, tasks, made);
    }

    private static void decoratedFuturesAreUsed(
            ScheduledFixture pools, LoggingHooks hooks, List<Object> tasks, List<Object> made) {
        ScheduledThreadPoolExecutor pool = pools.make(pools.spec(1).hooks(hooks));
        Runnable runnable = () -> {};
        Callable<String> callable = () -> "value";
        Future<?> first = pool.schedule(runnable, 1, HOURS);
        Future<?> second = pool.schedule(callable, 1, HOURS);
        Future<?> third = pool.scheduleAtFixedRate(runnable, 1, 1, HOURS);
        Future<?> fourth = pool.scheduleWithFixedDelay(runnable, 1, 1, HOURS);
        Same.objects("decorated tasks", tasks, runnable, callable, runnable, runnable);
        Same.objects("made by decorateTask", made, first, second, third, fourth);
        assertThat(pool.getQueue().toArray()).containsExactlyInAnyOrder(first, second, third, fourth);
        second.cancel(false);
        pool.purge();
        assertThat(pool.getQueue().toArray()).containsExactlyInAnyOrder(first, third, fourth);
        assertThat(pool.remove((Runnable) fourth)).isTrue();
        Future<?> now = pool.schedule(callable, 0, HOURS);
        pools.eventually("the task that is due", () -> hooks.after.size() == 1);
        Same.objects("beforeExecute", hooks.before, now);
        Same.objects("afterExecute", hooks.after, now);
        assertThat(pool.shutdownNow().toArray()).containsExactlyInAnyOrder(first, third);
    }

    @EveryScheduledPool
    void schedule_overridden_executeAndSubmitPassThroughIt(ScheduledFixture pools) {
        List<Object> scheduled = new CopyOnWriteArrayList<>();
        ScheduledThreadPoolExecutor pool = pools.make(pools.spec(1).hooks(new Hooks() {
            @Override
            void scheduling(Object task) {
                scheduled.add(task);
            }
        }));
        Runnable executed = () -> {};
        Runnable submitted = () -> {};
        Callable<String> called = () -> "value";
        pool.execute(executed);
        pool.submit(submitted);
        pool.submit(called);
        Same.objects("passed through schedule", scheduled, executed, submitted, called);
    }
}
