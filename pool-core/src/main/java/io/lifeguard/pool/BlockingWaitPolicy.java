package io.lifeguard.pool;

import io.lifeguard.pool.os.NonBlockingThreads;
import io.lifeguard.pool.text.Preconditions;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A saturation policy that lets the submitter wait for room while the pool is full. It is the recommended policy, and
 * the default of {@link InstrumentedThreadPoolExecutor#named}. Immutable and thread-safe; one policy may serve many
 * pools.
 *
 * <p>A dispatcher that runs a task itself (caller-runs) feeds no worker for as long as that task takes. A dispatcher
 * that waits feeds the first worker that becomes free. A submitter can rely on this:
 *
 * <ul>
 *   <li><b>First come, first served.</b> Waiting submitters get room in the order in which they came, also after a
 *       resize. Only workers in a cycle of pools that wait for each other are let in before others. On a pool with a
 *       queue of this library newcomers cannot overtake them either.
 *   <li><b>Accepted or refused, never lost.</b> When {@code execute} returns, the task is in the queue of a pool that
 *       has a worker for it. Otherwise it throws a {@link RejectedExecutionException} that says why, with the pool, its
 *       state, the length of its queue and the time waited. A pool that is shut down releases all waiting submitters.
 *   <li><b>Interruptible.</b> An interrupted submitter is refused, its task is not enqueued, and its interrupt flag is
 *       set.
 *   <li><b>No deadlock of workers.</b> A worker that submits to its own full pool runs that task at once, up to 16
 *       levels deep. Deeper, where the queue cannot exceed its capacity, it runs a task when the submitting task has
 *       ended or calls {@code get()} of a future of an instrumented pool; futures of other classes run at once as long
 *       as there is stack. A raw task on that depth must therefore not be waited for by a latch. A worker of another
 *       instrumented pool does not wait if all workers of the full pool wait themselves, because the pools feed each
 *       other. Then its task is enqueued beyond the capacity. Beyond twice the capacity, and with a queue that is not
 *       from this library, the worker runs the task instead. A plain {@link ThreadPoolExecutor} does not tell its
 *       workers. There a worker waits as any other submitter does: a worker that submits to its own full executor, or
 *       executors that feed each other, may wait for as long as the policy allows. Use {@link #upTo} for them, or an
 *       instrumented pool.
 *   <li><b>Threads that must not block are refused:</b> event loops of Netty and Vert.x, Reactor's non-blocking
 *       threads, and the threads that {@link #refusing} names. {@link #allowingNonBlockingThreads()} lifts the first
 *       two.
 * </ul>
 *
 * <p>Works with every {@link ThreadPoolExecutor} and every queue. With a plain executor, or a queue that is not from
 * this library, a shutdown is noticed within 5 ms instead of at once, and newcomers may overtake waiting submitters. If
 * a plain executor overrides {@code execute}, the same task may pass that method again while it waits. With an
 * unbounded queue the policy is never asked.
 */
public final class BlockingWaitPolicy implements RejectedExecutionHandler {

    private static final long FOREVER = Long.MAX_VALUE;

    private final long limitNanos;
    private final boolean allowNonBlocking;
    private final @Nullable Predicate<? super Thread> refused; // null: no thread

    private BlockingWaitPolicy(long limitNanos, boolean allowNonBlocking, @Nullable Predicate<? super Thread> refused) {
        this.limitNanos = limitNanos;
        this.allowNonBlocking = allowNonBlocking;
        this.refused = refused;
    }

    /** {@return a policy that waits as long as it takes} */
    public static BlockingWaitPolicy forever() {
        return new BlockingWaitPolicy(FOREVER, false, null);
    }

    /**
     * {@return a policy that waits up to the given time, then refuses}
     *
     * @param limit the longest wait, not null; zero refuses at once, more than 292 years is the same as forever
     * @throws IllegalArgumentException if the limit is negative
     */
    public static BlockingWaitPolicy upTo(Duration limit) {
        Objects.requireNonNull(limit, "limit must not be null");
        Preconditions.notNegative("limit", limit);
        return new BlockingWaitPolicy(nanosOf(limit), false, null);
    }

    /**
     * {@return a new policy that also refuses the threads for which the predicate is true} The predicate is called on
     * the submitting thread when the pool is full. If it throws, the submitter gets the exception, and the task is not
     * enqueued.
     *
     * @param mustNotBlock true for a thread that must not wait; not null
     */
    public BlockingWaitPolicy refusing(Predicate<? super Thread> mustNotBlock) {
        Objects.requireNonNull(mustNotBlock, "mustNotBlock must not be null");
        Predicate<? super Thread> before = refused;
        return new BlockingWaitPolicy(
                limitNanos,
                allowNonBlocking,
                thread -> (before != null && before.test(thread)) || mustNotBlock.test(thread));
    }

    /**
     * {@return a new policy that lets event loops and other non-blocking threads wait too} An event loop that waits
     * stalls all its connections.
     */
    public BlockingWaitPolicy allowingNonBlockingThreads() {
        return new BlockingWaitPolicy(limitNanos, true, refused);
    }

    /**
     * Waits for room and enqueues the task, or refuses it. Called by the executor.
     *
     * @throws RejectedExecutionException if the task is refused; the message says why, and how long the submitter
     *     waited
     */
    @Override
    public void rejectedExecution(Runnable task, ThreadPoolExecutor executor) {
        if (SubmissionWait.isRefusedRetry(task, executor)) {
            return;
        }
        new SubmissionWait(task, executor, limitNanos).await(this);
    }

    /** Why this thread must not wait, or null when it may. */
    @Nullable
    String objectionTo(Thread thread) {
        if (refused != null && refused.test(thread)) {
            return "is refused by the policy's own predicate";
        } else if (!allowNonBlocking && NonBlockingThreads.isNonBlocking(thread)) {
            return "is an event loop or another thread that must not block";
        }
        return null;
    }

    /** Whether the current thread is one that must not block, and waits only because this policy allows it. */
    boolean isLettingEventLoopWait() {
        return allowNonBlocking && NonBlockingThreads.isNonBlocking(Thread.currentThread());
    }

    /** Names the policy and its limit. */
    @Override
    public String toString() {
        return limitNanos == FOREVER
                ? "BlockingWaitPolicy.forever()"
                : "BlockingWaitPolicy.upTo(" + Duration.ofNanos(limitNanos) + ")";
    }

    private static long nanosOf(Duration limit) {
        try {
            return limit.toNanos();
        } catch (ArithmeticException e) {
            return FOREVER; // more than 292 years
        }
    }
}
