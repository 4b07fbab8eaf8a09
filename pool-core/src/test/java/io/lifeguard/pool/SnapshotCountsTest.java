package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.MATCH_ALL;

import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import io.lifeguard.pool.testing.HeldTask;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The counts of a snapshot are exact when the pool is at rest, and consistent while it runs. */
class SnapshotCountsTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private ThreadPoolExecutor pool(PoolType type, int size, int capacity) {
        ThreadPoolExecutor pool = fixture.closing(type.make(size, capacity, BlockingWaitPolicy.forever()));
        pool.setThreadFactory(body -> {
            Thread thread = new Thread(body);
            thread.setUncaughtExceptionHandler((where, expected) -> {});
            return thread;
        });
        return pool;
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void counts_freshPool_areZero(PoolType type) {
        PoolSnapshot snapshot = snapshot(pool(type, 2, 3));
        assertThat(List.of(snapshot.submitted(), snapshot.completed(), snapshot.failed(), snapshot.rejected()))
                .containsOnly(0L);
        assertThat(List.of(snapshot.size(), snapshot.active(), snapshot.queued()))
                .containsOnly(0);
        assertThat(snapshot.limits()).isEqualTo(new PoolSnapshot.Limits(2, 2, type.isHandOff() ? 0 : 3));
        assertThat(snapshot.queueWait().count()).isZero();
        assertThat(snapshot.serviceTime().count()).isZero();
        assertThat(snapshot.kinds()).isEmpty();
        assertThat(snapshot.load().oldestQueued()).isZero();
        assertThat(snapshot.times().idle()).isZero();
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void sizes_workersHeldAndTasksQueued_areExact(PoolType type) {
        ThreadPoolExecutor pool = pool(type, 2, 3);
        fixture.occupy(pool);
        assertThat(snapshot(pool).active()).isOne();
        assertThat(snapshot(pool).size()).isOne();
        HeldTask second = fixture.occupy(pool);
        int queued = type.isHandOff() ? 0 : 2;
        for (int i = 0; i < queued; i++) {
            pool.execute(() -> {});
        }
        PoolSnapshot full = snapshot(pool);
        assertThat(full.active()).isEqualTo(2);
        assertThat(full.size()).isEqualTo(2);
        assertThat(full.queued()).isEqualTo(queued);
        assertThat(full.submitted()).isEqualTo(2 + queued);
        assertThat(full.completed()).isZero();
        second.release();
        fixture.eventually("the queue is done", () -> snapshot(pool).completed() == 1 + queued);
        fixture.eventually("one worker idle", () -> snapshot(pool).active() == 1);
    }

    /** The first tasks go directly to new workers, the others go through the queue. */
    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void submitted_rightAfterExecuteReturned_includesTheTask(PoolType type) {
        int size = 50;
        int capacity = type.isHandOff() ? 0 : 50;
        ThreadPoolExecutor pool = pool(type, size, Math.max(1, capacity));
        for (int i = 1; i <= size + capacity; i++) {
            pool.execute(fixture.heldTask());
            assertThat(snapshot(pool).submitted()).isEqualTo(i);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void firstTask_newWorker_isMeasuredLikeAnyOther(PoolType type) {
        ThreadPoolExecutor pool = pool(type, 1, 1);
        HeldTask task = fixture.occupy(pool);
        task.release();
        fixture.eventually("end counted", () -> snapshot(pool).completed() == 1);
        PoolSnapshot snapshot = snapshot(pool);
        assertThat(snapshot.submitted()).isOne();
        assertThat(snapshot.queueWait().count()).isOne();
        assertThat(snapshot.queueWait().max()).isPositive();
        assertThat(snapshot.serviceTime().count()).isOne();
        assertThat(snapshot.kinds())
                .singleElement()
                .satisfies(kind -> assertThat(kind.name()).isEqualTo(HeldTask.class.getName()))
                .satisfies(kind -> assertThat(kind.count()).isOne());
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void kind_submittedByACompletionService_isTheKindOfTheTask(PoolType type) throws Exception {
        ThreadPoolExecutor pool = pool(type, 1, 1);
        new ExecutorCompletionService<String>(pool)
                .submit(Tasks.named("invoice", () -> "done"))
                .get();
        fixture.eventually("end counted", () -> snapshot(pool).completed() == 1);
        assertThat(snapshot(pool).kinds())
                .extracting(PoolSnapshot.TaskKind::name)
                .containsExactly("invoice");
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void counts_everyKindOfEnd_addUpAtRest(PoolType type) throws Exception {
        ThreadPoolExecutor pool = pool(type, 3, 100);
        int rounds = 200;
        for (int i = 0; i < rounds; i++) {
            pool.execute(() -> {});
            pool.execute(() -> {
                throw new IllegalStateException("kills its worker");
            });
            pool.submit(() -> "a result");
            pool.submit(() -> {
                throw new IllegalStateException("kept in its future");
            });
        }
        fixture.eventually("all counted", () -> snapshot(pool).completed() == 4 * rounds);
        PoolSnapshot snapshot = snapshot(pool);
        assertThat(snapshot.submitted()).isEqualTo(4 * rounds);
        assertThat(snapshot.failed()).isEqualTo(2 * rounds);
        assertThat(snapshot.rejected()).isZero();
        assertThat(snapshot.serviceTime().count()).isEqualTo(4 * rounds);
        fixture.eventually("rest", () -> snapshot(pool).active() == 0);
        end(pool);
        assertThat(snapshot(pool).completed()).isEqualTo(4 * rounds);
        assertThat(snapshot(pool).size()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"INSTRUMENTED", "INSTRUMENTED_ON_LINKED_QUEUE", "INSTRUMENTED_ON_ARRAY_QUEUE"})
    void counts_cancelledAndRemovedTasks_submittedIsCompletedAndRemoved(PoolType type) {
        ThreadPoolExecutor pool = pool(type, 1, 20);
        HeldTask held = fixture.occupy(pool);
        Runnable removed = () -> {};
        pool.execute(removed);
        Future<?> cancelled = pool.submit(() -> {});
        Future<?> purged = pool.submit(() -> {});
        assertThat(pool.remove(removed)).isTrue();
        purged.cancel(false);
        pool.purge();
        cancelled.cancel(false);
        held.release();
        fixture.eventually("all counted", () -> snapshot(pool).completed() == 2);
        assertThat(snapshot(pool).submitted()).isEqualTo(4);
        assertThat(snapshot(pool).failed()).isZero();
    }

    /** A pool is ended after a few tasks, again and again; the snapshot that follows must include each task. */
    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void counts_afterAwaitTermination_areExactAtOnce(PoolType type) throws Exception {
        for (int round = 0; round < 60; round++) {
            ThreadPoolExecutor pool = pool(type, 3, 10);
            int tasks = 1 + round % 7;
            for (int i = 0; i < tasks; i++) {
                pool.execute(() -> {});
            }
            end(pool);
            PoolSnapshot last = snapshot(pool);
            assertThat(last.completed()).isEqualTo(tasks);
            assertThat(last.submitted()).isEqualTo(tasks);
            assertThat(last.serviceTime().count()).isEqualTo(tasks);
            assertThat(last.active()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void counts_shutdownNow_submittedIsCompletedAndReturned(PoolType type) throws Exception {
        for (int round = 0; round < 30; round++) {
            ThreadPoolExecutor pool = pool(type, 2, 50);
            int tasks = 40;
            for (int i = 0; i < tasks; i++) {
                pool.execute(() -> {});
            }
            int returned = pool.shutdownNow().size();
            assertThat(pool.awaitTermination(fixture.patience().toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(snapshot(pool).submitted()).isEqualTo(tasks);
            assertThat(snapshot(pool).completed()).isEqualTo(tasks - returned);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void counts_whileFourSubmittersRun_neverContradictEachOther(PoolType type) {
        ThreadPoolExecutor pool = pool(type, 3, 16);
        int submitters = 4;
        int each = type.isHandOff() ? 1_000 : 5_000;
        AtomicLong begun = new AtomicLong();
        CountDownLatch done = new CountDownLatch(submitters);
        for (int i = 0; i < submitters; i++) {
            fixture.thread(() -> {
                for (int task = 0; task < each; task++) {
                    begun.incrementAndGet();
                    if (task % 100 == 0) {
                        pool.execute(() -> {
                            throw new IllegalStateException("kills its worker");
                        });
                    } else if (task % 3 == 0) {
                        pool.submit(() -> {});
                    } else {
                        pool.execute(() -> {});
                    }
                }
                done.countDown();
            });
        }
        PoolSnapshot before = snapshot(pool);
        while (done.getCount() > 0) {
            PoolSnapshot now = snapshot(pool);
            long most = begun.get();
            assertThat(now.completed()).isBetween(before.completed(), now.submitted());
            assertThat(now.submitted()).isBetween(before.submitted(), most);
            assertThat(now.failed()).isBetween(before.failed(), now.completed());
            assertThat(now.serviceTime().count()).isBetween(before.serviceTime().count(), now.submitted());
            assertThat(now.queued()).isBetween(0, 16);
            before = now;
        }
        long tasks = (long) submitters * each;
        fixture.eventually("all counted", () -> snapshot(pool).completed() == tasks);
        PoolSnapshot last = snapshot(pool);
        assertThat(last.submitted()).isEqualTo(tasks);
        assertThat(last.failed()).isEqualTo(tasks / 100);
        fixture.eventually("service times", () -> snapshot(pool).serviceTime().count() == tasks);
    }

    @Test
    void counts_betweenTheHookAndTheCountOfTheJdk_failedIsCompleted() {
        CountDownLatch recorded = new CountDownLatch(1);
        Gate gate = fixture.gate();
        ThreadPoolExecutor pool = fixture.closing(
                new InstrumentedThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>()) {
                    @Override
                    protected void afterExecute(Runnable task, Throwable thrown) {
                        super.afterExecute(task, thrown);
                        recorded.countDown();
                        try {
                            gate.pass();
                        } catch (InterruptedException ended) {
                            Thread.currentThread().interrupt();
                        }
                    }
                });
        fixture.occupy(pool).fail(new IllegalStateException("kills its worker"));
        fixture.await("the failure reported", recorded);
        assertThat(snapshot(pool).failed()).isOne();
        assertThat(snapshot(pool).completed()).isOne();
        gate.open();
        fixture.eventually("the JDK's count", () -> pool.getCompletedTaskCount() == 1);
        assertThat(snapshot(pool).completed()).isOne();
    }

    private void end(ThreadPoolExecutor pool) throws InterruptedException {
        pool.shutdown();
        assertThat(pool.awaitTermination(fixture.patience().toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    private static PoolSnapshot snapshot(ThreadPoolExecutor pool) {
        return ((InstrumentedPool) pool).snapshot();
    }
}
