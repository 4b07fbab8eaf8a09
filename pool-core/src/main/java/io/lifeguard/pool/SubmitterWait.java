package io.lifeguard.pool;

import io.lifeguard.pool.queue.WorkQueue;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One submitter that waits for room in one full pool: from the saturation policy's call to acceptance or refusal. Confined to the
 * submitting thread.
 */
/*
 * How nothing is lost. Enqueueing behind the executor's back skips two checks that execute() makes, so they are made here, after
 * the task is in the queue:
 *
 * 1. Shut down meanwhile? Then take the task out again and refuse it. If it is no longer there, a worker or shutdownNow() has it,
 *    and it is theirs. The pool sets its state before it drains its queue or lets its last worker go, and we enqueue before we
 *    read the state: one of the two sees the other.
 * 2. No worker left? The last one may have timed out between the rejection and our arrival. A worker that leaves is first removed
 *    from the pool's set, and then looks at the queue once more; we enqueue and then ask for the size of that set. If it is not
 *    empty, that worker will see our task. If it is, the task is taken out again and submitted anew, which starts a worker.
 *
 * A pool of ours releases all who wait when it is shut down or resized, and when its last worker ends: the thread factory may have
 * failed to replace that one, and only an execute() asks it again. Each waiter submits anew, so there is a worker, or the factory's
 * exception reaches the submitter; a factory that returned null is asked again every so often. The waiter reads the number of
 * releases, then the state of the pool and whether it has workers, then enrols with that number; the queue does not let it wait if
 * there was a release in between.
 */
final class SubmitterWait {

    /** How long to wait for room in a pool without workers before asking for one again. */
    private static final long UNSTAFFED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Runnable task;
    private final ThreadPoolExecutor executor;
    private final @Nullable Instruments instruments;
    private final long limitNanos;
    private final long startNanos = System.nanoTime();

    SubmitterWait(Runnable task, ThreadPoolExecutor executor, long limitNanos) {
        this.task = task;
        this.executor = executor;
        this.limitNanos = limitNanos;
        this.instruments = Instruments.of(executor);
    }

    void await(BlockingWaitPolicy policy) {
        if (executor.isShutdown()) {
            throw refusal(RejectionReason.SHUT_DOWN, "it is shut down");
        }
        if (instruments != null && instruments.isOwnWorker()) {
            instruments.saturation().runByOwnWorker(task);
            return;
        }
        refuseIfMustNotBlock(policy);
        boolean accepted = false;
        if (instruments != null) {
            instruments.saturation().waitBegins();
        }
        try {
            accepted = waitForRoom();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            RejectedExecutionException refusal = refusal(
                    RejectionReason.INTERRUPTED, "the submitting thread was interrupted while it waited for room");
            refusal.initCause(e);
            throw refusal;
        } finally {
            if (instruments != null) {
                long waited = System.nanoTime() - startNanos;
                instruments.saturation().waitEnds(waited, accepted);
                if (policy.isLettingEventLoopWait()) {
                    instruments.saturation().eventLoopWaited(waited);
                }
            }
        }
    }

    private void refuseIfMustNotBlock(BlockingWaitPolicy policy) {
        String objection = objection(policy);
        if (objection != null) {
            throw refusal(
                    RejectionReason.MUST_NOT_BLOCK,
                    "it is full, and thread " + Thread.currentThread().getName() + " " + objection
                            + ", so it cannot wait for room; submit from another thread, give the pool a larger queue,"
                            + " or allow it with BlockingWaitPolicy.allowingNonBlockingThreads()");
        }
    }

    private @Nullable String objection(BlockingWaitPolicy policy) {
        boolean threw = true;
        try {
            String objection = policy.objectionTo(Thread.currentThread());
            threw = false;
            return objection;
        } finally {
            if (threw && instruments != null) {
                instruments.refused(RejectionReason.HANDLER_THREW);
            }
        }
    }

    /** True when the task was accepted; refusals are thrown. */
    private boolean waitForRoom() throws InterruptedException {
        WorkQueue queue = instruments == null ? null : instruments.ownQueue();
        if (queue == null) {
            new WaitingLine.Place(executor, task, this).waitForRoom();
            return true;
        }
        while (true) {
            long releases = queue.releases();
            refuseIfShutDown();
            long atMost = instruments == null || instruments.hasWorkers() ? Long.MAX_VALUE : UNSTAFFED_NANOS;
            switch (queue.admit(task, Math.min(remainingNanos(), atMost), releases)) {
                case ACCEPTED -> {
                    if (settle()) {
                        return true;
                    }
                    continue;
                }
                case TIMED_OUT -> {
                    if (remainingNanos() <= 0) {
                        throw timedOut();
                    }
                }
                case RELEASED -> refuseIfShutDown();
            }
            if (resubmit()) {
                return true;
            }
        }
    }

    /** After the task is in the queue: is there somebody to run it? False when it had to be taken out again and found no room. */
    boolean settle() {
        if (executor.isShutdown()) {
            if (executor.remove(task)) {
                withdrawn();
                throw shutDown();
            }
            return true;
        }
        if (executor.getPoolSize() > 0 || !executor.remove(task)) {
            return true;
        }
        withdrawn();
        return resubmit();
    }

    private void withdrawn() {
        if (instruments != null) {
            instruments.submissions().withdrawn();
        }
    }

    /** To be called before the task is offered to a queue that is not ours. */
    void enqueuing() {
        if (instruments != null) {
            instruments.submissions().submitting(task);
        }
    }

    /** To be called when that queue had no room. */
    void notEnqueued() {
        if (instruments != null) {
            instruments.submissions().notSubmitted(task);
        }
    }

    /** To be called as soon as the task is in a queue that is not ours. */
    void enqueued() {
        if (instruments != null) {
            instruments.submissions().enqueuedByHandler(task);
        }
    }

    boolean resubmit() {
        return Resubmission.submit(task, executor);
    }

    void refuseIfShutDown() {
        if (executor.isShutdown()) {
            throw shutDown();
        }
    }

    RejectedExecutionException shutDown() {
        return refusal(RejectionReason.SHUT_DOWN, "it was shut down while the submitter waited for room");
    }

    RejectedExecutionException timedOut() {
        return refusal(
                RejectionReason.TIMED_OUT, "it stayed full for the longest wait of " + Duration.ofNanos(limitNanos));
    }

    /** How long to wait still; zero or less when the time is up. */
    long remainingNanos() {
        return limitNanos == Long.MAX_VALUE ? Long.MAX_VALUE : limitNanos - (System.nanoTime() - startNanos);
    }

    /** Runs the task on the waiting thread, because it may itself be the worker that it waits for. */
    void runHere() {
        task.run();
    }

    private RejectedExecutionException refusal(RejectionReason reason, String why) {
        Duration waited = Duration.ofNanos(System.nanoTime() - startNanos);
        String pool = "";
        if (instruments != null) {
            instruments.refused(reason);
            pool = "pool " + instruments.name() + ", ";
        }
        return new RejectedExecutionException("Task " + task + " rejected from " + pool + executor + ": " + why
                + " (waited " + SnapshotTable.text(waited) + ")");
    }
}
