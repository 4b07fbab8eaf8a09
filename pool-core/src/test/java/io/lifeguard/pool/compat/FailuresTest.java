package io.lifeguard.pool.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.testing.HeldTask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;

/** An exception of a task reaches its handler or its future, and the pool goes on. */
class FailuresTest {

    @EveryPool
    void execute_taskThrows_reachesTheUncaughtHandlerItself(PoolFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(factory));
        List<Throwable> problems =
                List.of(new IllegalStateException("unchecked"), new Error("error"), new Exception("checked"));
        problems.forEach(problem -> pool.execute(() -> Sneaky.raise(problem)));
        pools.eventually("three uncaught", () -> factory.uncaught.size() == 3);
        // A worker is replaced before its thread has ended, so the exceptions may arrive in another order.
        assertThat(factory.uncaught).containsExactlyInAnyOrderElementsOf(problems);
        assertThat(problems)
                .allSatisfy(problem -> assertThat(problem.getSuppressed()).isEmpty());
    }

    @EveryPool
    void execute_queuedTaskThrows_reachesTheUncaughtHandlerItself(PoolFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(factory));
        HeldTask held = pools.occupy(pool);
        Error problem = new Error("queued");
        pool.execute(() -> Sneaky.raise(problem));
        held.release();
        pools.eventually("uncaught", () -> factory.uncaught.size() == 1);
        assertThat(factory.uncaught.get(0)).isSameAs(problem);
    }

    @EveryPool
    void execute_taskThrows_itsWorkerIsReplaced(PoolFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(factory));
        pool.execute(() -> Sneaky.raise(new IllegalStateException()));
        pools.eventually(
                "end of the first thread",
                () -> factory.uncaught.size() == 1 && !factory.made.get(0).isAlive());
        pools.eventually("its replacement, without any new task", () -> pool.getPoolSize() == 1);
        HeldTask next = pools.occupy(pool);
        assertThat(factory.made).hasSize(2);
        assertThat(next.worker).isSameAs(factory.made.get(1));
    }

    @EveryPool
    void execute_manyTasksThrow_noneIsLost(PoolFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(2, 2).factory(factory));
        List<Throwable> problems = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            problems.add(new IllegalStateException("task " + i));
        }
        problems.forEach(problem -> pool.execute(() -> Sneaky.raise(problem)));
        pools.eventually("all of them uncaught", () -> factory.uncaught.size() == 100);
        assertThat(factory.uncaught).containsExactlyInAnyOrderElementsOf(problems);
        pools.eventually("all of them counted", () -> pool.getCompletedTaskCount() == 100);
        pools.eventually("two workers", () -> pool.getPoolSize() == 2);
        // As in the JDK, a worker that ends is counted out before it leaves the set of workers, and another may join.
        assertThat(pool.getLargestPoolSize()).isBetween(2, 4);
    }

    @EveryPool
    void submit_taskThrows_staysInTheFutureAndTheWorkerLives(PoolFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(factory));
        Exception checked = new Exception("checked");
        Error error = new Error("error");
        Future<?> failing = pool.submit(() -> {
            throw checked;
        });
        Future<?> failingToo = pool.submit(() -> Sneaky.raise(error));
        assertThatThrownBy(failing::get)
                .isExactlyInstanceOf(ExecutionException.class)
                .satisfies(e -> assertThat(e.getCause()).isSameAs(checked));
        assertThatThrownBy(failingToo::get)
                .isExactlyInstanceOf(ExecutionException.class)
                .satisfies(e -> assertThat(e.getCause()).isSameAs(error));
        pools.occupy(pool);
        assertThat(factory.uncaught).isEmpty();
        assertThat(factory.made).hasSize(1);
    }

    @EveryPool
    void execute_taskThrowsWhileShuttingDown_restOfTheQueueRuns(PoolFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(factory));
        HeldTask held = pools.occupy(pool);
        CountDownLatch ran = new CountDownLatch(2);
        pool.execute(() -> Sneaky.raise(new IllegalStateException()));
        pool.execute(ran::countDown);
        pool.execute(() -> Sneaky.raise(new IllegalStateException()));
        pool.execute(ran::countDown);
        pool.shutdown();
        held.release();
        pools.await("the tasks that return", ran);
        pools.eventually("terminated", pool::isTerminated);
        assertThat(pool.getCompletedTaskCount()).isEqualTo(5);
    }

    @EveryPool
    void execute_coreZeroAndTaskThrows_restOfTheQueueRuns(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(0, 1).factory(new RecordingFactory()));
        HeldTask held = pools.occupy(pool);
        CountDownLatch ran = new CountDownLatch(1);
        pool.execute(() -> Sneaky.raise(new IllegalStateException()));
        pool.execute(ran::countDown);
        held.release();
        pools.await("the task that returns", ran);
    }
}
