package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.MATCH_NONE;

import io.lifeguard.pool.FullPool.Submission;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pool is shut down, or loses its last worker, while submitters wait: no submitter hangs, and no task is lost. */
class BlockingWaitShutdownTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    @ParameterizedTest
    @EnumSource
    void shutdown_submittersWait_allAreRefusedWhileTheWorkerIsStillBusy(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.forever());
        AtomicBoolean ran = new AtomicBoolean();
        List<Submission> waiting = submitters(full, () -> ran.set(true));
        full.pool.shutdown();
        assertShutDown(full, waiting);
        full.release();
        fixture.eventually("termination", full.pool::isTerminated);
        assertThat(full.fillersRun).hasValue(full.fillers);
        assertThat(ran).isFalse();
    }

    @Test
    void shutdownNow_submittersWaitForAWorkQueue_allAreRefusedAndTheirTasksAreNotReturned() {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, PoolType.INSTRUMENTED, BlockingWaitPolicy.forever());
        List<Submission> waiting = submitters(full, () -> {});
        assertThat(full.pool.shutdownNow()).hasSize(full.fillers);
        assertShutDown(full, waiting);
    }

    /**
     * While the queue is drained, the first submitter in line may get room. Then its task is among the returned tasks.
     */
    @ParameterizedTest
    @EnumSource
    void shutdownNow_submittersWait_eachTaskIsRefusedOrReturnedAndNoneRuns(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.forever());
        AtomicBoolean ran = new AtomicBoolean();
        List<Submission> waiting = submitters(full, () -> ran.set(true));
        List<Runnable> returned = full.pool.shutdownNow();
        waiting.forEach(submission -> fixture.await("return of the submitter", submission.returned));
        assertThat(waiting)
                .filteredOn(submission -> submission.refusal == null)
                .hasSize(returned.size() - full.fillers);
        fixture.eventually("termination", full.pool::isTerminated);
        assertThat(full.fillersRun).hasValue(0);
        assertThat(ran).isFalse();
    }

    /**
     * Half of them use {@code submit}, whose future would never complete if the refusal did not reach the submitter.
     */
    private List<Submission> submitters(FullPool<ThreadPoolExecutor> full, Runnable task) {
        List<Submission> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(full.submitAndWait(task));
            Submission future = new Submission(fixture, "submitter", () -> full.pool.submit(task));
            future.awaitWaiting();
            waiting.add(future);
        }
        return waiting;
    }

    private static void assertShutDown(FullPool<ThreadPoolExecutor> full, List<Submission> waiting) {
        assertThat(waiting)
                .allSatisfy(submission -> assertThat(submission.awaitRefusal())
                        .isExactlyInstanceOf(RejectedExecutionException.class)
                        .hasMessageContaining("it was shut down while the submitter waited for room")
                        .hasNoCause());
        assertThat(waiting).noneMatch(submission -> submission.interruptedAfter);
        if (full.pool instanceof InstrumentedPool instrumented) {
            PoolSnapshot snapshot = instrumented.snapshot();
            assertThat(snapshot.saturation().rejections())
                    .containsOnly(java.util.Map.entry(RejectionReason.SHUT_DOWN, (long) waiting.size()));
            assertThat(snapshot.saturation().blockedNow()).isZero();
            assertThat(snapshot.submitted()).isEqualTo(1 + full.fillers);
        }
    }

    @ParameterizedTest
    @EnumSource
    void execute_alreadyShutDown_isRefusedAtOnce(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.forever());
        full.pool.shutdown();
        assertThat(full.submit(() -> {}).awaitRefusal())
                .hasMessageContaining(": it is shut down (waited ")
                .hasMessageContaining("[Shutting down, ");
    }

    /**
     * Forced: the submitter is stopped when its task is in the queue and it is about to read the pool's state. Then the
     * pool is shut down, with a worker left. Then the submitter continues.
     */
    @ParameterizedTest
    @EnumSource(mode = MATCH_NONE, names = ".*HAND_OFF")
    void shutdown_betweenAdmissionAndItsCheck_taskIsTakenOutAndRefused(PoolType type) {
        Stopped stopped = new Stopped(type, "isShutdown");
        stopped.full.pool.shutdown();
        stopped.gate.open();
        assertThat(stopped.submission.awaitRefusal()).isExactlyInstanceOf(RejectedExecutionException.class);
        assertThat(stopped.full.pool.getQueue()).doesNotContain(stopped);
        stopped.full.release();
        fixture.eventually("termination", stopped.full.pool::isTerminated);
        assertThat(stopped.ran.getCount()).isOne();
        if (stopped.full.pool instanceof InstrumentedPool instrumented) {
            assertThat(instrumented.snapshot().submitted()).isEqualTo(2);
            assertThat(instrumented.snapshot().completed()).isEqualTo(1);
        }
    }

    /** Forced as above, except that shutdownNow drains the queue before the submitter continues. */
    @ParameterizedTest
    @EnumSource(mode = MATCH_NONE, names = ".*HAND_OFF")
    void shutdownNow_betweenAdmissionAndItsCheck_taskIsAcceptedAndReturned(PoolType type) {
        Stopped stopped = new Stopped(type, "isShutdown");
        assertThat(stopped.full.pool.shutdownNow()).contains(stopped);
        stopped.gate.open();
        stopped.submission.awaitAcceptance();
        assertThat(stopped.ran.getCount()).isOne();
    }

    /**
     * Forced: the submitter has seen the pool running, and the pool is shut down before the submitter looks for a
     * worker.
     */
    @ParameterizedTest
    @EnumSource(mode = MATCH_NONE, names = ".*HAND_OFF")
    void shutdown_afterTheCheckOfAnAdmittedTask_taskIsAcceptedAndRuns(PoolType type) {
        Stopped stopped = new Stopped(type, "getPoolSize");
        stopped.full.pool.shutdown();
        stopped.gate.open();
        stopped.submission.awaitAcceptance();
        stopped.full.release();
        fixture.await("run of the task", stopped.ran);
        fixture.eventually("termination", stopped.full.pool::isTerminated);
    }

    /** A submitter that is stopped in the given method after its task got into the queue. */
    private final class Stopped implements Runnable, WatchedPool.Watcher {
        final Gate gate = fixture.gate();
        final CountDownLatch ran = new CountDownLatch(1);
        final FullPool<ThreadPoolExecutor> full;
        final Submission submission;
        private final String method;
        private volatile boolean armed;

        Stopped(PoolType type, String method) {
            this.method = method;
            this.full = FullPool.of(fixture, WatchedPool.make(type, 1, 0, this));
            armed = true;
            this.submission = full.submitAndWait(this);
            full.pool.getQueue().poll(); // makes room
            fixture.await("submitter stopped in " + method, gate.arrived());
            assertThat(full.pool.getQueue()).containsExactly(this);
        }

        @Override
        public void run() {
            ran.countDown();
        }

        @Override
        public void asked(String asked) {
            if (armed
                    && asked.equals(method)
                    && Thread.currentThread().getName().equals("submitter")
                    && full.pool.getQueue().contains(this)) {
                gate.passUninterruptibly();
            }
        }
    }

    /**
     * Forced: the submitter is stopped between the executor's refusal and the queue, until the only worker has emptied
     * the queue and timed out. Then the queue has room, but no worker takes from it.
     */
    @ParameterizedTest
    @EnumSource
    void lastWorker_timedOutBeforeTheTaskIsEnqueued_taskGetsAWorker(PoolType type) {
        Gate gate = fixture.gate();
        AtomicBoolean armed = new AtomicBoolean();
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, WatchedPool.make(type, 1, 1, asked -> {
            if (asked.equals("isShutdown")
                    && Thread.currentThread().getName().equals("submitter")
                    && armed.compareAndSet(true, false)) {
                gate.passUninterruptibly();
            }
        }));
        full.pool.allowCoreThreadTimeOut(true);
        armed.set(true);
        CountDownLatch ran = new CountDownLatch(1);
        Submission submission = full.submit(ran::countDown);
        fixture.await("submitter stopped on its way to the queue", gate.arrived());
        full.release();
        fixture.eventually("end of the last worker", () -> full.pool.getPoolSize() == 0);
        gate.open();
        submission.awaitAcceptance();
        fixture.await("run of the task", ran);
        assertThat(full.pool.getCompletedTaskCount()).isGreaterThanOrEqualTo(1 + full.fillers);
    }
}
