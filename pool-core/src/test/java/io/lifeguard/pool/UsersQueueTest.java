package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.FullPool.Submission;
import io.lifeguard.pool.testing.Delays;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Queue wait in a queue of the user: exact for futures, an unbiased sample for raw tasks, and the queue holds the
 * user's own tasks.
 */
class UsersQueueTest {

    private static final Duration LONG = Delays.scaled(Duration.ofMillis(200));

    @AutoClose
    private final Fixture fixture = new Fixture();

    private InstrumentedThreadPoolExecutor pool(BlockingQueue<Runnable> queue) {
        return fixture.closing(new InstrumentedThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, queue));
    }

    @Test
    void execute_priorityQueue_runsByPriorityAndHoldsTheSameObjects() {
        Comparator<Runnable> byPriority = Comparator.comparing(task -> ((Ranked) task).rank);
        PriorityBlockingQueue<Runnable> queue = new PriorityBlockingQueue<>(8, byPriority);
        InstrumentedThreadPoolExecutor pool = pool(queue);
        HeldTask held = fixture.occupy(pool);
        List<Integer> order = new CopyOnWriteArrayList<>();
        List<Ranked> tasks = new ArrayList<>();
        for (int rank : new int[] {3, 1, 2}) {
            Ranked task = new Ranked(rank, order);
            tasks.add(task);
            pool.execute(task);
        }
        assertThat(pool.getQueue()).isSameAs(queue);
        assertThat(queue).hasSize(3).allMatch(tasks::contains);
        held.release();
        fixture.eventually("all run", () -> order.size() == 3);
        assertThat(order).containsExactly(1, 2, 3);
        assertThat(pool.snapshot().queueWait().accuracy()).isEqualTo(Distribution.Accuracy.SAMPLED);
    }

    private record Ranked(int rank, List<Integer> order) implements Runnable {
        @Override
        public void run() {
            order.add(rank);
        }
    }

    /**
     * The submitter and each future read the clock themselves; the pool's total must lie between the bounds that
     * follow.
     */
    @Test
    void submit_manyTasks_everyWaitIsMeasured() {
        InstrumentedThreadPoolExecutor pool = pool(new LinkedBlockingQueue<>());
        HeldTask held = fixture.occupy(pool);
        int tasks = 300;
        LongAdder least = new LongAdder();
        LongAdder most = new LongAdder();
        for (int i = 0; i < tasks; i++) {
            long before = System.nanoTime();
            long[] after = new long[1];
            pool.submit(() -> {
                long begun = System.nanoTime();
                least.add(Math.max(0, begun - after[0]));
                most.add(begun - before);
            });
            after[0] = System.nanoTime();
        }
        held.release();
        fixture.eventually("all counted", () -> pool.snapshot().completed() == tasks + 1);
        Distribution wait = pool.snapshot().queueWait();
        assertThat(wait.count()).isEqualTo(tasks + 1);
        long ofFutures = wait.total().toNanos() - heldTasksWait(pool);
        // The start that a task measures is later than the pool's, each time by far less than a millisecond.
        assertThat(ofFutures).isLessThanOrEqualTo(most.sum());
        assertThat(ofFutures).isGreaterThan(least.sum() / 2);
    }

    private static long heldTasksWait(InstrumentedThreadPoolExecutor pool) {
        return pool.snapshot().kinds().stream()
                .filter(kind -> kind.name().equals(HeldTask.class.getName()))
                .mapToLong(kind -> kind.queueWait().toNanos())
                .sum();
    }

    /**
     * 120 bursts of 200 tasks behind a held worker. A burst's sum of weights has a standard deviation of about 22 %
     * (see {@link WaitProbeTest}), and the sum over all bursts one of 2 %. The tasks of a burst wait about equally
     * long, so the same holds for the total wait. The bounds are about seven standard deviations.
     */
    @Test
    void execute_manyTasks_countAndTotalOfTheSampleAreUnbiased() {
        InstrumentedThreadPoolExecutor pool = pool(new LinkedBlockingQueue<>());
        LongAdder truth = new LongAdder();
        int bursts = 120;
        int length = 200;
        for (int burst = 0; burst < bursts; burst++) {
            HeldTask held = fixture.occupy(pool);
            CountDownLatch ran = new CountDownLatch(length);
            for (int i = 0; i < length; i++) {
                long before = System.nanoTime();
                pool.execute(() -> {
                    truth.add(System.nanoTime() - before);
                    ran.countDown();
                });
            }
            held.release();
            fixture.await("run of a burst", ran);
        }
        fixture.eventually("all counted", () -> pool.snapshot().completed() == bursts * (length + 1L));
        Distribution wait = pool.snapshot().queueWait();
        assertThat((double) wait.count() / (bursts * (length + 1L))).isCloseTo(1, within(0.15));
        assertThat((double) wait.total().toNanos() / truth.sum()).isCloseTo(1, within(0.25));
        assertThat(pool.snapshot().submitted()).isEqualTo(bursts * (length + 1L));
    }

    /**
     * A submitter tries again and again with the same object: the refused attempts are not part of the task's queue
     * wait.
     */
    @Test
    void execute_sameTaskRejectedBefore_waitBeginsWithTheAcceptance() {
        FullPool<ThreadPoolExecutor> full =
                FullPool.of(fixture, PoolType.INSTRUMENTED_ON_LINKED_QUEUE, new ThreadPoolExecutor.AbortPolicy());
        Runnable task = Tasks.named("late", () -> {});
        for (int i = 0; i < 500; i++) {
            try {
                full.pool.execute(task);
                throw new AssertionError("accepted");
            } catch (RejectedExecutionException expected) {
                // expected
            }
        }
        long end = System.nanoTime() + LONG.toNanos();
        fixture.eventually("a long time after", () -> System.nanoTime() - end >= 0);
        full.release();
        long released = System.nanoTime();
        fixture.eventually("room", () -> full.pool.getQueue().isEmpty());
        full.pool.execute(task);
        assertWaitedAtMost(full, released);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void execute_waitedForRoom_waitBeginsWithTheAcceptance(boolean future) {
        FullPool<ThreadPoolExecutor> full =
                FullPool.of(fixture, PoolType.INSTRUMENTED_ON_LINKED_QUEUE, BlockingWaitPolicy.forever());
        Runnable task = Tasks.named("late", () -> {});
        Submission submission = new Submission(fixture, "submitter", () -> {
            if (future) {
                full.pool.submit(task);
            } else {
                full.pool.execute(task);
            }
        });
        submission.awaitWaiting();
        long end = System.nanoTime() + LONG.toNanos();
        fixture.eventually("a long time after", () -> System.nanoTime() - end >= 0);
        long released = System.nanoTime();
        full.release();
        submission.awaitAcceptance();
        assertWaitedAtMost(full, released);
    }

    /**
     * The task was accepted after the release, up to the 5 ms for which the first in line waits at the queue at a time.
     */
    private void assertWaitedAtMost(FullPool<ThreadPoolExecutor> full, long released) {
        InstrumentedPool pool = (InstrumentedPool) full.pool;
        fixture.eventually("all counted", () -> pool.snapshot().completed() == 3);
        long atMost = System.nanoTime() - released + LONG.toNanos() / 2;
        assertThat(pool.snapshot().kinds())
                .filteredOn(kind -> kind.name().equals("late"))
                .singleElement()
                .satisfies(kind -> assertThat(kind.queueWait().toNanos()).isLessThan(atMost));
    }

    @Test
    void execute_userTakesTasksFromTheQueue_tasksAreNotKept() {
        InstrumentedThreadPoolExecutor pool = pool(new LinkedBlockingQueue<>());
        fixture.occupy(pool);
        List<WeakReference<Runnable>> tasks = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Runnable task = new Ranked(i, List.of());
            pool.execute(task);
            tasks.add(new WeakReference<>(task));
        }
        pool.getQueue().clear();
        tasks.forEach(task -> fixture.collected("removed task", task));
    }

    /** A submitter never asks the queue for its size, because some queues must count for it. */
    @Test
    void execute_anyTask_doesNotAskTheQueueForItsSize() {
        Thread submitter = Thread.currentThread();
        AtomicInteger asked = new AtomicInteger();
        InstrumentedThreadPoolExecutor pool = pool(new LinkedBlockingQueue<>() {
            @Override
            public int size() {
                if (Thread.currentThread() == submitter) { // the monitor may ask
                    asked.incrementAndGet();
                }
                return super.size();
            }
        });
        CountDownLatch ran = new CountDownLatch(30);
        for (int i = 0; i < 30; i++) {
            pool.execute(ran::countDown);
        }
        fixture.await("run of all tasks", ran);
        assertThat(asked).hasValue(0);
    }
}
