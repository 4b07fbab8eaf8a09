package io.lifeguard.pool;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * The handler that an instrumented executor passes to the JDK's constructor. It calls the user's handler for a task
 * that the pool did not take, and records the outcome. Stateless. The getters of instrumented executors return the
 * user's handler.
 *
 * <p>The four policies of the JDK are recognised by their exact class. This class does the work of three of them
 * itself, so that the outcome can be counted and timed. A subclass of a JDK policy counts as a user's own handler.
 */
final class SaturationGate implements RejectedExecutionHandler {

    private static final SaturationGate GATE = new SaturationGate();

    private SaturationGate() {}

    /** Returns null for a null handler, so that the JDK's constructor throws its own exception. */
    @SuppressWarnings("NullAway") // the JDK's constructor refuses null
    static RejectedExecutionHandler inFrontOf(@Nullable RejectedExecutionHandler handler) {
        return handler == null ? null : GATE;
    }

    @Override
    public void rejectedExecution(Runnable task, ThreadPoolExecutor executor) {
        Instruments instruments = Instrumented.of(executor);
        if (instruments == null) {
            throw new RejectedExecutionException("Task " + task + " rejected from " + executor);
        }
        instruments.boundary.handlerCalled(task);
        Submission.TurnedAway mark = instruments.boundary.refusalMark();
        try {
            startWorkerToDrain(executor);
        } finally {
            try {
                handle(task, executor, instruments);
            } finally {
                try {
                    handlerEnded(instruments, mark);
                } catch (Error e) { // both steps may be repeated; an Error may strike at a call
                    handlerEnded(instruments, mark);
                }
            }
        }
    }

    private static void handlerEnded(Instruments instruments, Submission.@Nullable TurnedAway mark) {
        instruments.boundary.handlerEnded();
        if (mark != null) {
            mark.leave();
        }
    }

    /**
     * Starts a worker for tasks that would otherwise never run. If the executor is shut down while its first worker is
     * being made, the JDK gives that worker up, and its task comes here. Other submitters may have queued tasks
     * meanwhile. With the JDK's class such tasks never run, and the executor never terminates.
     */
    private static void startWorkerToDrain(ThreadPoolExecutor executor) {
        if (executor.isShutdown()
                && executor.getPoolSize() == 0
                && !executor.getQueue().isEmpty()) {
            executor.prestartCoreThread();
        }
    }

    private static void handle(Runnable task, ThreadPoolExecutor executor, Instruments instruments) {
        if (Submission.Retry.isRefused(executor, task)) {
            return; // the policy that waits with this task goes on; a user's handler might wrap the task once more
        }
        RejectedExecutionHandler handler = instruments.handler();
        Class<?> type = handler.getClass();
        if (type == BlockingWaitPolicy.class) {
            handler.rejectedExecution(task, executor);
        } else if (type == ThreadPoolExecutor.AbortPolicy.class) {
            reject(instruments, executor, RejectionReason.ABORTED);
            handler.rejectedExecution(task, executor);
        } else if (type == ThreadPoolExecutor.CallerRunsPolicy.class) {
            callerRuns(task, executor, instruments);
        } else if (type == ThreadPoolExecutor.DiscardPolicy.class) {
            reject(instruments, executor, RejectionReason.DISCARDED);
        } else if (type == ThreadPoolExecutor.DiscardOldestPolicy.class) {
            discardOldest(task, executor, instruments);
        } else {
            usersOwn(handler, task, executor, instruments);
        }
    }

    private static void callerRuns(Runnable task, ThreadPoolExecutor executor, Instruments instruments) {
        if (executor.isShutdown()) {
            instruments.saturation.rejected(RejectionReason.SHUT_DOWN);
        } else {
            instruments.saturation.runBySubmitter(task);
        }
    }

    private static void discardOldest(Runnable task, ThreadPoolExecutor executor, Instruments instruments) {
        if (executor.isShutdown()) {
            instruments.saturation.rejected(RejectionReason.SHUT_DOWN);
            return;
        }
        if (instruments.boundary.replaceOldest(task)) {
            submitAgainWithoutWorkers(task, executor, instruments);
            return;
        }
        Runnable oldest = executor.getQueue().poll();
        if (oldest != null) {
            instruments.boundary.removed(oldest);
            instruments.saturation.rejected(RejectionReason.DISCARDED_OLDEST);
        }
        executor.execute(task);
    }

    /** The task was enqueued without {@code execute}, so this makes the checks of that: see {@link SubmissionWait}. */
    private static void submitAgainWithoutWorkers(Runnable task, ThreadPoolExecutor executor, Instruments instruments) {
        boolean isShutDown = executor.isShutdown();
        if ((isShutDown || executor.getPoolSize() == 0) && executor.remove(task)) {
            instruments.boundary.withdrawn();
            if (isShutDown) {
                instruments.saturation.rejected(RejectionReason.SHUT_DOWN);
            } else {
                executor.execute(task);
            }
        }
    }

    private static void usersOwn(
            RejectedExecutionHandler handler, Runnable task, ThreadPoolExecutor executor, Instruments instruments) {
        TaskBoundary boundary = instruments.boundary;
        int queuedBefore = boundary.occurrences(task);
        Submission.Handling handling = Submission.Handling.begin(instruments, executor, task);
        boundary.handlingBegins();
        try {
            handler.rejectedExecution(task, executor);
        } catch (Throwable e) {
            if (!handling.refusalCounted) {
                reject(instruments, executor, RejectionReason.HANDLER_THREW);
            }
            throw e;
        } finally {
            boundary.handlingEnds();
            handling.handlerEnded();
        }
        if (handling.settled) {
            return;
        }
        boolean isEnqueued = queuedBefore != TaskBoundary.UNKNOWN && boundary.occurrences(task) > queuedBefore;
        if (isEnqueued || handling.begunElsewhere) {
            boundary.enqueuedByHandler(task);
        } else if (task instanceof Future<?> future && future.isCancelled()) {
            reject(instruments, executor, RejectionReason.DISCARDED);
        } else {
            boundary.leftToHandler();
        }
    }

    private static void reject(Instruments instruments, ThreadPoolExecutor executor, RejectionReason reason) {
        instruments.saturation.rejected(executor.isShutdown() ? RejectionReason.SHUT_DOWN : reason);
    }
}
