package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.EnumSource.Mode.MATCH_ALL;

import io.lifeguard.pool.PoolSnapshot.Unseen;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Futures of failed tasks are followed until a caller asks for the result, or the future is collected. */
class UnseenFailuresTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final Callable<String> failing = Tasks.named("import", () -> {
        throw new IllegalStateException("as planned");
    });

    /** Waits when its worker is not back at the hand-off yet. */
    private ThreadPoolExecutor pool(PoolType type) {
        return fixture.closing(type.make(1, 4, BlockingWaitPolicy.forever()));
    }

    private static List<Unseen> unseen(ExecutorService pool) {
        return ((InstrumentedPool) pool).snapshot().unseenFailures();
    }

    private Future<String> failed(ExecutorService pool) {
        Future<String> future = pool.submit(failing);
        fixture.eventually("end of the task", future::isDone);
        return future;
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void unseen_failedFutureNotAsked_waitsWithKindAndException(PoolType type) {
        ThreadPoolExecutor pool = pool(type);
        Future<String> future = failed(pool);
        assertThat(unseen(pool)).singleElement().satisfies(some -> {
            assertThat(some.kind()).isEqualTo("import");
            assertThat(some.exception()).isEqualTo("java.lang.IllegalStateException");
            assertThat(some.waiting()).isOne();
            assertThat(some.oldestWaiting()).isPositive();
            assertThat(some.lost()).isZero();
            assertThat(some.stopped()).isZero();
        });
        assertThat(future.isDone()).as("keeps the future").isTrue();
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void unseen_futureCollectedUnasked_isLostForever(PoolType type) {
        ThreadPoolExecutor pool = pool(type);
        failed(pool);
        failed(pool);
        fixture.eventually("collection of both futures", () -> {
            System.gc();
            List<Unseen> some = unseen(pool);
            return some.size() == 1 && some.get(0).lost() == 2;
        });
        assertThat(unseen(pool))
                .extracting(Unseen::lost, Unseen::waiting)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(2L, 0L));
    }

    @Test
    void unseen_askedByGet_isNothing() throws InterruptedException {
        ThreadPoolExecutor pool = pool(PoolType.INSTRUMENTED);
        Future<String> future = failed(pool);
        Future<String> other = failed(pool);
        assertThatThrownBy(future::get).isInstanceOf(ExecutionException.class);
        assertThatThrownBy(() -> other.get(1, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        assertThat(unseen(pool)).isEmpty();
    }

    /** A task that fails when it is released. */
    private static Future<?> failing(ThreadPoolExecutor pool, HeldTask held) {
        return pool.submit(() -> {
            held.run();
            throw new IllegalStateException("as planned");
        });
    }

    /**
     * A thread waits in {@code get} before the task fails. The failure must count as seen, whichever thread is faster
     * afterwards.
     */
    @Test
    void unseen_askedBeforeTheFailure_isNothing() {
        ThreadPoolExecutor pool = pool(PoolType.INSTRUMENTED);
        HeldTask held = fixture.heldTask();
        Future<?> future = failing(pool, held);
        Thread asking =
                fixture.thread("asking", () -> assertThatThrownBy(future::get).isInstanceOf(ExecutionException.class));
        fixture.eventually("asker waits", () -> Fixture.isWaiting(asking));
        held.release();
        fixture.eventually(
                "nothing unseen",
                () -> future.isDone() && !asking.isAlive() && unseen(pool).isEmpty());
    }

    @Test
    void unseen_isDoneAndCancelAfterwards_doNotCountAsSeen() {
        ThreadPoolExecutor pool = pool(PoolType.INSTRUMENTED);
        Future<String> future = failed(pool);
        future.cancel(true);
        assertThat(future.isDone()).isTrue();
        assertThat(unseen(pool)).hasSize(1);
    }

    @Test
    void unseen_cancelledWhileItRan_isNothing() {
        ThreadPoolExecutor pool = pool(PoolType.INSTRUMENTED);
        HeldTask held = fixture.heldTask();
        Future<?> future = failing(pool, held);
        fixture.await("start", held.started);
        future.cancel(false);
        held.release();
        fixture.eventually("end of the task", () -> pool.getCompletedTaskCount() == 1);
        assertThat(unseen(pool)).isEmpty();
    }

    @Test
    void unseen_completionService_isSeenWhenItsFutureIsAsked() throws InterruptedException {
        ThreadPoolExecutor pool = pool(PoolType.INSTRUMENTED);
        CompletionService<String> service = new ExecutorCompletionService<>(pool);
        service.submit(failing);
        Future<String> future = service.take();
        assertThat(unseen(pool)).hasSize(1);
        assertThatThrownBy(future::get).isInstanceOf(ExecutionException.class);
        assertThat(unseen(pool)).isEmpty();
    }

    @Test
    void unseen_flood_isBounded() {
        ThreadPoolExecutor pool = fixture.closing((ThreadPoolExecutor) InstrumentedExecutors.newFixedThreadPool(2));
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            all.add(pool.submit(failing));
        }
        fixture.eventually("end of all", () -> all.stream().allMatch(Future::isDone));
        assertThat(unseen(pool))
                .singleElement()
                .satisfies(some -> assertThat(some.waiting()).isBetween(1L, 128L));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void unseen_askedByExceptionNow_isNothing() throws ReflectiveOperationException {
        ThreadPoolExecutor pool = pool(PoolType.INSTRUMENTED);
        Future<String> future = failed(pool);
        Object thrown = Future.class.getMethod("exceptionNow").invoke(future);
        assertThat(thrown)
                .isInstanceOf(IllegalStateException.class)
                .extracting("message")
                .isEqualTo("as planned");
        assertThat(unseen(pool)).isEmpty();
        Future<String> other = failed(pool);
        assertThatThrownBy(() -> Future.class.getMethod("resultNow").invoke(other))
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(unseen(pool)).isEmpty();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void resultNow_taskSucceededOrRuns_behavesLikeTheJdks() throws ReflectiveOperationException {
        ThreadPoolExecutor pool = pool(PoolType.INSTRUMENTED);
        Future<String> future = pool.submit(() -> "done");
        fixture.eventually("end of the task", future::isDone);
        assertThat(Future.class.getMethod("resultNow").invoke(future)).isEqualTo("done");
        assertThatThrownBy(() -> Future.class.getMethod("exceptionNow").invoke(future))
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void unseen_periodicTaskThrows_hasStopped() {
        InstrumentedScheduledThreadPoolExecutor pool = fixture.closing(new InstrumentedScheduledThreadPoolExecutor(1));
        ScheduledFuture<?> future = pool.scheduleAtFixedRate(secondRunThrows("poll"), 0, 1, TimeUnit.MILLISECONDS);
        fixture.eventually("the end of it", future::isDone);
        fixture.eventually("stopped", () -> unseen(pool).size() == 1);
        assertThat(unseen(pool)).singleElement().satisfies(some -> {
            assertThat(some.kind()).isEqualTo("poll");
            assertThat(some.exception()).isEqualTo("java.lang.IllegalStateException");
            assertThat(some.stopped()).isOne();
            assertThat(some.waiting()).isZero();
        });
    }

    /**
     * Forced: the submitter is stopped after it queued the task, where the JDK reads the pool's state, until the task
     * has run and stopped.
     */
    @Test
    void unseen_periodicTaskThrowsBeforeScheduleReturns_hasStopped() {
        Thread submitter = Thread.currentThread();
        CountDownLatch stopped = new CountDownLatch(2);
        InstrumentedScheduledThreadPoolExecutor pool = fixture.closing(new InstrumentedScheduledThreadPoolExecutor(1) {
            @Override
            public boolean isShutdown() {
                if (Thread.currentThread() == submitter && getTaskCount() > 1) {
                    fixture.await("the second has stopped", stopped);
                }
                return super.isShutdown();
            }

            @Override
            protected void afterExecute(Runnable task, Throwable thrown) {
                super.afterExecute(task, thrown);
                stopped.countDown();
            }
        });
        Runnable throwing = () -> {
            throw new IllegalStateException("as planned");
        };
        pool.scheduleAtFixedRate(Tasks.named("other", throwing), 0, 1, TimeUnit.HOURS);
        fixture.eventually("the first has stopped", () -> unseen(pool).size() == 1);

        pool.scheduleAtFixedRate(Tasks.named("poll", throwing), 0, 1, TimeUnit.HOURS);

        assertThat(unseen(pool)).extracting(Unseen::kind).containsExactlyInAnyOrder("other", "poll");
    }

    /** Forced: the worker of the first run looks at the future when the second run, by another worker, has failed. */
    @Test
    void unseen_periodicTaskThrowsBeforeTheRunBeforeIsCounted_hasStoppedOnce() {
        CountDownLatch stopped = new CountDownLatch(1);
        AtomicInteger ends = new AtomicInteger();
        InstrumentedScheduledThreadPoolExecutor pool = fixture.closing(new InstrumentedScheduledThreadPoolExecutor(2) {
            @Override
            protected void afterExecute(Runnable task, Throwable thrown) {
                if (ends.incrementAndGet() == 1) {
                    fixture.await("the second run has failed", stopped);
                }
                super.afterExecute(task, thrown);
                stopped.countDown();
            }
        });

        pool.scheduleWithFixedDelay(secondRunThrows("poll"), 0, 1, TimeUnit.NANOSECONDS);

        fixture.eventually("end of both runs", () -> pool.getActiveCount() == 0 && pool.getCompletedTaskCount() == 2);
        assertThat(unseen(pool))
                .singleElement()
                .satisfies(some -> assertThat(some.stopped()).isOne());
        assertThat(pool.snapshot().submitted()).isEqualTo(2);
    }

    @Test
    void unseen_periodicTaskScheduledAnew_isNothing() {
        InstrumentedScheduledThreadPoolExecutor pool = fixture.closing(new InstrumentedScheduledThreadPoolExecutor(1));
        pool.scheduleWithFixedDelay(secondRunThrows("poll"), 0, 1, TimeUnit.MILLISECONDS);
        fixture.eventually("stopped", () -> unseen(pool).size() == 1);
        pool.scheduleWithFixedDelay(Tasks.named("other", () -> {}), 0, 1, TimeUnit.MILLISECONDS);
        assertThat(unseen(pool)).hasSize(1);
        pool.scheduleWithFixedDelay(Tasks.named("poll", () -> {}), 0, 1, TimeUnit.MILLISECONDS);
        assertThat(unseen(pool)).isEmpty();
    }

    @Test
    void unseen_periodicTaskCancelled_isNothing() {
        InstrumentedScheduledThreadPoolExecutor pool = fixture.closing(new InstrumentedScheduledThreadPoolExecutor(1));
        HeldTask held = fixture.heldTask();
        ScheduledFuture<?> future = pool.scheduleAtFixedRate(
                () -> {
                    held.run();
                    throw new IllegalStateException("as planned");
                },
                0,
                1,
                TimeUnit.MILLISECONDS);
        fixture.await("start", held.started);
        future.cancel(false);
        held.release();
        fixture.eventually("end of the run", () -> pool.getCompletedTaskCount() == 1);
        fixture.eventually("rest", () -> pool.snapshot().active() == 0);
        assertThat(unseen(pool)).isEmpty();
    }

    private static Runnable secondRunThrows(String name) {
        AtomicInteger runs = new AtomicInteger();
        return Tasks.named(name, () -> {
            if (runs.incrementAndGet() == 2) {
                throw new IllegalStateException("as planned");
            }
        });
    }
}
