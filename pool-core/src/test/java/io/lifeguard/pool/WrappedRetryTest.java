package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.FullPool.Submission;
import io.lifeguard.pool.queue.WorkQueue;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Pools that wrap each task, and whose submitters wait. The thread factory returns null for the last worker, so a
 * submitter that waits submits again and again, and is refused each time.
 */
class WrappedRetryTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final Factory factory = new Factory();
    private final AtomicInteger wraps = new AtomicInteger();

    @ParameterizedTest
    @EnumSource
    void execute_retriesAreRefused_submittersAreServedOnceAWorkerStarts(Kind kind) {
        ThreadPoolExecutor pool = fullPool(kind);
        CountDownLatch ran = new CountDownLatch(2);
        List<Submission> waiting = List.of(submitAndWait(pool, ran::countDown), submitAndWait(pool, ran::countDown));
        int wrapsOfOthers = wraps.get() - waiting.size();
        refuseSomeRetries(pool);
        for (Submission submission : waiting) {
            long waits = Arrays.stream(submission.thread.getStackTrace())
                    .filter(frame -> frame.getClassName().equals(SubmissionWait.class.getName())
                            && frame.getMethodName().equals("await"))
                    .count();
            assertThat(waits).as("waits within each other").isEqualTo(1);
        }

        factory.returnsNull = false;
        pool.setMaximumPoolSize(pool.getMaximumPoolSize() + 1);

        waiting.forEach(Submission::awaitAcceptance);
        fixture.await("run of both tasks, each once", ran);
        if (kind.instrumented) {
            assertThat(wraps.get() - wrapsOfOthers)
                    .as("each task is wrapped once")
                    .isEqualTo(2);
            assertThat(((InstrumentedPool) pool).snapshot().rejected()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shutdown_retriesAreRefused_submittersAreReleased(Kind kind) {
        ThreadPoolExecutor pool = fullPool(kind);
        List<Submission> waiting = List.of(submitAndWait(pool, () -> {}), submitAndWait(pool, () -> {}));
        refuseSomeRetries(pool);

        pool.shutdown();

        for (Submission submission : waiting) {
            assertThat(submission.awaitRefusal()).hasMessageContaining("it was shut down while the submitter waited");
        }
    }

    /** The factory submits a task while it makes a worker for the first in line: that task must be waited for first. */
    @Test
    void execute_factoryOfARetrySubmits_innerTaskIsServedAndThenTheOuterOne() {
        ThreadPoolExecutor pool = fullPool(Kind.STOCK_HAND_OFF_WRAPPING_IN_EXECUTE);
        AtomicInteger ran = new AtomicInteger();
        factory.submits = () -> pool.execute(ran::incrementAndGet);
        Submission submission = submitAndWait(pool, ran::incrementAndGet);
        factory.returnsNull = false;
        fixture.eventually("inner wait", () -> factory.submits == null && Fixture.isWaiting(submission.thread));
        fixture.never("the submitter returned", () -> !submission.isWaiting());

        occupying.release();

        submission.awaitAcceptance();
        fixture.eventually("run of both tasks", () -> ran.get() == 2);
    }

    private HeldTask occupying;

    /** One worker is held, the queue is full, and the factory makes no more workers, although the pool may have two. */
    private ThreadPoolExecutor fullPool(Kind kind) {
        ThreadPoolExecutor pool = fixture.closing(kind.make(this));
        occupying = fixture.occupy(pool);
        while (pool.getQueue().remainingCapacity() > 0) {
            pool.execute(() -> {});
        }
        factory.returnsNull = true;
        return pool;
    }

    private Submission submitAndWait(ThreadPoolExecutor pool, Runnable task) {
        Submission submission = new Submission(fixture, "submitter", () -> pool.execute(task));
        submission.awaitWaiting();
        return submission;
    }

    private void refuseSomeRetries(ThreadPoolExecutor pool) {
        for (int i = 0; i < 3; i++) {
            int before = factory.calls.get();
            pool.setMaximumPoolSize(pool.getMaximumPoolSize() + 1);
            fixture.eventually("another retry", () -> factory.calls.get() > before);
        }
    }

    private Runnable wrap(Runnable task) {
        wraps.incrementAndGet();
        return () -> task.run();
    }

    /** Where a pool wraps its tasks. */
    enum Kind {
        INSTRUMENTED_WRAPPING_IN_EXECUTE(true, false, true),
        INSTRUMENTED_HAND_OFF_WRAPPING_IN_EXECUTE(true, true, true),
        STOCK_HAND_OFF_WRAPPING_IN_EXECUTE(false, true, true),
        INSTRUMENTED_WRAPPING_IN_HANDLER(true, false, false),
        INSTRUMENTED_HAND_OFF_WRAPPING_IN_HANDLER(true, true, false),
        STOCK_HAND_OFF_WRAPPING_IN_HANDLER(false, true, false);

        private final boolean instrumented;
        private final boolean handOff;
        private final boolean inExecute;

        Kind(boolean instrumented, boolean handOff, boolean inExecute) {
            this.instrumented = instrumented;
            this.handOff = handOff;
            this.inExecute = inExecute;
        }

        private ThreadPoolExecutor make(WrappedRetryTest test) {
            BlockingQueue<Runnable> queue = handOff ? new SynchronousQueue<>() : WorkQueue.bounded(1);
            BlockingWaitPolicy waits = BlockingWaitPolicy.forever();
            RejectedExecutionHandler handler =
                    inExecute ? waits : (task, executor) -> waits.rejectedExecution(test.wrap(task), executor);
            if (instrumented) {
                return new InstrumentedThreadPoolExecutor(1, 2, 1, TimeUnit.HOURS, queue, test.factory, handler) {
                    @Override
                    public void execute(Runnable task) {
                        super.execute(inExecute ? test.wrap(task) : task);
                    }
                };
            }
            return new ThreadPoolExecutor(1, 2, 1, TimeUnit.HOURS, queue, test.factory, handler) {
                @Override
                public void execute(Runnable task) {
                    super.execute(inExecute ? test.wrap(task) : task);
                }
            };
        }
    }

    private static final class Factory implements ThreadFactory {
        final AtomicInteger calls = new AtomicInteger();
        volatile boolean returnsNull;
        volatile @Nullable Runnable submits; // once

        @Override
        public @Nullable Thread newThread(Runnable body) {
            calls.incrementAndGet();
            if (returnsNull) {
                return null;
            }
            Runnable submission = submits;
            if (submission != null) {
                submits = null;
                submission.run();
            }
            return new Thread(body);
        }
    }
}
