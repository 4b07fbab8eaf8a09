package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.MATCH_ALL;

import io.lifeguard.pool.FullPool.Submission;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A worker that submits to its own full pool runs the task itself; at another full pool it waits like any dispatcher.
 */
class BlockingWaitOwnWorkerTest {

    /** How long a JDK pool must make no progress before a thread that may be its own worker stops waiting. */
    private static final Duration STALL = Duration.ofMillis(100);

    @AutoClose
    private final Fixture fixture = new Fixture();

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void execute_byWorkerOfTheFullPool_runsItAtOnceAndCountsItAsWorkerRun(PoolType type) throws Exception {
        ThreadPoolExecutor pool = fixture.closing(type.make(1, 2, BlockingWaitPolicy.forever()));
        List<Thread> ranBy = new CopyOnWriteArrayList<>();
        CompletableFuture<List<Thread>> ranMeanwhile = new CompletableFuture<>();
        Future<Thread> outer = pool.submit(() -> {
            for (int i = 0; i < 5; i++) {
                pool.execute(() -> ranBy.add(Thread.currentThread()));
            }
            ranMeanwhile.complete(List.copyOf(ranBy));
            return Thread.currentThread();
        });
        Thread worker = fixture.get(outer);
        int room = type.isHandOff() ? 0 : 2;
        assertThat(ranMeanwhile.get()).hasSize(5 - room).containsOnly(worker);
        fixture.eventually("run of all tasks", () -> ranBy.size() == 5);
        PoolSnapshot snapshot = awaitCompleted(pool, 1 + room);
        assertThat(snapshot.saturation().workerRuns()).isEqualTo(5 - room);
        assertThat(snapshot.saturation().workerRunTime()).isPositive();
        assertThat(snapshot.callerRuns()).isZero();
        assertThat(snapshot.rejected()).isZero();
        assertThat(snapshot.submitted()).isEqualTo(1 + room);
        assertThat(snapshot.blockedSubmit().count()).isZero();
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void execute_byWorkerWithinSuchATask_nestsSeveralLevels(PoolType type) throws Exception {
        ThreadPoolExecutor pool = fixture.closing(type.make(1, 1, BlockingWaitPolicy.forever()));
        AtomicInteger ran = new AtomicInteger();
        Future<?> outer = pool.submit(() -> {
            if (!type.isHandOff()) {
                pool.execute(ran::incrementAndGet); // fills the queue
            }
            nest(pool, 6, ran);
        });
        fixture.get(outer);
        fixture.eventually("run of all tasks", () -> ran.get() == (type.isHandOff() ? 6 : 7));
        assertThat(((InstrumentedPool) pool).snapshot().saturation().workerRuns())
                .isEqualTo(6);
    }

    private static void nest(ThreadPoolExecutor pool, int levels, AtomicInteger ran) {
        if (levels > 0) {
            pool.execute(() -> {
                ran.incrementAndGet();
                nest(pool, levels - 1, ran);
            });
        }
    }

    /** Two full pools whose workers run tasks for each other: the inner call is recognised within the outer one. */
    @Test
    void execute_byWorkerInACallerRunOfAnotherPool_isRecognisedAsOwnWorker() throws Exception {
        InstrumentedThreadPoolExecutor own = fixture.closing(InstrumentedThreadPoolExecutor.named("own")
                .size(1)
                .queueCapacity(0)
                .build());
        InstrumentedThreadPoolExecutor other = fixture.closing(InstrumentedThreadPoolExecutor.named("other")
                .size(1)
                .queueCapacity(0)
                .whenSaturated(new ThreadPoolExecutor.CallerRunsPolicy())
                .build());
        fixture.occupy(other);
        CountDownLatch ran = new CountDownLatch(1);
        fixture.get(own.submit(() -> other.execute(() -> own.execute(ran::countDown))));
        assertThat(ran.getCount()).isZero();
        assertThat(own.snapshot().saturation().workerRuns()).isOne();
        assertThat(other.snapshot().callerRuns()).isOne();
        assertThat(other.snapshot().saturation().callers())
                .singleElement()
                .satisfies(caller -> assertThat(caller.thread()).isEqualTo("own-1"));
    }

    /** The task run by the worker throws. The submitting task catches that, so it does not count as failed. */
    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void execute_taskRunByWorkerThrows_submittingTaskSeesItAndHasNotFailed(PoolType type) throws Exception {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.forever());
        ThreadPoolExecutor pool = full.pool;
        full.release();
        fixture.eventually("empty queue", () -> pool.getQueue().isEmpty());
        IllegalStateException thrown = new IllegalStateException("on purpose");
        CompletableFuture<Throwable> seen = new CompletableFuture<>();
        CompletableFuture<Future<?>> inner = new CompletableFuture<>();
        pool.execute(() -> {
            while (pool.getQueue().offer(() -> {})) {
                // until the queue is full
            }
            try {
                pool.execute(() -> {
                    throw thrown;
                });
            } catch (IllegalStateException e) {
                seen.complete(e);
            }
            inner.complete(pool.submit(() -> {
                throw thrown;
            }));
        });
        assertThat(fixture.get(seen)).isSameAs(thrown);
        assertThat(fixture.get(inner)).isDone();
        pool.shutdown();
        fixture.eventually("termination", pool::isTerminated);
        PoolSnapshot snapshot = ((InstrumentedPool) pool).snapshot();
        assertThat(snapshot.saturation().workerRuns()).isEqualTo(2);
        assertThat(snapshot.failed()).isZero();
    }

    @Test
    void execute_byThreadNamedLikeAWorker_waitsLikeAnyDispatcher() {
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("orders")
                .size(1)
                .queueCapacity(1)
                .build();
        FullPool<InstrumentedThreadPoolExecutor> full = FullPool.of(fixture, pool);
        assertThat(full.held.get(0).worker.getName()).isEqualTo("orders-1");
        Submission impostor = full.submit("orders-1", () -> {});
        impostor.awaitWaiting();
        full.release();
        impostor.awaitAcceptance();
        assertThat(pool.snapshot().saturation().workerRuns()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void execute_byWorkerOfAnotherInstrumentedPool_waits(PoolType type) throws Exception {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.forever());
        InstrumentedThreadPoolExecutor dispatchers = fixture.closing(
                InstrumentedThreadPoolExecutor.named("dispatchers").size(1).build());
        CompletableFuture<Thread> ranBy = new CompletableFuture<>();
        Future<?> dispatch = dispatchers.submit(() -> full.pool.execute(() -> ranBy.complete(Thread.currentThread())));
        // Longer than the time without progress after which a possible worker of a JDK pool runs the task.
        long end = System.nanoTime() + STALL.plusMillis(50).toNanos();
        fixture.eventually("end of the time given", () -> {
            assertThat(dispatch).isNotDone();
            return System.nanoTime() - end >= 0;
        });
        full.release();
        assertThat(fixture.get(ranBy)).isSameAs(full.held.get(0).worker);
        fixture.get(dispatch);
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "STOCK.*")
    void execute_byWorkerOfAStockPoolWithoutProgress_runsItAfter100Ms(PoolType type) throws Exception {
        ThreadPoolExecutor pool = fixture.closing(type.make(1, 1, BlockingWaitPolicy.forever()));
        CompletableFuture<Thread> ranBy = new CompletableFuture<>();
        long start = System.nanoTime();
        Future<Thread> outer = pool.submit(() -> {
            if (!type.isHandOff()) {
                pool.execute(() -> {});
            }
            pool.execute(() -> ranBy.complete(Thread.currentThread()));
            assertThat(ranBy).isDone();
            return Thread.currentThread();
        });
        Thread worker = fixture.get(outer);
        assertThat(ranBy).isCompletedWithValue(worker);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(STALL);
    }

    /**
     * The dispatcher is a worker of another JDK pool, so it could be a worker of this one. It is the last of many in
     * line, and a task ends every few milliseconds. The pool makes progress, so the dispatcher keeps waiting.
     */
    @Test
    void execute_byWorkerOfAnotherStockPoolWhileThisOneProgresses_waits() throws Exception {
        FullPool<ThreadPoolExecutor> full =
                FullPool.of(fixture, PoolType.STOCK_ON_LINKED_QUEUE, BlockingWaitPolicy.forever());
        List<HeldTask> ahead = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            HeldTask task = fixture.heldTask();
            full.submitAndWait(task);
            ahead.add(task);
        }
        ThreadPoolExecutor others =
                fixture.closing(PoolType.STOCK_ON_LINKED_QUEUE.make(1, 1, new ThreadPoolExecutor.AbortPolicy()));
        CompletableFuture<Thread> ranBy = new CompletableFuture<>();
        Future<?> dispatch = others.submit(() -> full.pool.execute(() -> ranBy.complete(Thread.currentThread())));
        full.release();
        long longestStall = 0;
        for (HeldTask task : ahead) {
            fixture.await("start of the next task", task.started);
            long moved = System.nanoTime();
            long end = moved + Duration.ofMillis(10).toNanos();
            fixture.eventually("ten milliseconds later", () -> System.nanoTime() - end >= 0);
            longestStall = Math.max(longestStall, System.nanoTime() - moved);
            task.release();
        }
        Thread ran = fixture.get(ranBy);
        fixture.get(dispatch);
        assumeThat(longestStall).as("the machine left the pool alone").isLessThan(STALL.toNanos() / 2);
        assertThat(ran).isSameAs(full.held.get(0).worker);
    }

    private PoolSnapshot awaitCompleted(ThreadPoolExecutor pool, long tasks) {
        InstrumentedPool instrumented = (InstrumentedPool) pool;
        fixture.eventually("all completed", () -> instrumented.snapshot().completed() == tasks);
        return instrumented.snapshot();
    }
}
