package io.lifeguard.pool.compat;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lifeguard.pool.testing.HeldTask;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

/** A pool ends by {@code shutdown}, {@code shutdownNow} or {@code close}. */
class ShutdownTest {

    @EveryPool
    void state_throughALife_changesAsItDoesInTheJdk(PoolFixture pools) throws Exception {
        ThreadPoolExecutor pool = pools.fixed(1);
        states(pool, false, false, false);
        HeldTask held = pools.occupy(pool);
        states(pool, false, false, false);
        pool.shutdown();
        states(pool, true, true, false);
        assertThat(pool.awaitTermination(1, MILLISECONDS)).isFalse();
        assertThat(pool.awaitTermination(0, SECONDS)).isFalse();
        assertThat(pool.awaitTermination(-1, SECONDS)).isFalse();
        held.release();
        assertThat(pool.awaitTermination(pools.patience().toNanos(), NANOSECONDS))
                .isTrue();
        states(pool, true, false, true);
        assertThat(pool.awaitTermination(0, SECONDS)).isTrue();
        assertThat(pool.getPoolSize()).isZero();
        assertThat(pool.getCompletedTaskCount()).isEqualTo(1);
        assertThat(pool.getLargestPoolSize()).isEqualTo(1);
    }

    private static void states(ThreadPoolExecutor pool, boolean shutdown, boolean terminating, boolean terminated) {
        assertThat(pool.isShutdown()).isEqualTo(shutdown);
        assertThat(pool.isTerminating()).isEqualTo(terminating);
        assertThat(pool.isTerminated()).isEqualTo(terminated);
    }

    @EveryPool
    void shutdown_poolNeverUsed_terminatesAtOnce(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(2);
        pool.shutdown();
        states(pool, true, false, true);
        pool.shutdown();
        assertThat(pool.shutdownNow()).isEmpty();
        states(pool, true, false, true);
    }

    @EveryPool
    void shutdown_idleWorkers_leave(PoolFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(3, 3).factory(factory));
        pool.prestartAllCoreThreads();
        pool.shutdown();
        pools.eventually("terminated", pool::isTerminated);
        pools.eventually("end of the threads", () -> factory.made.stream().noneMatch(Thread::isAlive));
        assertThat(factory.uncaught).isEmpty();
    }

    @EveryPool
    void shutdown_tasksWaiting_theyStillRun(PoolFixture pools) throws Exception {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask held = pools.occupy(pool);
        CountDownLatch ran = new CountDownLatch(1);
        pool.execute(ran::countDown);
        Future<String> future = pool.submit(() -> "value");
        pool.shutdown();
        assertThat(pool.getQueue()).hasSize(2);
        held.release();
        pools.await("queued task", ran);
        assertThat(pools.get(future)).isEqualTo("value");
        pools.eventually("terminated", pool::isTerminated);
        assertThat(pool.getCompletedTaskCount()).isEqualTo(3);
    }

    @EveryPool
    void shutdown_executeAfterwards_isRejectedAndNotQueued(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask held = pools.occupy(pool);
        pool.shutdown();
        AtomicInteger runs = new AtomicInteger();
        Runnable late = runs::incrementAndGet;
        assertThatThrownBy(() -> pool.execute(late)).isExactlyInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> pool.submit(late)).isExactlyInstanceOf(RejectedExecutionException.class);
        assertThat(pool.getQueue()).isEmpty();
        held.release();
        pools.eventually("terminated", pool::isTerminated);
        assertThatThrownBy(() -> pool.execute(late)).isExactlyInstanceOf(RejectedExecutionException.class);
        assertThat(runs).hasValue(0);
        assertThat(pool.getPoolSize()).isZero();
    }

    @EveryPool
    void shutdown_prestartAfterwards_startsNone(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(2);
        pools.occupy(pool);
        pool.shutdown();
        assertThat(pool.prestartCoreThread()).isFalse();
        assertThat(pool.prestartAllCoreThreads()).isZero();
        assertThat(pool.getPoolSize()).isEqualTo(1);
    }

    @EveryPool
    void shutdownNow_tasksWaiting_neverRun(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask held = pools.occupy(pool);
        HeldTask waiting = pools.heldTask();
        pool.execute(waiting);
        Same.objects("returned", pool.shutdownNow(), waiting);
        pools.await("interrupt", held.interrupted);
        pools.eventually("terminated", pool::isTerminated);
        assertThat(waiting.started.getCount()).isEqualTo(1);
        assertThat(pool.shutdownNow()).isEmpty();
    }

    @EveryPool
    void shutdownNow_afterShutdown_returnsWhatIsLeftAndInterrupts(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask held = pools.occupy(pool);
        HeldTask waiting = pools.heldTask();
        pool.execute(waiting);
        pool.shutdown();
        Same.objects("returned", pool.shutdownNow(), waiting);
        pools.await("interrupt", held.interrupted);
        pools.eventually("terminated", pool::isTerminated);
    }

    @EveryPool
    void shutdownNow_futuresWaiting_areNeitherDoneNorCancelled(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        pools.occupy(pool);
        Future<String> future = pool.submit(() -> "value");
        pool.shutdownNow();
        pools.eventually("terminated", pool::isTerminated);
        assertThat(future.isDone()).isFalse();
        assertThat(future.isCancelled()).isFalse();
    }

    @EveryPool
    void remove_lastWaitingTaskAfterShutdown_letsThePoolTerminate(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(work -> null));
        HeldTask task = pools.heldTask();
        pool.execute(task);
        pool.shutdown();
        assertThat(pool.isTerminated()).isFalse();
        assertThat(pool.remove(task)).isTrue();
        assertThat(pool.isTerminated()).isTrue();
    }

    @EveryPool
    void shutdown_byAnOwnTask_letsThatTaskFinish(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        pool.execute(() -> {
            pool.shutdown();
            interrupted.add(Thread.currentThread().isInterrupted());
        });
        pools.eventually("terminated", pool::isTerminated);
        assertThat(interrupted).containsExactly(false);
    }

    @EveryPool
    void shutdownNow_byAnOwnTask_interruptsThatTask(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        pool.execute(() -> {
            pool.shutdownNow();
            interrupted.add(Thread.currentThread().isInterrupted());
        });
        pools.eventually("terminated", pool::isTerminated);
        assertThat(interrupted).containsExactly(true);
    }

    @EveryPool
    void awaitTermination_manyWaiting_allAreReleased(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        HeldTask held = pools.occupy(pool);
        pool.shutdown();
        CountDownLatch released = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            pools.thread(() -> {
                if (pool.awaitTermination(pools.patience().toNanos(), NANOSECONDS)) {
                    released.countDown();
                }
            });
        }
        held.release();
        pools.await("three waiting threads", released);
    }

    @EveryPool
    void close_tasksWaiting_returnsWhenTheyHaveRun(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        assumeTrue(pool instanceof AutoCloseable, "executors are closeable from Java 19 on");
        CountDownLatch ran = new CountDownLatch(2);
        HeldTask held = pools.occupy(pool);
        pool.execute(ran::countDown);
        pool.execute(ran::countDown);
        CountDownLatch closed = new CountDownLatch(1);
        pools.thread(() -> {
            ((AutoCloseable) pool).close();
            closed.countDown();
        });
        pools.eventually("shut down", pool::isShutdown);
        pools.never("return of close", () -> closed.getCount() == 0);
        held.release();
        pools.await("return of close", closed);
        assertThat(ran.getCount()).isZero();
        assertThat(pool.isTerminated()).isTrue();
    }

    @EveryPool
    void close_callerInterrupted_shutsDownNowAndKeepsTheInterrupt(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(1);
        assumeTrue(pool instanceof AutoCloseable, "executors are closeable from Java 19 on");
        HeldTask held = pools.occupy(pool);
        HeldTask waiting = pools.heldTask();
        pool.execute(waiting);
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        Thread closer = pools.thread(() -> {
            ((AutoCloseable) pool).close();
            interrupted.add(Thread.currentThread().isInterrupted());
        });
        pools.eventually("shut down", pool::isShutdown);
        closer.interrupt();
        pools.eventually("return of close", () -> interrupted.size() == 1);
        assertThat(interrupted).containsExactly(true);
        assertThat(held.wasInterrupted()).isTrue();
        assertThat(waiting.started.getCount()).isEqualTo(1);
        assertThat(pool.isTerminated()).isTrue();
    }
}
