package io.lifeguard.pool.compat;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.HeldTask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/** A pool returns the same objects that the user gave it. */
class IdentityTest {

    @EveryPool
    void getQueue_anyConstructor_isTheQueueThatWasPassed(PoolFixture pools) {
        for (PoolSpec spec : pools.everyConstructor(1, 1)) {
            assertThat((Object) pools.make(spec).getQueue()).isSameAs(spec.queue());
        }
    }

    @EveryPool
    void getQueue_anyKindOfQueue_isTheQueueThatWasPassed(PoolFixture pools) {
        List<BlockingQueue<Runnable>> kinds = List.of(
                pools.bounded(3),
                new SynchronousQueue<>(),
                new PriorityBlockingQueue<>(),
                new LinkedBlockingDeque<>(3),
                new LinkedTransferQueue<>());
        for (BlockingQueue<Runnable> queue : kinds) {
            assertThat((Object) pools.make(pools.spec(1, 1).queue(queue)).getQueue())
                    .isSameAs(queue);
        }
    }

    @EveryPool
    void getQueue_tasksExecuted_holdsThoseTasks(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        pools.occupy(pool);
        Runnable first = () -> {};
        Runnable second = pools.heldTask();
        pool.execute(first);
        pool.execute(second);
        Same.objects("queue", pool.getQueue(), first, second);
        Same.objects("toArray", List.of(pool.getQueue().toArray()), first, second);
        assertThat(pool.getQueue().peek()).isSameAs(first);
        assertThat(pool.getQueue().contains(first)).isTrue();
        assertThat(pool.getQueue().contains(second)).isTrue();
        assertThat(pool.getQueue().contains(pools.heldTask())).isFalse();
    }

    @EveryPool
    void getQueue_tasksSubmitted_holdsTheReturnedFutures(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        pools.occupy(pool);
        Future<?> ofRunnable = pool.submit(() -> {});
        Future<?> ofValue = pool.submit(() -> {}, "value");
        Future<?> ofCallable = pool.submit(() -> "value");
        Same.objects("queue", pool.getQueue(), ofRunnable, ofValue, ofCallable);
    }

    @EveryPool
    void getQueue_sameTaskManyTimes_holdsItAsManyTimes(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask held = pools.occupy(pool);
        CountDownLatch runs = new CountDownLatch(3);
        Runnable task = runs::countDown;
        pool.execute(task);
        pool.execute(task);
        pool.execute(task);
        Same.objects("queue", pool.getQueue(), task, task, task);
        held.release();
        pools.await("three runs of one task", runs);
    }

    @EveryPool
    void getQueue_taskAddedByHand_isRunAndSeenByTheHooks(PoolFixture pools) {
        LoggingHooks hooks = new LoggingHooks();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).hooks(hooks));
        HeldTask held = pools.occupy(pool);
        CountDownLatch ran = new CountDownLatch(1);
        Runnable task = ran::countDown;
        assertThat(pool.getQueue().offer(task)).isTrue();
        held.release();
        pools.await("run of the task that was put into the queue", ran);
        pools.eventually("second call of afterExecute", () -> hooks.after.size() == 2);
        Same.objects("beforeExecute", hooks.before, held, task);
        Same.objects("afterExecute", hooks.after, held, task);
    }

    @EveryPool
    void execute_userSubclassOfQueue_offersItTheTask(PoolFixture pools) {
        List<Object> offered = new CopyOnWriteArrayList<>();
        BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>() {
            private static final long serialVersionUID = 1;

            @Override
            public boolean offer(Runnable task) {
                offered.add(task);
                return super.offer(task);
            }
        };
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).queue(queue));
        pools.occupy(pool);
        Runnable task = () -> {};
        pool.execute(task);
        Same.objects("offered", offered, task);
    }

    @EveryPool
    void execute_priorityQueue_runsComparableTasksInTheirOrder(PoolFixture pools) {
        record Ranked(int rank, List<Integer> ran, CountDownLatch left) implements Runnable, Comparable<Ranked> {
            @Override
            public void run() {
                ran.add(rank);
                left.countDown();
            }

            @Override
            public int compareTo(Ranked other) {
                return Integer.compare(rank, other.rank);
            }
        }
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).queue(new PriorityBlockingQueue<>()));
        HeldTask held = pools.occupy(pool);
        List<Integer> ran = new CopyOnWriteArrayList<>();
        CountDownLatch left = new CountDownLatch(3);
        List.of(3, 1, 2).forEach(rank -> pool.execute(new Ranked(rank, ran, left)));
        held.release();
        pools.await("three ranked tasks", left);
        assertThat(ran).containsExactly(1, 2, 3);
    }

    @EveryPool
    void remove_queuedTask_takesItOutUnrun(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask held = pools.occupy(pool);
        HeldTask unwanted = pools.heldTask();
        HeldTask wanted = pools.heldTask();
        pool.execute(unwanted);
        pool.execute(wanted);
        assertThat(pool.remove(unwanted)).isTrue();
        assertThat(pool.remove(unwanted)).isFalse();
        Same.objects("queue", pool.getQueue(), wanted);
        held.release();
        pools.await("the task left", wanted.started);
        assertThat(unwanted.started.getCount()).isEqualTo(1);
    }

    @EveryPool
    void remove_taskThatIsNotQueued_isFalse(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask running = pools.occupy(pool);
        assertThat(pool.remove(running)).isFalse();
        assertThat(pool.remove(() -> {})).isFalse();
    }

    @EveryPool
    void remove_returnedFuture_takesItOut(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        pools.occupy(pool);
        Future<?> future = pool.submit(() -> "value");
        assertThat(pool.remove((Runnable) future)).isTrue();
        assertThat(pool.getQueue()).isEmpty();
        assertThat(future.isDone()).isFalse();
    }

    @EveryPool
    void remove_taskQueuedTwice_takesOneOut(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        pools.occupy(pool);
        Runnable task = () -> {};
        pool.execute(task);
        pool.execute(task);
        assertThat(pool.remove(task)).isTrue();
        Same.objects("queue", pool.getQueue(), task);
    }

    @EveryPool
    void remove_equalTask_goesByEquals(PoolFixture pools) {
        record Named(String name) implements Runnable {
            @Override
            public void run() {}
        }
        ThreadPoolExecutor pool = pools.fixed(1);
        pools.occupy(pool);
        pool.execute(new Named("a"));
        pool.execute(new Named("b"));
        assertThat(pool.getQueue().contains(new Named("b"))).isTrue();
        assertThat(pool.remove(new Named("b"))).isTrue();
        assertThat(pool.remove(new Named("c"))).isFalse();
        assertThat(pool.getQueue()).hasSize(1);
    }

    @EveryPool
    void purge_someFuturesCancelled_dropsExactlyThose(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        pools.occupy(pool);
        Runnable raw = () -> {};
        Future<?> kept = pool.submit(() -> {});
        Future<?> cancelled = pool.submit(() -> {});
        pool.execute(raw);
        Future<?> cancelledToo = pool.submit(() -> {});
        cancelled.cancel(false);
        cancelledToo.cancel(true);
        assertThat(pool.getQueue()).hasSize(4);
        pool.purge();
        Same.objects("queue", pool.getQueue(), kept, raw);
    }

    @EveryPool
    void shutdownNow_tasksWaiting_returnsThoseTasksInOrder(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        pools.occupy(pool);
        Runnable raw = () -> {};
        pool.execute(raw);
        Future<?> ofRunnable = pool.submit(() -> {});
        Future<?> ofCallable = pool.submit(() -> "value");
        pool.execute(raw);
        List<Runnable> returned = pool.shutdownNow();
        Same.objects("returned", returned, raw, ofRunnable, ofCallable, raw);
        assertThat(pool.getQueue()).isEmpty();
        returned.add(raw);
    }

    @EveryPool
    void handler_poolFull_seesTheTaskAndThePool(PoolFixture pools) {
        List<Object> seen = new ArrayList<>();
        ThreadPoolExecutor pool =
                pools.make(pools.spec(1, 1).queue(pools.bounded(1)).handler((task, executor) -> {
                    seen.add(task);
                    seen.add(executor);
                }));
        pools.occupy(pool);
        pool.execute(() -> {});
        Runnable raw = () -> {};
        pool.execute(raw);
        Future<?> future = pool.submit(() -> "value");
        Same.objects("seen by the handler", seen, raw, pool, future, pool);
    }

    @EveryPool
    void hooks_tasksExecuted_seeThoseTasks(PoolFixture pools) {
        LoggingHooks hooks = new LoggingHooks();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).hooks(hooks));
        HeldTask first = pools.occupy(pool);
        Runnable lambda = () -> {};
        Future<?> future = pool.submit(() -> "value");
        pool.execute(lambda);
        pool.execute(lambda);
        first.release();
        pools.eventually("four calls of afterExecute", () -> hooks.after.size() == 4);
        Same.objects("beforeExecute", hooks.before, first, future, lambda, lambda);
        Same.objects("afterExecute", hooks.after, first, future, lambda, lambda);
    }

    @EveryPool
    void getThreadFactory_factoryGiven_isThatFactory(PoolFixture pools) {
        ThreadFactory factory = new RecordingFactory();
        assertThat(pools.make(pools.spec(1, 1).factory(factory)).getThreadFactory())
                .isSameAs(factory);
        RejectedExecutionHandler handler = new ThreadPoolExecutor.DiscardPolicy();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(factory).handler(handler));
        assertThat(pool.getThreadFactory()).isSameAs(factory);
    }

    @EveryPool
    void getThreadFactory_noneGiven_isUsable(PoolFixture pools) {
        Thread made = pools.fixed(1).getThreadFactory().newThread(() -> {});
        assertThat(made.getName()).matches("pool-\\d+-thread-1");
        assertThat(made.getState()).isEqualTo(Thread.State.NEW);
    }

    @EveryPool
    void setThreadFactory_anotherFactory_isReturnedAndUsedFromThenOn(PoolFixture pools) {
        RecordingFactory first = new RecordingFactory();
        RecordingFactory second = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(2, 2).factory(first));
        HeldTask onFirst = pools.occupy(pool);
        pool.setThreadFactory(second);
        assertThat(pool.getThreadFactory()).isSameAs(second);
        HeldTask onSecond = pools.occupy(pool);
        Same.objects("first factory", first.made, worker(onFirst));
        Same.objects("second factory", second.made, worker(onSecond));
    }

    @EveryPool
    void getRejectedExecutionHandler_handlerGiven_isThatHandler(PoolFixture pools) {
        RejectedExecutionHandler handler = new ThreadPoolExecutor.CallerRunsPolicy();
        assertThat(pools.make(pools.spec(1, 1).handler(handler)).getRejectedExecutionHandler())
                .isSameAs(handler);
        ThreadPoolExecutor pool =
                pools.make(pools.spec(1, 1).factory(new RecordingFactory()).handler(handler));
        assertThat(pool.getRejectedExecutionHandler()).isSameAs(handler);
    }

    @EveryPool
    void getRejectedExecutionHandler_noneGiven_isTheAbortPolicy(PoolFixture pools) {
        assertThat(pools.fixed(1).getRejectedExecutionHandler())
                .isExactlyInstanceOf(ThreadPoolExecutor.AbortPolicy.class);
    }

    @EveryPool
    void setRejectedExecutionHandler_anotherHandler_isReturnedAndUsedFromThenOn(PoolFixture pools) {
        List<Object> seen = new ArrayList<>();
        RejectedExecutionHandler handler = (task, executor) -> seen.add(task);
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).queue(pools.bounded(1)));
        pools.occupy(pool);
        pool.execute(() -> {});
        pool.setRejectedExecutionHandler(handler);
        assertThat(pool.getRejectedExecutionHandler()).isSameAs(handler);
        Runnable task = () -> {};
        pool.execute(task);
        Same.objects("seen by the second handler", seen, task);
    }

    @EveryPool
    void getKeepAliveTime_anyConstructor_isTheTimeThatWasPassed(PoolFixture pools) {
        for (PoolSpec spec : pools.everyConstructor(1, 2)) {
            ThreadPoolExecutor pool = pools.make(spec.keepAlive(7, SECONDS));
            assertThat(pool.getKeepAliveTime(SECONDS)).isEqualTo(7);
            assertThat(pool.getCorePoolSize()).isEqualTo(1);
            assertThat(pool.getMaximumPoolSize()).isEqualTo(2);
            assertThat(pool.allowsCoreThreadTimeOut()).isFalse();
        }
    }

    private static @Nullable Thread worker(HeldTask task) {
        return task.worker;
    }
}
