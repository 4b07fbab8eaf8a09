package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.FullPool.Submission;
import io.lifeguard.pool.testing.Fixture;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues of users that cannot be iterated, and executors that do not show their queue. */
class BrokenQueueTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final AtomicInteger ran = new AtomicInteger();

    /** A queue whose iteration throws, at the beginning or on the way. */
    private static final class Uniterable extends ArrayBlockingQueue<Runnable> {
        private final boolean atOnce;

        Uniterable(boolean atOnce) {
            super(1);
            this.atOnce = atOnce;
        }

        @Override
        public Iterator<Runnable> iterator() {
            if (atOnce) {
                throw new UnsupportedOperationException("on purpose");
            }
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return true;
                }

                @Override
                public Runnable next() {
                    throw new ConcurrentModificationException("on purpose");
                }
            };
        }
    }

    private InstrumentedThreadPoolExecutor pool(BlockingQueue<Runnable> queue, RejectedExecutionHandler handler) {
        return fixture.closing(new InstrumentedThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, queue, handler));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void handlerCalled_queueCannotBeIterated_handlerDecides(boolean atOnce) {
        AtomicInteger handled = new AtomicInteger();
        FullPool<?> full =
                FullPool.of(fixture, pool(new Uniterable(atOnce), (task, executor) -> handled.incrementAndGet()));
        full.pool.execute(ran::incrementAndGet);
        assertThat(handled).hasValue(1);
        assertThat(((InstrumentedPool) full.pool).snapshot().saturation().rejections())
                .isEqualTo(Map.of(RejectionReason.LEFT_TO_HANDLER, 1L));
    }

    /** The submitter gets the exception of the factory, as from the JDK's class, and not that of the queue. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void execute_factoryThrowsAndQueueCannotBeIterated_submitterGetsTheFactorysException(boolean atOnce) {
        IllegalStateException failure = new IllegalStateException("no thread");
        ThreadFactory factory = body -> {
            throw failure;
        };
        InstrumentedThreadPoolExecutor pool = fixture.closing(
                new InstrumentedThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new Uniterable(atOnce), factory));
        Submission submission = new Submission(fixture, "submitter", () -> pool.execute(ran::incrementAndGet));
        assertThat(submission.awaitRefusal()).isSameAs(failure);
    }

    @Test
    void execute_getterReturnsACopyOfTheQueue_waitingTaskRuns() {
        InstrumentedThreadPoolExecutor pool =
                new InstrumentedThreadPoolExecutor(
                        1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), BlockingWaitPolicy.forever()) {
                    @Override
                    public BlockingQueue<Runnable> getQueue() {
                        BlockingQueue<Runnable> queue = super.getQueue();
                        BlockingQueue<Runnable> copy = new ArrayBlockingQueue<>(8);
                        copy.addAll(queue);
                        return copy;
                    }
                };
        fixture.closing(pool);
        var held = fixture.occupy(pool);
        pool.execute(ran::incrementAndGet);
        Submission submission = new Submission(fixture, "submitter", () -> pool.execute(ran::incrementAndGet));
        submission.awaitWaiting();
        held.release();
        submission.awaitAcceptance();
        fixture.eventually("run of both tasks", () -> ran.get() == 2);
        fixture.eventually("both counted", () -> pool.snapshot().completed() == 3);
        assertThat(pool.snapshot().submitted()).isEqualTo(3);
    }
}
