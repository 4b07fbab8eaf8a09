package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.FullPool.Submission;
import io.lifeguard.pool.queue.WorkQueue;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Submitters wait for a pool whose size changes, whose workers start and end, or for which they wait thousands of
 * times.
 */
class BlockingWaitResizeTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    /** The only worker stays held, so only a new worker can make room. */
    @ParameterizedTest
    @EnumSource
    void setMaximumPoolSize_submittersWait_areLetIn(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.forever());
        CountDownLatch ran = new CountDownLatch(4);
        List<Submission> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiting.add(full.submitAndWait(ran::countDown));
        }
        full.pool.setKeepAliveTime(1, TimeUnit.MINUTES);
        full.pool.setMaximumPoolSize(2);
        waiting.forEach(Submission::awaitAcceptance);
        fixture.await("run of all tasks by the second worker", ran);
        assertThat(full.pool.getPoolSize()).isEqualTo(2);
        if (full.pool instanceof InstrumentedPool instrumented) {
            fixture.eventually("all counted", () -> instrumented.snapshot().completed() == 4 + full.fillers);
            assertThat(instrumented.snapshot().submitted()).isEqualTo(5 + full.fillers);
        }
    }

    @ParameterizedTest
    @EnumSource
    void setCorePoolSize_submittersWait_areLetIn(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.forever());
        CountDownLatch ran = new CountDownLatch(2);
        Submission first = full.submitAndWait(ran::countDown);
        Submission second = full.submitAndWait(ran::countDown);
        full.pool.setMaximumPoolSize(2);
        full.pool.setCorePoolSize(2);
        first.awaitAcceptance();
        second.awaitAcceptance();
        fixture.await("run of both tasks", ran);
    }

    /** Workers live for a millisecond, so they often end after a submitter was refused and before it is in line. */
    @ParameterizedTest
    @EnumSource
    void execute_coreOfZeroAndShortLivedWorkers_everyTaskRuns(PoolType type) {
        ThreadPoolExecutor pool = fixture.closing(type.make(0, 1, 1, 1, BlockingWaitPolicy.forever()));
        everyTaskRuns(pool);
    }

    @ParameterizedTest
    @EnumSource
    void execute_coreThreadsTimeOut_everyTaskRuns(PoolType type) {
        ThreadPoolExecutor pool = fixture.closing(type.make(1, 1, 1, 1, BlockingWaitPolicy.forever()));
        pool.allowCoreThreadTimeOut(true);
        everyTaskRuns(pool);
    }

    private void everyTaskRuns(ThreadPoolExecutor pool) {
        AtomicInteger ran = new AtomicInteger();
        int submitters = 3;
        int each = 40;
        CountDownLatch submitted = new CountDownLatch(submitters);
        for (int i = 0; i < submitters; i++) {
            fixture.thread(() -> {
                for (int task = 0; task < each; task++) {
                    if (task % 10 == 0) {
                        fixture.eventually("end of the worker", () -> pool.getPoolSize() == 0 || ran.get() % 7 == 3);
                    }
                    pool.execute(ran::incrementAndGet);
                }
                submitted.countDown();
            });
        }
        fixture.await("acceptance of all tasks", submitted);
        fixture.eventually("run of all tasks", () -> ran.get() == submitters * each);
        if (pool instanceof InstrumentedPool instrumented) {
            fixture.eventually("all counted", () -> instrumented.snapshot().completed() == submitters * each);
            assertThat(instrumented.snapshot().submitted()).isEqualTo(submitters * each);
        }
    }

    /** Forced: the task kills its worker, and the thread factory fails to replace it while a submitter waits. */
    @ParameterizedTest
    @EnumSource
    void lastWorker_diesAndIsNotReplaced_waitingSubmitterGetsANewOne(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.forever());
        AtomicInteger asked = new AtomicInteger();
        full.pool.setThreadFactory(body -> asked.getAndIncrement() == 0 ? null : silent(body));
        CountDownLatch ran = new CountDownLatch(1);
        Submission submission = full.submitAndWait(ran::countDown);
        Thread worker = full.held.get(0).worker;
        worker.setUncaughtExceptionHandler((thread, expected) -> {});
        full.killWorkers();
        submission.awaitAcceptance();
        fixture.await("run of the task", ran);
        fixture.eventually("run of the queued tasks", () -> full.fillersRun.get() == full.fillers);
        assertThat(asked).hasValueGreaterThanOrEqualTo(2);
    }

    private static Thread silent(Runnable body) {
        Thread thread = new Thread(body);
        thread.setUncaughtExceptionHandler((where, expected) -> {});
        return thread;
    }

    /** Each release makes the waiter submit again. If that were recursive, its stack would overflow. */
    @Test
    void execute_releasedThousandsOfTimes_stackDoesNotGrow() {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, PoolType.INSTRUMENTED, BlockingWaitPolicy.forever());
        WorkQueue queue = (WorkQueue) full.pool.getQueue();
        Submission submission = full.submitAndWait(() -> {});
        for (int i = 0; i < 5_000; i++) {
            full.pool.setMaximumPoolSize(1);
            while (queue.waitingProducers() == 0 && submission.isWaiting()) {
                Thread.onSpinWait();
            }
        }
        assertThat(submission.isWaiting()).isTrue();
        full.release();
        submission.awaitAcceptance();
    }

    @ParameterizedTest
    @EnumSource
    void execute_manyThousandWaitsByOneThread_allReturn(PoolType type) {
        ThreadPoolExecutor pool = fixture.closing(type.make(1, 256, BlockingWaitPolicy.forever()));
        int tasks = type.isHandOff() ? 2_000 : 100_000;
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < tasks; i++) {
            pool.execute(ran::incrementAndGet);
        }
        fixture.eventually("run of all tasks", () -> ran.get() == tasks);
        if (pool instanceof InstrumentedPool instrumented) {
            assertThat(instrumented.snapshot().blockedSubmit().count()).isPositive();
        }
    }

    /** Both workers are busy, so only the end of a task makes room, and no release before it may be lost. */
    @Test
    void setMaximumPoolSize_smallerWhileWaiting_waitGoesOn() {
        FullPool<ThreadPoolExecutor> full =
                FullPool.of(fixture, PoolType.INSTRUMENTED.make(2, 1, BlockingWaitPolicy.forever()));
        Submission submission = full.submitAndWait(() -> {});
        full.pool.setCorePoolSize(1);
        full.pool.setMaximumPoolSize(1);
        fixture.never("acceptance by a full pool", () -> !submission.isWaiting());
        full.held.forEach(HeldTask::release);
        submission.awaitAcceptance();
    }

    /** One new worker takes the task of the submitter that is first. The others keep their places, however often. */
    @Test
    void resize_submittersWait_areLetInInTheOrderInWhichTheyCame() {
        FullPool<InstrumentedThreadPoolExecutor> full = FullPool.of(
                fixture,
                InstrumentedThreadPoolExecutor.named("resized")
                        .size(1)
                        .queueCapacity(1)
                        .build());
        HeldTask first = fixture.heldTask();
        full.submitAndWait(first);
        List<Integer> order = new CopyOnWriteArrayList<>();
        List<Integer> came = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            full.submitAndWait(() -> order.add(number));
            came.add(number);
        }
        full.pool.setMaximumPoolSize(2);
        fixture.await("start of the first on the new worker", first.started);
        for (int i = 0; i < 50; i++) {
            full.pool.setMaximumPoolSize(2);
            full.pool.setCorePoolSize(1 + i % 2);
        }
        full.release(); // the new worker stays held
        fixture.eventually("run of all", () -> order.size() == came.size());
        assertThat(order).isEqualTo(came);
        first.release();
    }
}
