package io.lifeguard.pool;

import io.lifeguard.pool.queue.WorkQueue;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One submitter that waits for room in one full pool, from the saturation policy's call to acceptance or refusal. Confined to the
 * submitting thread.
 */
/*
 * How no task is lost. A task that is put into the queue without execute() misses two checks that execute() makes. So they are made
 * here, after the task is in the queue:
 *
 * 1. Was the pool shut down meanwhile? Then take the task out again and refuse it. If the task is no longer there, a worker or
 *    shutdownNow() has taken it. The pool sets its state before it drains its queue or lets its last worker go. The submitter
 *    enqueues before it reads the state. So one of the two sees what the other did.
 * 2. Is no worker left? The last one may have timed out between the refusal and the submitter's arrival. A worker that leaves is first
 *    removed from the pool's set, and then looks at the queue once more. The submitter enqueues and then asks for the size of that
 *    set. If the set is not empty, that worker will see the task. Otherwise the task is taken out and submitted again, which starts
 *    a worker.
 *
 * An instrumented pool releases all waiting submitters when it is shut down or resized, and when its last worker ends. In the last
 * case the thread factory may have failed to replace the worker, and only an execute() asks the factory again. So each waiter
 * submits again. Then there is a worker, or the factory's exception reaches the submitter. A factory that returned null is asked
 * again every 20 ms. The waiter reads the number of releases, then the state of the pool and whether it has workers. Then it
 * enrols with that number, and the queue does not let it wait if there was a release in between.
 */
final class SubmissionWait {

    /** How long to wait for room in a pool without workers before asking for a worker again. */
    private static final long WITHOUT_WORKERS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Runnable task;
    private final ThreadPoolExecutor executor;
    private final @Nullable Instruments instruments; // null if the executor is not instrumented
    private final long limitNanos;
    private final long startNanos = System.nanoTime();

    SubmissionWait(Runnable task, ThreadPoolExecutor executor, long limitNanos) {
        this.task = task;
        this.executor = executor;
        this.limitNanos = limitNanos;
        this.instruments = Instruments.of(executor);
    }

    void await(BlockingWaitPolicy policy) {
        if (executor.isShutdown()) {
            throw refusal(RejectionReason.SHUT_DOWN, "it is shut down");
        }
        if (instruments == null) {
            refuseIfMustNotBlock(policy);
            waitInterruptibly();
        } else if (instruments.isOwnWorker()) {
            instruments.saturation.runByOwnWorker(task);
        } else {
            refuseIfMustNotBlock(policy);
            waitRecorded(instruments.saturation, policy);
        }
    }

    private void waitRecorded(SaturationRecorder recorder, BlockingWaitPolicy policy) {
        boolean accepted = false;
        recorder.waitBegins();
        try {
            waitInterruptibly();
            accepted = true;
        } finally {
            long waited = System.nanoTime() - startNanos;
            recorder.waitEnds(waited, accepted);
            if (policy.isLettingEventLoopWait()) {
                recorder.eventLoopWaited(waited);
            }
        }
    }

    /** Returns when the task was accepted; refusals are thrown. */
    private void waitInterruptibly() {
        try {
            if (instruments == null) {
                new SubmissionLine.Place(this, executor, task, null).waitForRoom();
            } else {
                instruments.boundary.waitForRoom(this);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            RejectedExecutionException refusal = refusal(
                    RejectionReason.INTERRUPTED, "the submitting thread was interrupted while it waited for room");
            refusal.initCause(e);
            throw refusal;
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
        try {
            return policy.objectionTo(Thread.currentThread());
        } catch (Throwable e) {
            if (instruments != null) {
                instruments.refused(RejectionReason.HANDLER_THREW);
            }
            throw e;
        }
    }

    /** Waits before a queue that keeps no line of submitters. Returns when the task was accepted; refusals are thrown. */
    void waitInLine(HookBoundary boundary) throws InterruptedException {
        new SubmissionLine.Place(this, executor, task, boundary).waitForRoom();
    }

    /** Waits at a queue of an instrumented pool. Returns when the task was accepted; refusals are thrown. */
    void waitAt(WorkQueue queue, Instruments pool) throws InterruptedException {
        boolean accepted = false;
        while (!accepted) {
            long releases = queue.releases();
            refuseIfShutDown();
            long atMost = pool.liveWorkers() > 0 ? Long.MAX_VALUE : WITHOUT_WORKERS_NANOS;
            switch (queue.admit(task, Math.min(remainingNanos(), atMost), releases)) {
                case ACCEPTED -> accepted = isSureToRun();
                case TIMED_OUT -> {
                    refuseIfTimeIsUp();
                    accepted = resubmit();
                }
                case RELEASED -> {
                    refuseIfShutDown();
                    accepted = resubmit();
                }
            }
        }
    }

    /** Makes sure that a worker will run the queued task. False when the task had to be taken out again and found no room. */
    boolean isSureToRun() {
        boolean isShutDown = executor.isShutdown();
        if ((!isShutDown && executor.getPoolSize() > 0) || !executor.remove(task)) {
            return true;
        }
        if (instruments != null) {
            instruments.boundary.withdrawn();
        }
        refuseIfShutDown();
        return resubmit();
    }

    boolean resubmit() {
        return Submission.Retry.submit(executor, task);
    }

    void refuseIfShutDown() {
        if (executor.isShutdown()) {
            throw refusal(RejectionReason.SHUT_DOWN, "it was shut down while the submitter waited for room");
        }
    }

    void refuseIfTimeIsUp() {
        if (remainingNanos() <= 0) {
            throw refusal(
                    RejectionReason.TIMED_OUT,
                    "it stayed full for the longest wait of " + Duration.ofNanos(limitNanos));
        }
    }

    /** How long the submitter may still wait; zero or less when the time is up. */
    long remainingNanos() {
        return limitNanos == Long.MAX_VALUE ? Long.MAX_VALUE : limitNanos - (System.nanoTime() - startNanos);
    }

    private RejectedExecutionException refusal(RejectionReason reason, String why) {
        Duration waited = Duration.ofNanos(System.nanoTime() - startNanos);
        String pool = "";
        if (instruments != null) {
            instruments.refused(reason);
            pool = "pool " + instruments.name + ", ";
        }
        return new RejectedExecutionException("Task " + task + " rejected from " + pool + executor + ": " + why
                + " (waited " + SnapshotTable.text(waited) + ")");
    }
}
