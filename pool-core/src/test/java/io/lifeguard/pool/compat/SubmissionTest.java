package io.lifeguard.pool.compat;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.testing.Delays;
import io.lifeguard.pool.testing.Gate;
import io.lifeguard.pool.testing.HeldTask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Submitted tasks run once, and their futures show the outcome. */
class SubmissionTest {

    @EveryPool
    void submit_taskReturns_futureHoldsItsResult(PoolFixture pools) throws Exception {
        ThreadPoolExecutor pool = pools.fixed(1);
        Object value = new Object();
        assertThat(pools.get(pool.submit(() -> value))).isSameAs(value);
        assertThat(pools.get(pool.submit(() -> {}, value))).isSameAs(value);
        Future<?> future = pool.submit(() -> {});
        assertThat(pools.get(future)).isNull();
        assertThat(future.isDone()).isTrue();
        assertThat(future.isCancelled()).isFalse();
    }

    @EveryPool
    void get_taskNotFinished_timesOut(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        pools.occupy(pool);
        Future<String> future = pool.submit(() -> "value");
        assertThatThrownBy(() -> future.get(1, MILLISECONDS)).isExactlyInstanceOf(TimeoutException.class);
        assertThat(future.isDone()).isFalse();
    }

    @EveryPool
    void cancel_taskQueued_itNeverRunsAndStaysQueued(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask held = pools.occupy(pool);
        AtomicInteger runs = new AtomicInteger();
        Future<?> future = pool.submit(runs::incrementAndGet);
        assertThat(future.cancel(false)).isTrue();
        assertThat(future.isCancelled()).isTrue();
        assertThat(future.isDone()).isTrue();
        assertThatThrownBy(future::get).isExactlyInstanceOf(CancellationException.class);
        Same.objects("queue", pool.getQueue(), future);
        CountDownLatch after = new CountDownLatch(1);
        pool.execute(after::countDown);
        held.release();
        pools.await("the task behind it", after);
        assertThat(runs).hasValue(0);
        assertThat(future.cancel(true)).isFalse();
    }

    @EveryPool
    void execute_oneWorker_runsInOrderOfSubmission(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        List<Integer> ran = new CopyOnWriteArrayList<>();
        IntStream.range(0, 200).forEach(i -> pool.execute(() -> ran.add(i)));
        pools.eventually("all tasks", () -> ran.size() == 200);
        assertThat(ran).isSorted();
    }

    @EveryPool
    void execute_fromManyThreads_everyTaskRunsOnce(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(2, 2).queue(pools.bounded(2000)));
        AtomicInteger[] runs = new AtomicInteger[2000];
        for (int i = 0; i < runs.length; i++) {
            runs[i] = new AtomicInteger();
        }
        CountDownLatch left = new CountDownLatch(runs.length);
        for (int t = 0; t < 4; t++) {
            int first = t;
            pools.thread(() -> {
                for (int i = first; i < runs.length; i += 4) {
                    AtomicInteger own = runs[i];
                    pool.execute(() -> {
                        own.incrementAndGet();
                        left.countDown();
                    });
                }
            });
        }
        pools.await("all tasks", left);
        assertThat(runs).allMatch(count -> count.get() == 1);
    }

    @EveryPool
    void execute_sameTaskManyTimes_runsAsManyTimesAlsoAtOnce(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(3);
        CountDownLatch together = new CountDownLatch(3);
        CountDownLatch done = new CountDownLatch(6);
        Gate gate = pools.gate();
        Runnable task = () -> {
            together.countDown();
            gate.passUninterruptibly();
            done.countDown();
        };
        for (int i = 0; i < 6; i++) {
            pool.execute(task);
        }
        pools.await("three runs at the same time", together);
        Same.objects("queue", pool.getQueue(), task, task, task);
        gate.open();
        pools.await("six runs", done);
    }

    @EveryPool
    void execute_withinATask_isQueuedBehind(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        List<String> ran = new CopyOnWriteArrayList<>();
        pool.execute(() -> {
            pool.execute(() -> ran.add("inner"));
            ran.add("outer");
        });
        pools.eventually("both", () -> ran.size() == 2);
        assertThat(ran).containsExactly("outer", "inner");
    }

    @EveryPool
    void execute_taskExecutesItselfAgain_runsAgain(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).queue(pools.bounded(1)));
        CountDownLatch left = new CountDownLatch(100);
        Runnable task = new Runnable() {
            @Override
            public void run() {
                left.countDown();
                if (left.getCount() > 0) {
                    pool.execute(this);
                }
            }
        };
        pool.execute(task);
        pools.await("a hundred runs", left);
    }

    @EveryPool
    void invokeAll_tasksReturnAndThrow_allFuturesAreDoneInOrder(PoolFixture pools) throws Exception {
        ThreadPoolExecutor pool = pools.fixed(2);
        IllegalStateException problem = new IllegalStateException();
        List<Future<String>> futures = pool.invokeAll(List.<Callable<String>>of(
                () -> "first",
                () -> {
                    throw problem;
                },
                () -> "third"));
        assertThat(futures).hasSize(3).allMatch(Future::isDone);
        assertThat(futures.get(0).get()).isEqualTo("first");
        assertThatThrownBy(() -> futures.get(1).get()).hasCause(problem);
        assertThat(futures.get(2).get()).isEqualTo("third");
        assertThat(pool.invokeAll(List.<Callable<String>>of())).isEmpty();
    }

    @EveryPool
    void invokeAll_timeOver_cancelsWhatIsNotDone(PoolFixture pools) throws Exception {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask slow = pools.heldTask();
        List<Future<Object>> futures = pool.invokeAll(
                List.<Callable<Object>>of(
                        () -> {
                            slow.run();
                            return "slow";
                        },
                        () -> "never begun"),
                Delays.QUIET.toNanos(),
                NANOSECONDS);
        assertThat(futures).hasSize(2).allMatch(Future::isDone).allMatch(Future::isCancelled);
        pools.eventually(
                "interrupt of the slow one, if it had started",
                () -> slow.started.getCount() == 1 || slow.wasInterrupted());
    }

    @EveryPool
    void invokeAny_someThrow_returnsASuccess(PoolFixture pools) throws Exception {
        ThreadPoolExecutor pool = pools.fixed(2);
        HeldTask slow = pools.heldTask();
        String result = pool.invokeAny(List.<Callable<String>>of(
                () -> {
                    throw new IllegalStateException();
                },
                () -> "fast",
                () -> {
                    slow.run();
                    return "slow";
                }));
        assertThat(result).isEqualTo("fast");
        pools.eventually("the slow one cancelled", () -> slow.started.getCount() == 1 || slow.ended.getCount() == 0);
        assertThat(pool.invokeAny(List.<Callable<String>>of(() -> "in time"), 60, SECONDS))
                .isEqualTo("in time");
    }

    @EveryPool
    void invokeAny_allThrow_throwsOneOfTheirs(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(2);
        IllegalStateException problem = new IllegalStateException();
        Callable<String> failing = () -> {
            throw problem;
        };
        assertThatThrownBy(() -> pool.invokeAny(List.of(failing, failing)))
                .isExactlyInstanceOf(ExecutionException.class)
                .hasCause(problem);
    }

    @EveryPool
    void invokeAny_timeOver_throwsAndCancels(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask slow = pools.heldTask();
        Callable<String> task = () -> {
            slow.run();
            return "slow";
        };
        assertThatThrownBy(() -> pool.invokeAny(List.of(task), 1, MILLISECONDS))
                .isExactlyInstanceOf(TimeoutException.class);
        pools.eventually("idle pool", () -> pool.getActiveCount() == 0);
    }

    @EveryPool
    void submit_manyFutures_allComplete(PoolFixture pools) throws Exception {
        ThreadPoolExecutor pool = pools.fixed(2);
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            int value = i;
            futures.add(pool.submit(() -> value));
        }
        for (int i = 0; i < 500; i++) {
            assertThat(futures.get(i).get(60, SECONDS)).isEqualTo(i);
        }
    }

    @EveryPool
    void execute_sameInstanceTwice_isQueuedAndRunTwice(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1));
        HeldTask held = pools.occupy(pool);
        AtomicInteger runs = new AtomicInteger();
        Runnable task = runs::incrementAndGet;
        pool.execute(task);
        pool.execute(task);
        assertThat(pool.getQueue()).containsExactly(task, task);
        held.release();
        pools.eventually("both runs", () -> runs.get() == 2);
        pools.eventually("all counted", () -> pool.getCompletedTaskCount() == 3);
    }
}
