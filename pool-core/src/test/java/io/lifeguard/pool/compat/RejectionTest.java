package io.lifeguard.pool.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.testing.HeldTask;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

/** Rejection by a full or shut-down pool, with the JDK's policies and with a user's own. */
class RejectionTest {

    /** A full pool: one worker, busy with {@code running}, and one task in the queue. */
    private record Full(ThreadPoolExecutor pool, HeldTask running, HeldTask waiting) {

        static Full pool(PoolFixture pools, PoolSpec spec) {
            ThreadPoolExecutor pool = pools.make(spec.queue(pools.bounded(1)));
            HeldTask running = pools.occupy(pool);
            HeldTask waiting = pools.heldTask();
            pool.execute(waiting);
            return new Full(pool, running, waiting);
        }

        static Full pool(PoolFixture pools, RejectedExecutionHandler handler) {
            return pool(pools, pools.spec(1, 1).handler(handler));
        }
    }

    @EveryPool
    void abortPolicy_poolFull_throwsTheJdksMessage(PoolFixture pools) {
        for (PoolSpec spec : List.of(
                pools.spec(1, 1),
                pools.spec(1, 1).handler(new ThreadPoolExecutor.AbortPolicy()),
                pools.spec(1, 1).factory(new RecordingFactory()))) {
            ThreadPoolExecutor pool = Full.pool(pools, spec).pool();
            Runnable task = pools.heldTask();
            String expected = "Task " + task + " rejected from " + pool;
            assertThatThrownBy(() -> pool.execute(task))
                    .isExactlyInstanceOf(RejectedExecutionException.class)
                    .hasMessage(expected)
                    .hasNoCause();
            assertThat(expected)
                    .contains("[Running, pool size = 1, active threads = 1, queued tasks = 1, completed tasks = 0]");
        }
    }

    @EveryPool
    void abortPolicy_poolShutDown_throwsTheJdksMessage(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        pools.occupy(pool);
        pool.shutdown();
        Runnable task = pools.heldTask();
        assertThatThrownBy(() -> pool.execute(task))
                .isExactlyInstanceOf(RejectedExecutionException.class)
                .hasMessage("Task " + task + " rejected from " + pool);
    }

    @EveryPool
    void execute_rejected_leavesNoTrace(PoolFixture pools) {
        Full full = Full.pool(pools, pools.spec(1, 1));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> full.pool().execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
            assertThatThrownBy(() -> full.pool().submit(() -> {})).isInstanceOf(RejectedExecutionException.class);
        }
        Same.objects("queue", full.pool().getQueue(), full.waiting());
        assertThat(full.pool().getTaskCount()).isEqualTo(2);
        full.running().release();
        full.waiting().release();
        pools.eventually("both completed", () -> full.pool().getCompletedTaskCount() == 2);
        assertThat(full.pool().getTaskCount()).isEqualTo(2);
    }

    @EveryPool
    void invokeAll_poolFull_throwsAndCancelsWhatWasAccepted(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).queue(pools.bounded(1)));
        pools.occupy(pool);
        AtomicInteger runs = new AtomicInteger();
        Callable<Integer> task = runs::incrementAndGet;
        assertThatThrownBy(() -> pool.invokeAll(List.of(task, task))).isInstanceOf(RejectedExecutionException.class);
        assertThat(pool.getQueue()).hasSize(1).allMatch(queued -> ((Future<?>) queued).isCancelled());
        assertThat(runs).hasValue(0);
    }

    @EveryPool
    void callerRunsPolicy_poolFull_callerRunsItBeforeExecuteReturns(PoolFixture pools) {
        LoggingHooks hooks = new LoggingHooks();
        Full full = Full.pool(
                pools,
                pools.spec(1, 1)
                        .handler(new ThreadPoolExecutor.CallerRunsPolicy())
                        .hooks(hooks));
        List<Thread> runners = new CopyOnWriteArrayList<>();
        full.pool().execute(() -> runners.add(Thread.currentThread()));
        assertThat(runners).containsExactly(Thread.currentThread());
        Future<?> future = full.pool().submit(() -> runners.add(Thread.currentThread()));
        assertThat(runners).containsExactly(Thread.currentThread(), Thread.currentThread());
        assertThat(future.isDone()).isTrue();
        // The hooks are for workers.
        Same.objects("beforeExecute", hooks.before, full.running());
        assertThat(hooks.after).isEmpty();
        assertThat(full.pool().getTaskCount()).isEqualTo(2);
        assertThat(full.pool().getCompletedTaskCount()).isZero();
    }

    @EveryPool
    void callerRunsPolicy_taskThrows_callerGetsThatVeryException(PoolFixture pools) {
        Full full = Full.pool(pools, new ThreadPoolExecutor.CallerRunsPolicy());
        Exception problem = new Exception("checked");
        assertThatThrownBy(() -> full.pool().execute(() -> Sneaky.raise(problem)))
                .isSameAs(problem);
    }

    @EveryPool
    void callerRunsPolicy_callerInterrupted_taskSeesTheInterrupt(PoolFixture pools) {
        Full full = Full.pool(pools, new ThreadPoolExecutor.CallerRunsPolicy());
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        Thread.currentThread().interrupt();
        full.pool().execute(() -> seen.add(Thread.currentThread().isInterrupted()));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(seen).containsExactly(true);
    }

    @EveryPool
    void callerRunsPolicy_ownWorkerSubmits_itRunsTheTaskItself(PoolFixture pools) {
        ThreadPoolExecutor pool =
                pools.make(pools.spec(1, 1).queue(pools.bounded(1)).handler(new ThreadPoolExecutor.CallerRunsPolicy()));
        List<Thread> runners = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        pool.execute(() -> {
            pool.execute(() -> {});
            pool.execute(() -> runners.add(Thread.currentThread()));
            runners.add(Thread.currentThread());
            done.countDown();
        });
        pools.await("task", done);
        assertThat(runners).hasSize(2);
        assertThat(runners.get(0)).isSameAs(runners.get(1)).isNotSameAs(Thread.currentThread());
    }

    @EveryPool
    void callerRunsPolicy_poolShutDown_dropsTheTask(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).handler(new ThreadPoolExecutor.CallerRunsPolicy()));
        pool.shutdown();
        AtomicInteger runs = new AtomicInteger();
        pool.execute(runs::incrementAndGet);
        Future<?> future = pool.submit(runs::incrementAndGet);
        assertThat(runs).hasValue(0);
        assertThat(future.isDone()).isFalse();
    }

    @EveryPool
    void discardPolicy_poolFull_dropsTheTaskInSilence(PoolFixture pools) {
        Full full = Full.pool(pools, new ThreadPoolExecutor.DiscardPolicy());
        AtomicInteger runs = new AtomicInteger();
        full.pool().execute(runs::incrementAndGet);
        Future<?> future = full.pool().submit(runs::incrementAndGet);
        Same.objects("queue", full.pool().getQueue(), full.waiting());
        full.running().release();
        full.waiting().release();
        pools.eventually("both completed", () -> full.pool().getCompletedTaskCount() == 2);
        assertThat(runs).hasValue(0);
        assertThat(future.isDone()).isFalse();
        assertThat(future.isCancelled()).isFalse();
    }

    @EveryPool
    void discardOldestPolicy_poolFull_dropsTheHeadAndQueuesTheTask(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(
                pools.spec(1, 1).queue(pools.bounded(2)).handler(new ThreadPoolExecutor.DiscardOldestPolicy()));
        HeldTask running = pools.occupy(pool);
        HeldTask oldest = pools.heldTask();
        List<String> ran = new CopyOnWriteArrayList<>();
        Runnable second = () -> ran.add("second");
        Runnable third = () -> ran.add("third");
        pool.execute(oldest);
        pool.execute(second);
        pool.execute(third);
        Same.objects("queue", pool.getQueue(), second, third);
        running.release();
        pools.eventually("both", () -> ran.size() == 2);
        assertThat(ran).containsExactly("second", "third");
        assertThat(oldest.started.getCount()).isEqualTo(1);
    }

    @EveryPool
    void discardOldestPolicy_poolShutDown_dropsTheNewTaskOnly(PoolFixture pools) {
        Full full = Full.pool(pools, new ThreadPoolExecutor.DiscardOldestPolicy());
        full.pool().shutdown();
        full.pool().execute(() -> {});
        Same.objects("queue", full.pool().getQueue(), full.waiting());
    }

    @EveryPool
    void userHandler_poolFull_isCalledOnceByTheSubmitter(PoolFixture pools) {
        List<Thread> callers = new CopyOnWriteArrayList<>();
        Full full = Full.pool(pools, (task, pool) -> callers.add(Thread.currentThread()));
        full.pool().execute(() -> {});
        assertThat(callers).containsExactly(Thread.currentThread());
    }

    @EveryPool
    void userHandler_throws_submitterGetsThatVeryException(PoolFixture pools) {
        Exception problem = new Exception("from the handler");
        Full full = Full.pool(pools, (task, pool) -> Sneaky.raise(problem));
        assertThatThrownBy(() -> full.pool().execute(() -> {})).isSameAs(problem);
        assertThatThrownBy(() -> full.pool().submit(() -> {})).isSameAs(problem);
    }

    @EveryPool
    void userHandler_executesAgain_isServedWhenThereIsRoom(PoolFixture pools) {
        // Many users write "discard oldest" like this.
        AtomicInteger calls = new AtomicInteger();
        Full full = Full.pool(pools, (task, pool) -> {
            calls.incrementAndGet();
            pool.getQueue().poll();
            pool.execute(task);
        });
        Runnable task = () -> {};
        full.pool().execute(task);
        Same.objects("queue", full.pool().getQueue(), task);
        assertThat(calls).hasValue(1);
    }

    @EveryPool
    void userHandler_executesWhileStillFull_isCalledAgainFromWithin(PoolFixture pools) {
        AtomicInteger depth = new AtomicInteger();
        Full full = Full.pool(pools, (task, pool) -> {
            if (depth.incrementAndGet() < 5) {
                pool.execute(task);
            }
        });
        full.pool().execute(() -> {});
        assertThat(depth).hasValue(5);
    }

    @EveryPool
    void userHandler_putsIntoTheQueue_taskRunsWhenThereIsRoom(PoolFixture pools) {
        // Many users write "block the caller" like this.
        CountDownLatch inHandler = new CountDownLatch(1);
        Full full = Full.pool(pools, (task, pool) -> {
            inHandler.countDown();
            try {
                pool.getQueue().put(task);
            } catch (InterruptedException e) {
                throw new RejectedExecutionException(e);
            }
        });
        CountDownLatch ran = new CountDownLatch(1);
        pools.thread(() -> full.pool().execute(ran::countDown));
        pools.await("the handler", inHandler);
        pools.never("run of the task", () -> ran.getCount() == 0);
        full.running().release();
        full.waiting().release();
        pools.await("run of the task", ran);
    }

    @EveryPool
    void userHandler_poolShutDown_isCalledToo(PoolFixture pools) {
        List<Object> seen = new CopyOnWriteArrayList<>();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).handler((task, executor) -> {
            seen.add(task);
            seen.add(executor);
            seen.add(executor.isShutdown());
        }));
        pool.shutdown();
        Runnable task = () -> {};
        pool.execute(task);
        Same.objects("seen", seen, task, pool, true);
    }
}
