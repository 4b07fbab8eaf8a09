package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.EnumSource.Mode.MATCH_ALL;

import io.lifeguard.pool.testing.Fixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.AbortPolicy;
import java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy;
import java.util.concurrent.ThreadPoolExecutor.DiscardOldestPolicy;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The JDK's four policies work on a full pool as in the JDK, and each is counted separately. */
class SaturationPoliciesTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void abort_poolFull_throwsAndIsCounted(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, new AbortPolicy());
        Runnable task = () -> {};
        assertThatThrownBy(() -> full.pool.execute(task))
                .isExactlyInstanceOf(RejectedExecutionException.class)
                .hasMessage("Task " + task + " rejected from " + full.pool);
        assertThatThrownBy(() -> full.pool.submit(task)).isExactlyInstanceOf(RejectedExecutionException.class);
        assertRejections(full, Map.of(RejectionReason.ABORTED, 2L), 2);
        assertAllRun(full, 1 + full.fillers);
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void discard_poolFull_dropsSilentlyAndIsCounted(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, new DiscardPolicy());
        Future<?> future = full.pool.submit(() -> {});
        full.pool.execute(() -> {});
        assertRejections(full, Map.of(RejectionReason.DISCARDED, 2L), 2);
        assertAllRun(full, 1 + full.fillers);
        assertThat(future).isNotDone();
    }

    /** A hand-off has no oldest task, so the JDK's policy tries again until a worker is free. */
    @ParameterizedTest
    @EnumSource(names = {"INSTRUMENTED", "INSTRUMENTED_ON_LINKED_QUEUE", "INSTRUMENTED_ON_ARRAY_QUEUE"})
    void discardOldest_poolFull_dropsTheHeadAndAcceptsTheNewTask(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, new DiscardOldestPolicy());
        CountDownLatch ran = new CountDownLatch(1);
        full.pool.execute(() -> {
            throw new AssertionError("to be dropped");
        });
        full.pool.execute(ran::countDown);
        assertRejections(full, Map.of(RejectionReason.DISCARDED_OLDEST, 2L), 2);
        // Two of the accepted tasks were dropped later, which makes them both submitted and rejected.
        assertThat(snapshot(full).submitted()).isEqualTo(4);
        full.release();
        fixture.await("run of the newest task", ran);
        fixture.eventually("both counted", () -> snapshot(full).completed() == 2);
        assertThat(full.fillersRun).hasValue(0);
        assertThat(snapshot(full).queueWait().count()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void callerRuns_poolFull_runsOnTheSubmitterAndIsNoRejection(PoolType type) throws Exception {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, new CallerRunsPolicy());
        List<Thread> ranBy = new ArrayList<>();
        full.pool.execute(() -> ranBy.add(Thread.currentThread()));
        Future<Thread> future = full.pool.submit(Thread::currentThread);
        assertThat(ranBy).containsExactly(Thread.currentThread());
        assertThat(future.get()).isSameAs(Thread.currentThread());
        assertRejections(full, Map.of(), 0);
        assertThat(snapshot(full).callerRuns()).isEqualTo(2);
        assertThat(snapshot(full).callerRunTime().count()).isEqualTo(2);
        assertAllRun(full, 1 + full.fillers);
        assertThat(snapshot(full).serviceTime().count()).isEqualTo(1 + full.fillers);
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void everyPolicy_poolShutDown_isCountedAsShutDown(PoolType type) {
        for (var policy :
                List.of(new AbortPolicy(), new CallerRunsPolicy(), new DiscardPolicy(), new DiscardOldestPolicy())) {
            FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, policy);
            full.pool.shutdown();
            Runnable task = () -> {
                throw new AssertionError("ran after shutdown");
            };
            if (policy instanceof AbortPolicy) {
                assertThatThrownBy(() -> full.pool.execute(task)).isInstanceOf(RejectedExecutionException.class);
            } else {
                full.pool.execute(task);
            }
            assertRejections(full, Map.of(RejectionReason.SHUT_DOWN, 1L), 1);
            assertThat(snapshot(full).callerRuns()).isZero();
            full.release();
            fixture.eventually("termination", full.pool::isTerminated);
            assertThat(snapshot(full).submitted()).isEqualTo(1 + full.fillers);
            assertThat(snapshot(full).completed()).isEqualTo(1 + full.fillers);
        }
    }

    @Test
    void setRejectedExecutionHandler_newPolicy_isUsedAndReturned() {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, PoolType.INSTRUMENTED, new AbortPolicy());
        DiscardPolicy discard = new DiscardPolicy();
        full.pool.setRejectedExecutionHandler(discard);
        assertThat(full.pool.getRejectedExecutionHandler()).isSameAs(discard);
        full.pool.execute(() -> {});
        assertRejections(full, Map.of(RejectionReason.DISCARDED, 1L), 1);
        assertThatThrownBy(() -> full.pool.setRejectedExecutionHandler(null)).isInstanceOf(NullPointerException.class);
        assertThat(full.pool.getRejectedExecutionHandler()).isSameAs(discard);
    }

    private void assertAllRun(FullPool<ThreadPoolExecutor> full, long tasks) {
        assertThat(snapshot(full).submitted()).isEqualTo(tasks);
        full.release();
        fixture.eventually("all tasks counted", () -> snapshot(full).completed() == tasks);
        assertThat(snapshot(full).submitted()).isEqualTo(tasks);
        assertThat(snapshot(full).failed()).isZero();
    }

    private static void assertRejections(
            FullPool<ThreadPoolExecutor> full, Map<RejectionReason, Long> expected, long sum) {
        assertThat(snapshot(full).saturation().rejections()).isEqualTo(expected);
        assertThat(snapshot(full).rejected()).isEqualTo(sum);
    }

    private static PoolSnapshot snapshot(FullPool<ThreadPoolExecutor> full) {
        return ((InstrumentedPool) full.pool).snapshot();
    }
}
