package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.EnumSource.Mode.MATCH_ALL;

import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A user's own rejection handler decides. Its effect is recorded where it can be known, and nothing is counted twice.
 */
class UsersHandlerTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private FullPool<ThreadPoolExecutor> full;

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void handlerRuns_future_isACallerRun(PoolType type) throws Exception {
        use(type, (task, pool) -> task.run());
        Future<Thread> future = full.pool.submit(Thread::currentThread);
        assertThat(future.get()).isSameAs(Thread.currentThread());
        assertRecorded(1, Map.of());
        assertThat(snapshot().saturation().callers())
                .singleElement()
                .satisfies(caller -> assertThat(caller.thread())
                        .isEqualTo(Thread.currentThread().getName()));
        assertAllRun(0);
    }

    /** The pool cannot see whether the handler ran a raw task, so it claims nothing. */
    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void handlerRuns_rawTask_isLeftToTheHandler(PoolType type) {
        use(type, (task, pool) -> task.run());
        CountDownLatch ran = new CountDownLatch(1);
        full.pool.execute(ran::countDown);
        assertThat(ran.getCount()).isZero();
        assertRecorded(0, Map.of(RejectionReason.LEFT_TO_HANDLER, 1L));
        assertThat(snapshot().rejected()).isZero();
        assertAllRun(0);
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void subclassOfAJdkPolicy_future_isACallerRunToo(PoolType type) throws Exception {
        use(type, new CallerRunsPolicy() {});
        full.pool.submit(() -> {}).get();
        assertRecorded(1, Map.of());
        assertAllRun(0);
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void handlerDrops_anyTask_isLeftToTheHandler(PoolType type) {
        use(type, (task, pool) -> {});
        full.pool.execute(() -> {});
        full.pool.submit(() -> {});
        assertRecorded(0, Map.of(RejectionReason.LEFT_TO_HANDLER, 2L));
        assertThat(snapshot().rejected()).isZero();
        assertAllRun(0);
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void handlerCancels_future_isDiscarded(PoolType type) {
        use(type, (task, pool) -> ((Future<?>) task).cancel(false));
        assertThat(full.pool.submit(() -> {})).isCancelled();
        assertRecorded(0, Map.of(RejectionReason.DISCARDED, 1L));
        assertAllRun(0);
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void handlerThrows_anything_reachesTheSubmitterAndIsCounted(PoolType type) {
        for (Throwable thrown : new Throwable[] {new RejectedExecutionException("mine"), new StackOverflowError()}) {
            use(type, (task, pool) -> sneak(thrown));
            assertThatThrownBy(() -> full.pool.execute(() -> {})).isSameAs(thrown);
            assertThatThrownBy(() -> full.pool.submit(() -> {})).isSameAs(thrown);
            assertRecorded(0, Map.of(RejectionReason.HANDLER_THREW, 2L));
            assertThat(snapshot().rejected()).isEqualTo(2);
            assertAllRun(0);
        }
    }

    /**
     * The handler takes the filling task out of the queue first, so the new task is in the queue when the handler
     * returns.
     */
    @ParameterizedTest
    @EnumSource(names = {"INSTRUMENTED", "INSTRUMENTED_ON_LINKED_QUEUE", "INSTRUMENTED_ON_ARRAY_QUEUE"})
    void handlerEnqueues_taskStillQueuedAfterwards_isAccepted(PoolType type) {
        use(type, (task, pool) -> {
            pool.getQueue().poll();
            pool.getQueue().add(task);
        });
        CountDownLatch ran = new CountDownLatch(1);
        full.pool.execute(ran::countDown);
        assertRecorded(0, Map.of());
        assertThat(snapshot().submitted()).isEqualTo(3);
        full.release();
        fixture.await("run of the task", ran);
        fixture.eventually("both counted", () -> snapshot().completed() == 2);
        assertThat(snapshot().submitted()).isEqualTo(3);
    }

    /** Forced: the worker has run the future to its end before the handler returns. This is no caller-run. */
    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void handlerEnqueues_futureRunByAWorkerMeanwhile_isAcceptedAndNoCallerRun(PoolType type) throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        use(type, (task, pool) -> {
            full.release();
            put(task, pool);
            fixture.await("run by the worker", ran);
            fixture.eventually("end of the future", ((Future<?>) task)::isDone);
        });
        full.pool.submit(ran::countDown).get();
        assertRecorded(0, Map.of());
        assertAllRun(1);
    }

    /** Forced: the worker has started the future, and still runs it when the handler returns. */
    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void handlerEnqueues_futureStartedByAWorkerMeanwhile_isAccepted(PoolType type) {
        Gate gate = fixture.gate();
        use(type, (task, pool) -> {
            full.release();
            put(task, pool);
            fixture.await("run by the worker", gate.arrived());
        });
        full.pool.submit(gate::passUninterruptibly);
        assertRecorded(0, Map.of());
        gate.open();
        assertAllRun(1);
    }

    /** The common "wait and try again": the nested call accepts the task. */
    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void handlerExecutesAgain_thereIsRoomNow_isSubmittedOnce(PoolType type) {
        Gate gate = fixture.gate();
        use(type, (task, pool) -> {
            full.release();
            awaitIdleWorker();
            pool.execute(task);
            fixture.await("run by the worker", gate.arrived());
        });
        full.pool.submit(gate::passUninterruptibly);
        assertRecorded(0, Map.of());
        assertThat(snapshot().submitted()).isEqualTo(2 + full.fillers);
        gate.open();
        assertAllRun(1);
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void handlerDelegatesToWaiting_roomInTime_isSubmittedOnce(PoolType type) {
        BlockingWaitPolicy waiting = BlockingWaitPolicy.forever();
        use(type, (task, pool) -> {
            full.release();
            waiting.rejectedExecution(task, pool);
        });
        Gate gate = fixture.gate();
        full.pool.execute(gate::passUninterruptibly);
        assertThat(snapshot().submitted()).isEqualTo(2 + full.fillers);
        assertThat(snapshot().blockedSubmit().count()).isOne();
        assertThat(snapshot().rejected()).isZero();
        gate.open();
        assertAllRun(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"INSTRUMENTED", "INSTRUMENTED_ON_LINKED_QUEUE", "INSTRUMENTED_ON_ARRAY_QUEUE"})
    void handlerDelegatesToWaiting_taskStillQueuedAfterwards_isSubmittedOnce(PoolType type) {
        BlockingWaitPolicy waiting = BlockingWaitPolicy.forever();
        use(type, (task, pool) -> {
            assertThat(pool.remove(pool.getQueue().peek())).isTrue();
            waiting.rejectedExecution(task, pool);
        });
        full.pool.submit(() -> {});
        assertRecorded(0, Map.of());
        assertThat(snapshot().submitted()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void handlerDelegatesToWaiting_timeOver_isRejectedOnce(PoolType type) {
        BlockingWaitPolicy waiting = BlockingWaitPolicy.upTo(Duration.ofMillis(10));
        use(type, (task, pool) -> waiting.rejectedExecution(task, pool));
        assertThatThrownBy(() -> full.pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertRecorded(0, Map.of(RejectionReason.TIMED_OUT, 1L));
        assertAllRun(0);
    }

    /**
     * A worker submits to its own full pool, and the handler runs the future there. The failure is not one of the
     * submitting task.
     */
    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void handlerRuns_onOwnWorker_isAWorkerRunAndFailsAlone(PoolType type) throws Exception {
        use(type, (task, pool) -> task.run());
        full.release();
        awaitIdleWorker();
        Future<?> outer = full.pool.submit(() -> {
            while (full.pool.getQueue().offer(() -> {})) {
                // until the queue is full
            }
            full.pool.submit(() -> {
                throw new IllegalStateException("on purpose");
            });
        });
        fixture.get(outer);
        full.pool.shutdown();
        fixture.eventually("termination", full.pool::isTerminated);
        assertThat(snapshot().saturation().workerRuns()).isOne();
        assertThat(snapshot().callerRuns()).isZero();
        assertThat(snapshot().failed()).isZero();
    }

    private void awaitIdleWorker() {
        fixture.eventually(
                "worker waiting for a task",
                () -> full.pool.getCompletedTaskCount() == 1 + full.fillers
                        && full.pool.getActiveCount() == 0
                        && Fixture.isWaiting(full.held.get(0).worker));
    }

    private void use(PoolType type, RejectedExecutionHandler handler) {
        full = FullPool.of(fixture, type, handler);
    }

    private static void put(Runnable task, ThreadPoolExecutor pool) {
        try {
            pool.getQueue().put(task);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void sneak(Throwable thrown) {
        UsersHandlerTest.<RuntimeException>sneakAs(thrown);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneakAs(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private void assertRecorded(long callerRuns, Map<RejectionReason, Long> rejections) {
        assertThat(snapshot().callerRuns()).isEqualTo(callerRuns);
        assertThat(snapshot().saturation().rejections()).isEqualTo(rejections);
    }

    /** All that the pool accepted, {@code more} than what filled it, runs and is counted once. */
    private void assertAllRun(int more) {
        long tasks = 1 + full.fillers + more;
        full.release();
        fixture.eventually("all tasks counted", () -> snapshot().completed() == tasks);
        assertThat(snapshot().submitted()).isEqualTo(tasks);
    }

    private PoolSnapshot snapshot() {
        return ((InstrumentedPool) full.pool).snapshot();
    }
}
