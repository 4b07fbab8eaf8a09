package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.queue.WorkQueue;
import io.lifeguard.pool.testing.Fixture;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardOldestPolicy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One submission to a full pool drops one task, even while others wait for the room that this makes. */
class ReplacingTest {

    private static final int WAITING = 3;

    @AutoClose
    private final Fixture fixture = new Fixture();

    private FullPool<InstrumentedThreadPoolExecutor> fullPool(RejectedExecutionHandler handler, int capacity) {
        return FullPool.of(
                fixture,
                InstrumentedThreadPoolExecutor.named("full")
                        .size(1)
                        .queueCapacity(capacity)
                        .whenSaturated(handler)
                        .build());
    }

    private void startPuts(InstrumentedThreadPoolExecutor pool) {
        for (int i = 0; i < WAITING; i++) {
            fixture.thread(() -> pool.getQueue().put(() -> {}));
        }
        fixture.eventually("all wait", () -> waiting(pool) == WAITING);
    }

    private static int waiting(InstrumentedThreadPoolExecutor pool) {
        return ((WorkQueue) pool.getQueue()).waitingProducers();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 70_000})
    void discardOldest_othersWaitForRoom_dropsExactlyOne(int capacity) {
        FullPool<InstrumentedThreadPoolExecutor> full = fullPool(new DiscardOldestPolicy(), capacity);
        InstrumentedThreadPoolExecutor pool = full.pool;
        startPuts(pool);
        for (int submissions = 1; submissions <= 5; submissions++) {
            Runnable task = () -> {};
            pool.execute(task);
            assertThat(pool.snapshot().saturation().rejections().get(RejectionReason.DISCARDED_OLDEST))
                    .isEqualTo(submissions);
            assertThat(pool.getQueue()).endsWith(task).hasSize(capacity);
            assertThat(waiting(pool)).isEqualTo(WAITING);
        }
        full.release();
        fixture.eventually(
                "empty queue", () -> waiting(pool) == 0 && pool.getQueue().isEmpty());
    }

    /** The handler of many applications: drops the oldest, and tries again until it succeeds. */
    @ParameterizedTest
    @ValueSource(strings = {"executes again", "offers until accepted"})
    void usersHandlerPollsAndTriesAgain_othersWaitForRoom_dropsExactlyOne(String kind) {
        AtomicInteger polls = new AtomicInteger();
        AtomicInteger dropped = new AtomicInteger();
        RejectedExecutionHandler handler = (task, executor) -> {
            do {
                assertThat(polls.incrementAndGet()).isLessThan(100);
                if (executor.getQueue().poll() != null) {
                    dropped.incrementAndGet();
                }
                if (kind.equals("executes again")) {
                    executor.execute(task);
                    return;
                }
            } while (!executor.getQueue().offer(task));
        };
        FullPool<InstrumentedThreadPoolExecutor> full = fullPool(handler, 4);
        ThreadPoolExecutor pool = full.pool;
        startPuts(full.pool);
        Runnable task = () -> {};
        pool.execute(task);
        assertThat(dropped).hasValue(1);
        assertThat(pool.getQueue()).endsWith(task).hasSize(4);
        assertThat(waiting(full.pool)).isEqualTo(WAITING);
        full.release();
        fixture.eventually(
                "empty queue", () -> waiting(full.pool) == 0 && pool.getQueue().isEmpty());
    }

    /** A handler that only drops: the room goes to those that wait. */
    @Test
    void usersHandlerPollsAndGivesUp_othersAreLetIn() {
        FullPool<InstrumentedThreadPoolExecutor> full =
                fullPool((task, executor) -> executor.getQueue().poll(), 4);
        startPuts(full.pool);
        full.pool.execute(() -> {});
        fixture.eventually("one let in", () -> waiting(full.pool) == WAITING - 1);
        full.release();
    }
}
