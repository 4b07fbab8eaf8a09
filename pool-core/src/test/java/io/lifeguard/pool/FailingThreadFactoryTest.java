package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.FullPool.Submission;
import io.lifeguard.pool.queue.WorkQueue;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import java.util.concurrent.ArrayBlockingQueue;
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
 * A thread factory fails for a time: no submitter waits forever for a worker that was not replaced, and counts stay
 * exact.
 */
class FailingThreadFactoryTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final Factory factory = new Factory();
    private final AtomicInteger ran = new AtomicInteger();

    /** The task kills its worker, and the factory fails when the JDK tries to replace the worker. */
    @ParameterizedTest
    @EnumSource
    void lastWorkerDies_factoryThrows_waitingSubmitterGetsTheException(PoolType type) {
        ThreadPoolExecutor pool = pool(type);
        Gate gate = occupyWithFailingTask(pool);
        Submission submission = submitAndWait(pool);

        factory.failure = new IllegalStateException("no thread");
        gate.open();

        assertThat(submission.awaitRefusal()).isSameAs(factory.failure);
        factory.failure = null;
        pool.execute(ran::incrementAndGet);
        fixture.eventually("the pool works again", () -> ran.get() > 0);
    }

    @ParameterizedTest
    @EnumSource
    void lastWorkerDies_factoryReturnsNullForATime_waitingSubmitterIsServedAfterwards(PoolType type) {
        ThreadPoolExecutor pool = pool(type);
        Gate gate = occupyWithFailingTask(pool);
        Submission submission = submitAndWait(pool);

        factory.returnsNull = true;
        gate.open();
        fixture.eventually("the worker is gone", () -> pool.getPoolSize() == 0);
        fixture.never("the submitter returned", () -> !submission.isWaiting());
        factory.returnsNull = false;

        submission.awaitAcceptance();
        fixture.eventually("its task has run", () -> ran.get() == 1);
    }

    @Test
    void execute_factoryThrowsWhenTheTaskIsQueued_taskIsReportedAndCountedAsSubmitted() {
        for (boolean hasWorkQueue : new boolean[] {true, false}) {
            InstrumentedThreadPoolExecutor pool = fixture.closing(new InstrumentedThreadPoolExecutor(
                    0,
                    1,
                    1,
                    TimeUnit.SECONDS,
                    hasWorkQueue ? WorkQueue.bounded(4) : new ArrayBlockingQueue<>(4),
                    factory));
            factory.failure = new IllegalStateException("no thread");
            Submission submission = new Submission(fixture, "submitter", () -> pool.execute(ran::incrementAndGet));
            assertThat(submission.awaitRefusal()).isSameAs(factory.failure);
            assertThat(pool.getQueue()).as("as in the JDK").hasSize(1);
            assertThat(pool.snapshot().submitted()).isEqualTo(1);
            factory.failure = null;
        }
    }

    /** In an earlier version, each failure left the recorder of a worker behind. */
    @Test
    void execute_factoryFailsOften_noWorkerIsLeftBehind() {
        InstrumentedThreadPoolExecutor pool = (InstrumentedThreadPoolExecutor) pool(PoolType.INSTRUMENTED);
        factory.returnsNull = true;
        for (int i = 0; i < 100; i++) {
            pool.prestartCoreThread();
        }
        assertThat(pool.instruments.recorder.workers()).isEmpty();
    }

    private ThreadPoolExecutor pool(PoolType type) {
        ThreadPoolExecutor pool = fixture.closing(type.make(1, 1, BlockingWaitPolicy.forever()));
        pool.setThreadFactory(factory);
        return pool;
    }

    /** A pool with a full queue and one worker, which is busy until the gate opens and then dies. */
    private Gate occupyWithFailingTask(ThreadPoolExecutor pool) {
        Gate gate = fixture.gate();
        pool.execute(() -> {
            gate.passUninterruptibly();
            throw new IllegalStateException("on purpose");
        });
        fixture.await("start of the task", gate.arrived());
        while (pool.getQueue().remainingCapacity() > 0) {
            pool.execute(() -> {});
        }
        return gate;
    }

    private Submission submitAndWait(ThreadPoolExecutor pool) {
        Submission submission = new Submission(fixture, "submitter", () -> pool.execute(ran::incrementAndGet));
        submission.awaitWaiting();
        return submission;
    }

    private static final class Factory implements ThreadFactory {
        volatile @Nullable RuntimeException failure;
        volatile boolean returnsNull;

        @Override
        public @Nullable Thread newThread(Runnable body) {
            if (returnsNull) {
                return null;
            }
            RuntimeException now = failure;
            if (now != null) {
                throw now;
            }
            Thread thread = new Thread(body);
            thread.setUncaughtExceptionHandler((where, expected) -> {});
            return thread;
        }
    }
}
