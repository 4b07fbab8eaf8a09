package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A pool whose workers are all held and whose queue is full, and the submitters that wait for it. Used by one thread.
 */
final class FullPool<P extends ThreadPoolExecutor> {

    final P pool;
    final List<HeldTask> held = new ArrayList<>();
    final AtomicInteger fillersRun = new AtomicInteger();
    final int fillers;
    private final Fixture fixture;

    private FullPool(Fixture fixture, P pool) {
        this.fixture = fixture;
        this.pool = fixture.closing(pool);
        while (held.size() < pool.getMaximumPoolSize() && pool.getQueue().isEmpty()) {
            held.add(fixture.occupy(pool));
        }
        this.fillers = pool.getQueue().remainingCapacity();
        for (int i = 0; i < fillers; i++) {
            pool.execute(fillersRun::incrementAndGet);
        }
    }

    /** Fills the pool, whose core size must be its maximum size. */
    static <P extends ThreadPoolExecutor> FullPool<P> of(Fixture fixture, P pool) {
        return new FullPool<>(fixture, pool);
    }

    /** A pool of one worker, with one place in the queue if it has a queue. */
    static FullPool<ThreadPoolExecutor> of(Fixture fixture, PoolType type, RejectedExecutionHandler handler) {
        return new FullPool<>(fixture, type.make(1, 1, handler));
    }

    /** Makes the held tasks throw, which ends their workers. */
    void killWorkers() {
        held.forEach(task -> task.fail(new IllegalStateException("on purpose")));
    }

    void release() {
        held.forEach(HeldTask::release);
    }

    /** Submits on a new thread. */
    Submission submit(Runnable task) {
        return submit("submitter", task);
    }

    Submission submit(String thread, Runnable task) {
        return new Submission(fixture, thread, () -> pool.execute(task));
    }

    /** Submits on a new thread, and returns when that thread waits for room. */
    Submission submitAndWait(Runnable task) {
        Submission submission = submit(task);
        submission.awaitWaiting();
        return submission;
    }

    /** A call of {@code execute} or {@code submit}, and its outcome. */
    static final class Submission {
        private final Fixture fixture;
        final Thread thread;
        final CountDownLatch returned = new CountDownLatch(1);
        volatile @Nullable Throwable refusal;
        volatile boolean interruptedAfter;

        Submission(Fixture fixture, String name, Runnable call) {
            this.fixture = fixture;
            this.thread = fixture.thread(name, () -> {
                try {
                    call.run();
                } catch (Throwable e) {
                    refusal = e;
                }
                interruptedAfter = Thread.currentThread().isInterrupted();
                returned.countDown();
            });
        }

        /** Waits until the thread is parked in the policy, and so has its place in line. */
        void awaitWaiting() {
            fixture.eventually(
                    "submitter waiting for room",
                    () -> Fixture.isWaiting(thread)
                            && Arrays.stream(thread.getStackTrace())
                                    .anyMatch(frame -> frame.getClassName().equals(SubmissionWait.class.getName())));
        }

        boolean isWaiting() {
            return returned.getCount() > 0;
        }

        void awaitAcceptance() {
            fixture.await("return of the submitter", returned);
            assertThat(refusal).isNull();
        }

        Throwable awaitRefusal() {
            fixture.await("return of the submitter", returned);
            assertThat(refusal).isNotNull();
            return refusal;
        }
    }
}
