package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.MATCH_ALL;

import io.lifeguard.pool.FullPool.Submission;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
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

    private static final Duration A_WHILE = Duration.ofMillis(100);

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
        long end = System.nanoTime() + A_WHILE.toNanos();
        fixture.eventually("end of the time given", () -> {
            assertThat(dispatch).isNotDone();
            return System.nanoTime() - end >= 0;
        });
        full.release();
        assertThat(fixture.get(ranBy)).isSameAs(full.held.get(0).worker);
        fixture.get(dispatch);
    }

    /** A plain executor does not tell its workers, so one that submits to its own full executor waits as others do. */
    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "STOCK.*")
    void execute_byWorkerOfAFullStockPool_waitsAsLongAsThePolicyAllows(PoolType type) throws Exception {
        ThreadPoolExecutor pool = fixture.closing(type.make(1, 1, BlockingWaitPolicy.upTo(A_WHILE)));
        AtomicInteger ran = new AtomicInteger();
        Future<String> refusal = pool.submit(() -> {
            if (!type.isHandOff()) {
                pool.execute(() -> {});
            }
            try {
                pool.execute(ran::incrementAndGet);
                return "accepted";
            } catch (RejectedExecutionException e) {
                return String.valueOf(e.getMessage());
            }
        });
        assertThat(fixture.get(refusal)).contains("it stayed full for the longest wait");
        assertThat(ran).hasValue(0);
    }

    private PoolSnapshot awaitCompleted(ThreadPoolExecutor pool, long tasks) {
        InstrumentedPool instrumented = (InstrumentedPool) pool;
        fixture.eventually("all completed", () -> instrumented.snapshot().completed() == tasks);
        return instrumented.snapshot();
    }
}
