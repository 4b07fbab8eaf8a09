package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.FullPool.Submission;
import io.lifeguard.pool.testing.Delays;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Submitters that wait for room: acceptance, order, time-out and interruption, for every type of pool. */
class BlockingWaitPolicyTest {

    private static final Duration SHORT = Delays.scaled(Duration.ofMillis(60));

    @AutoClose
    private final Fixture fixture = new Fixture();

    @ParameterizedTest
    @EnumSource
    void execute_poolFull_returnsOnceThereIsRoomAndTheTaskRuns(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.forever());
        CountDownLatch ran = new CountDownLatch(1);
        Submission submission = full.submitAndWait(ran::countDown);
        fixture.never("acceptance by a full pool", () -> !submission.isWaiting());
        full.release();
        submission.awaitAcceptance();
        fixture.await("run of the task", ran);
        assertThat(submission.interruptedAfter).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void submit_poolFull_futureDeliversTheResult(PoolType type) throws Exception {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.upTo(Delays.PATIENCE));
        List<Future<String>> future = new CopyOnWriteArrayList<>();
        Submission submission =
                new Submission(fixture, "submitter", () -> future.add(full.pool.submit(() -> "the result")));
        submission.awaitWaiting();
        full.release();
        submission.awaitAcceptance();
        assertThat(fixture.get(future.get(0))).isEqualTo("the result");
    }

    @ParameterizedTest
    @EnumSource
    void execute_manyWait_runInTheOrderOfTheirArrival(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.forever());
        List<Integer> order = new CopyOnWriteArrayList<>();
        List<Submission> submissions = new ArrayList<>();
        List<Integer> arrival = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int number = i;
            arrival.add(number);
            submissions.add(full.submitAndWait(() -> order.add(number)));
        }
        // Longer than the intervals at which an implementation may wake up and lose its place in line.
        fixture.never("acceptance by a full pool", () -> submissions.stream().anyMatch(s -> !s.isWaiting()));
        full.release();
        submissions.forEach(Submission::awaitAcceptance);
        fixture.eventually("all tasks run", () -> order.size() == arrival.size());
        assertThat(order).isEqualTo(arrival);
    }

    /** The newcomers submit while the queue drains, because only then is there room to take. */
    @Test
    void execute_newcomersWhileOthersWait_cannotOvertakeOnAWorkQueue() {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, PoolType.INSTRUMENTED, BlockingWaitPolicy.forever());
        List<String> order = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 8; i++) {
            full.submitAndWait(() -> order.add("early"));
        }
        full.release();
        for (int i = 0; i < 100; i++) {
            full.pool.execute(() -> order.add("late"));
        }
        fixture.eventually("all tasks run", () -> order.size() == 108);
        assertThat(order.subList(0, 8)).containsOnly("early");
    }

    @ParameterizedTest
    @EnumSource
    void execute_timeOver_isRefusedWithPoolStateQueueLengthAndTimeWaited(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.upTo(SHORT));
        Runnable task = () -> {};
        long start = System.nanoTime();
        Throwable refusal = full.submit(task).awaitRefusal();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SHORT.toNanos());
        assertThat(refusal)
                .isExactlyInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining(task.toString())
                .hasMessageContaining(full.pool.toString())
                .hasMessageContaining("[Running, ")
                .hasMessageContaining("queued tasks = " + full.fillers)
                .hasMessageContaining("longest wait of " + SHORT)
                .hasMessageContaining("(waited ")
                .hasMessageMatching("(?s).*\\(waited \\d[\\d.]* m?s\\)");
        assertThat(full.pool.getQueue()).doesNotContain(task);
    }

    @Test
    void execute_timeOver_messageNamesThePoolAndTheSnapshotCountsIt() {
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("orders")
                .size(1)
                .queueCapacity(1)
                .whenSaturated(BlockingWaitPolicy.upTo(SHORT))
                .build();
        FullPool<InstrumentedThreadPoolExecutor> full = FullPool.of(fixture, pool);
        assertThat(full.submit(() -> {}).awaitRefusal()).hasMessageContaining("rejected from pool orders, ");
        PoolSnapshot snapshot = pool.snapshot();
        assertThat(snapshot.rejected()).isEqualTo(1);
        assertThat(snapshot.saturation().rejections()).containsOnlyKeys(RejectionReason.TIMED_OUT);
        assertThat(snapshot.submitted()).isEqualTo(2);
        assertThat(snapshot.blockedSubmit().count()).isEqualTo(1);
        assertThat(snapshot.blockedSubmit().max()).isGreaterThanOrEqualTo(SHORT);
    }

    @ParameterizedTest
    @EnumSource
    void execute_upToZero_isRefusedAtOnceWhenFullAndAcceptedWhenNot(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.upTo(Duration.ZERO));
        assertThat(full.submit(() -> {}).awaitRefusal()).hasMessageContaining("PT0S");
        assertThat(full.pool.getQueue()).hasSize(full.fillers);
    }

    @ParameterizedTest
    @EnumSource
    void execute_interruptedBefore_isRefusedAndTheFlagStays(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.forever());
        Runnable task = () -> {};
        Submission submission = new Submission(fixture, "submitter", () -> {
            Thread.currentThread().interrupt();
            full.pool.execute(task);
        });
        assertInterrupted(full, submission, task);
    }

    @ParameterizedTest
    @EnumSource
    void execute_interruptedWhileWaiting_isRefusedAndTheFlagIsRestored(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.forever());
        Runnable task = () -> {};
        Submission submission = full.submitAndWait(task);
        submission.thread.interrupt();
        assertInterrupted(full, submission, task);
    }

    private void assertInterrupted(FullPool<ThreadPoolExecutor> full, Submission submission, Runnable task) {
        assertThat(submission.awaitRefusal())
                .isExactlyInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("interrupted while it waited for room")
                .hasMessageContaining(full.pool.toString())
                .hasCauseExactlyInstanceOf(InterruptedException.class);
        assertThat(submission.interruptedAfter).isTrue();
        assertThat(full.pool.getQueue()).doesNotContain(task).hasSize(full.fillers);
        if (full.pool instanceof InstrumentedPool instrumented) {
            PoolSnapshot snapshot = instrumented.snapshot();
            assertThat(snapshot.saturation().rejections()).containsEntry(RejectionReason.INTERRUPTED, 1L);
            assertThat(snapshot.saturation().blockedNow()).isZero();
            assertThat(snapshot.submitted()).isEqualTo(1 + full.fillers);
        }
    }

    /** One submitter in the middle of the line leaves; the submitters behind it keep their order and are served. */
    @ParameterizedTest
    @EnumSource
    void execute_oneOfManyInterrupted_theOthersAreServedInOrder(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.forever());
        List<Integer> order = new CopyOnWriteArrayList<>();
        List<Submission> submissions = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int number = i;
            submissions.add(full.submitAndWait(() -> order.add(number)));
        }
        for (int gone : List.of(0, 2)) {
            submissions.get(gone).thread.interrupt();
            submissions.get(gone).awaitRefusal();
        }
        full.release();
        List.of(1, 3, 4).forEach(number -> submissions.get(number).awaitAcceptance());
        fixture.eventually("all tasks run", () -> order.size() == 3);
        assertThat(order).containsExactly(1, 3, 4);
    }

    @Test
    void upTo_moreThan292Years_waitsForever() {
        FullPool<ThreadPoolExecutor> full =
                FullPool.of(fixture, PoolType.INSTRUMENTED, BlockingWaitPolicy.upTo(Duration.ofDays(365_000)));
        Submission submission = full.submitAndWait(() -> {});
        full.release();
        submission.awaitAcceptance();
    }

    @Test
    void upTo_nullOrNegative_isRefusedWithTheValue() {
        assertThatThrownBy(() -> BlockingWaitPolicy.upTo(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("limit must not be null");
        assertThatThrownBy(() -> BlockingWaitPolicy.upTo(Duration.ofMillis(-5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limit must not be negative (was PT-0.005S)");
    }

    @Test
    void toString_anyPolicy_saysHowLongItWaits() {
        assertThat(BlockingWaitPolicy.forever()).hasToString("BlockingWaitPolicy.forever()");
        assertThat(BlockingWaitPolicy.upTo(Duration.ofSeconds(3))).hasToString("BlockingWaitPolicy.upTo(PT3S)");
    }

    @Test
    void execute_unboundedQueue_neverAsksThePolicy() {
        InstrumentedThreadPoolExecutor pool = fixture.closing(InstrumentedThreadPoolExecutor.named("unbounded")
                .size(1)
                .unboundedQueue()
                .whenSaturated((task, executor) -> {
                    throw new AssertionError("asked");
                })
                .build());
        fixture.occupy(pool);
        for (int i = 0; i < 100_000; i++) {
            pool.execute(() -> {});
        }
        assertThat(pool.getQueue()).hasSize(100_000);
        assertThat(pool.snapshot().rejected()).isZero();
    }
}
