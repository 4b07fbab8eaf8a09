package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a user's rejection handler did with a raw task is found out without a search of a long queue, and without a call
 * of the task's {@code equals}.
 */
class UsersHandlerQueueTest {

    private static final int LONG = 1_000;

    @AutoClose
    private final Fixture fixture = new Fixture();

    private static PoolSnapshot snapshot(ThreadPoolExecutor pool) {
        return ((InstrumentedPool) pool).snapshot();
    }

    private static void put(Runnable task, ThreadPoolExecutor pool) {
        try {
            pool.getQueue().put(task);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A task that must be compared by identity only. */
    private static final class Incomparable implements Runnable {
        final CountDownLatch ran = new CountDownLatch(1);

        @Override
        public void run() {
            ran.countDown();
        }

        @Override
        public boolean equals(Object other) {
            throw new AssertionError("on purpose");
        }

        @Override
        public int hashCode() {
            throw new AssertionError("on purpose");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INSTRUMENTED", "INSTRUMENTED_ON_LINKED_QUEUE", "INSTRUMENTED_ON_ARRAY_QUEUE"})
    void handlerDrops_taskWhoseEqualsThrows_isLeftToTheHandler(PoolType type) {
        ThreadPoolExecutor pool = FullPool.of(fixture, type, (task, executor) -> {}).pool;
        pool.execute(new Incomparable());
        assertThat(snapshot(pool).saturation().rejections()).isEqualTo(Map.of(RejectionReason.LEFT_TO_HANDLER, 1L));
    }

    /** Forced: a worker has run the raw task to its end before the handler returns. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "INSTRUMENTED.*")
    void handlerEnqueues_rawTaskRunMeanwhile_isSubmitted(PoolType type) {
        Incomparable last = new Incomparable();
        FullPool<?>[] full = new FullPool<?>[1];
        full[0] = FullPool.of(fixture, type, (task, executor) -> {
            full[0].release();
            put(task, executor);
            fixture.await("run by the worker", last.ran);
        });
        ThreadPoolExecutor pool = full[0].pool;
        pool.execute(last);
        pool.shutdown();
        fixture.eventually("termination", pool::isTerminated);
        assertThat(snapshot(pool).saturation().rejections()).isEmpty();
        assertThat(snapshot(pool).submitted()).isEqualTo(2 + full[0].fillers);
        assertThat(snapshot(pool).completed()).isEqualTo(2 + full[0].fillers);
    }

    /** The handler's retry is given directly to a new worker, so that the queue never sees the task. */
    @Test
    void handlerGrowsThePoolAndExecutesAgain_rawTask_isSubmitted() {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, PoolType.INSTRUMENTED, (task, executor) -> {
            executor.setMaximumPoolSize(2);
            executor.execute(task);
        });
        Incomparable last = new Incomparable();
        full.pool.execute(last);
        fixture.await("run by the new worker", last.ran);
        assertThat(snapshot(full.pool).saturation().rejections()).isEmpty();
        assertThat(snapshot(full.pool).submitted()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(names = {"INSTRUMENTED", "INSTRUMENTED_ON_LINKED_QUEUE"})
    void handlerReplacesTheOldest_longQueue_isSubmitted(PoolType type) {
        ThreadPoolExecutor pool = full(type.queue(LONG), (task, executor) -> {
            assertThat(executor.remove(executor.getQueue().peek())).isTrue();
            executor.getQueue().add(task);
        });
        for (int i = 0; i < 10; i++) {
            pool.execute(() -> {});
        }
        assertThat(snapshot(pool).saturation().rejections()).isEmpty();
    }

    /** Some tasks are dropped, others are put into the queue later. Only the former stay with the handler. */
    @Test
    void handlerDropsOrPuts_longForeignQueue_isToldApart() {
        Unsearchable queue = new Unsearchable();
        Incomparable[] dropped = {new Incomparable(), new Incomparable(), new Incomparable()};
        HeldTask[] held = new HeldTask[1];
        ThreadPoolExecutor pool = full(queue, held, (task, executor) -> {
            if (task == dropped[0] || task == dropped[1] || task == dropped[2]) {
                return;
            }
            held[0].release();
            put(task, executor);
        });
        for (Incomparable each : dropped) {
            pool.execute(each);
        }
        assertThat(snapshot(pool).saturation().rejections()).isEqualTo(Map.of(RejectionReason.LEFT_TO_HANDLER, 3L));

        Incomparable put = new Incomparable();
        pool.execute(put);
        fixture.await("run of the task that was put", put.ran);
        pool.shutdown();
        fixture.eventually("termination", pool::isTerminated);

        assertThat(snapshot(pool).saturation().rejections()).isEqualTo(Map.of(RejectionReason.LEFT_TO_HANDLER, 3L));
        assertThat(snapshot(pool).submitted()).isEqualTo(LONG + 2);
        assertThat(snapshot(pool).completed()).isEqualTo(LONG + 2);
        assertThat(queue.searches).isZero();
    }

    /** The queue lets the pool grow first. Its handler puts the task, and a worker may take it at any moment. */
    @Test
    void scalingQueue_manySubmitters_nothingIsLeftToTheHandler() throws Exception {
        class Scaling extends LinkedBlockingQueue<Runnable> {
            @Override
            public boolean offer(Runnable task) {
                return false;
            }
        }
        ThreadPoolExecutor pool = fixture.closing(new InstrumentedThreadPoolExecutor(
                1, 2, 1, TimeUnit.MINUTES, new Scaling(), UsersHandlerQueueTest::put));
        int tasks = 5_000;
        CountDownLatch ran = new CountDownLatch(4 * tasks);
        for (int i = 0; i < 4; i++) {
            fixture.thread(() -> {
                for (int j = 0; j < tasks; j++) {
                    pool.execute(ran::countDown);
                    if (j % 100 == 0) {
                        snapshot(pool);
                    }
                }
            });
        }
        fixture.await("run of all tasks", ran);
        pool.shutdown();
        fixture.eventually("termination", pool::isTerminated);
        assertThat(snapshot(pool).saturation().rejections()).isEmpty();
        assertThat(snapshot(pool).submitted()).isEqualTo(4 * tasks);
        assertThat(snapshot(pool).completed()).isEqualTo(4 * tasks);
    }

    private ThreadPoolExecutor full(BlockingQueue<Runnable> queue, RejectedExecutionHandler handler) {
        return full(queue, new HeldTask[1], handler);
    }

    private ThreadPoolExecutor full(BlockingQueue<Runnable> queue, HeldTask[] held, RejectedExecutionHandler handler) {
        ThreadPoolExecutor pool =
                fixture.closing(new InstrumentedThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, queue, handler));
        held[0] = fixture.occupy(pool);
        while (queue.remainingCapacity() > 0) {
            pool.execute(() -> {});
        }
        return pool;
    }

    /** A queue that counts how often it is searched. */
    private static final class Unsearchable extends LinkedBlockingQueue<Runnable> {
        private int searches;

        Unsearchable() {
            super(LONG);
        }

        @Override
        public boolean contains(Object o) {
            searches++;
            return super.contains(o);
        }

        @Override
        public Iterator<Runnable> iterator() {
            searches++;
            return super.iterator();
        }
    }
}
