package io.lifeguard.pool;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The submitters that wait, first come, first served, for room in a full pool without a {@link io.lifeguard.pool.queue.WorkQueue}.
 * The first submitter waits at the queue itself, the others wait until they are first. Thread-safe.
 *
 * <p>Lines are kept in a weak map, because an executor's line must not keep the executor alive. All locks here are held for a look-up
 * only, never while tasks run.
 */
/*
 * A submitter keeps its place until it leaves, although it looks from time to time whether the pool was shut down. So this is a
 * list. A fair lock would not do: a timed attempt that failed goes to its end again.
 *
 * A submitter that leaves wakes the one that is first afterwards. If the leaver was not first, this is needless, harmless and rare.
 * A submitter parks only after it saw that it is not first. Whoever makes it the first unparks it afterwards. So no wake-up is lost.
 */
final class SubmissionLine {

    /** How long the first in line waits at the queue before it looks whether the pool was shut down, or may grow. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** How long a pool must have stood still before a thread that may be its own worker runs the task itself. */
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final StackWalker STACK = StackWalker.getInstance();
    private static final String JDK_WORKER = ThreadPoolExecutor.class.getName() + "$Worker";

    // guarded by itself
    private static final Map<ThreadPoolExecutor, SubmissionLine> LINES = new WeakHashMap<>();

    private final ArrayDeque<Place> places = new ArrayDeque<>(); // guarded by this

    private static SubmissionLine of(ThreadPoolExecutor executor) {
        synchronized (LINES) {
            return LINES.computeIfAbsent(executor, key -> new SubmissionLine());
        }
    }

    private synchronized void enter(Place place) {
        places.addLast(place);
    }

    private synchronized @Nullable Place first() {
        return places.peekFirst();
    }

    private void leave(Place place) {
        Place first;
        synchronized (this) {
            places.remove(place);
            first = places.peekFirst();
        }
        if (first != null) {
            LockSupport.unpark(first.thread);
        }
    }

    /** One submitter's place in the line. Confined to its thread. */
    static final class Place {
        private final Thread thread = Thread.currentThread();
        private final SubmissionWait wait;
        private final ThreadPoolExecutor executor;
        private final Runnable task;
        private final @Nullable HookBoundary boundary; // null if the executor is not instrumented
        private final SubmissionLine line;
        private final boolean mayBeOwnWorker;
        private long completed;
        private int queued;
        private long movedNanos;

        Place(SubmissionWait wait, ThreadPoolExecutor executor, Runnable task, @Nullable HookBoundary boundary) {
            this.wait = wait;
            this.executor = executor;
            this.task = task;
            this.boundary = boundary;
            this.line = of(executor);
            this.mayBeOwnWorker = boundary == null && isWorkerOfSomePlainPool();
            noteProgress();
        }

        private static boolean isWorkerOfSomePlainPool() {
            return PoolWorker.current() == null
                    && STACK.walk(frames ->
                            frames.anyMatch(frame -> frame.getClassName().equals(JDK_WORKER)));
        }

        /** Returns when the task was accepted, or run here; refusals are thrown. */
        void waitForRoom() throws InterruptedException {
            boolean accepted;
            line.enter(this);
            try {
                accepted = waitForAcceptance();
            } finally {
                line.leave(this);
            }
            if (!accepted) {
                task.run();
            }
        }

        /** False when this thread has to run the task, because it may itself be the worker that it waits for. */
        private boolean waitForAcceptance() throws InterruptedException {
            while (line.first() != this) {
                if (isStalled()) {
                    return false;
                }
                throwIfInterrupted();
                LockSupport.parkNanos(line, mayBeOwnWorker ? slice() : wait.remainingNanos());
            }
            while (!enqueueOrGrow()) {
                if (isStalled()) {
                    return false;
                }
            }
            return true;
        }

        private static void throwIfInterrupted() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }

        /** One slice of waiting as the first in line. True when the task was accepted. */
        private boolean enqueueOrGrow() throws InterruptedException {
            wait.refuseIfShutDown();
            throwIfInterrupted();
            if (executor.getPoolSize() < executor.getMaximumPoolSize() && wait.resubmit()) {
                return true; // it may grow, or its last worker has timed out and no worker would take from the queue
            }
            boolean enqueued = boundary == null
                    ? executor.getQueue().offer(task, slice(), TimeUnit.NANOSECONDS)
                    : boundary.offer(task, slice());
            return enqueued && wait.isSureToRun();
        }

        /** To be called after a slice in which there was no room. Refuses when the pool is shut down or the time is up. */
        private boolean isStalled() {
            wait.refuseIfShutDown();
            wait.refuseIfTimeIsUp();
            return mayBeOwnWorker && hasStoodStill();
        }

        private long slice() {
            return Math.max(0, Math.min(SLICE_NANOS, wait.remainingNanos()));
        }

        private boolean hasStoodStill() {
            if (executor.getCompletedTaskCount() != completed
                    || executor.getQueue().size() != queued) {
                noteProgress();
            }
            return System.nanoTime() - movedNanos >= STALL_NANOS;
        }

        private void noteProgress() {
            completed = executor.getCompletedTaskCount();
            queued = executor.getQueue().size();
            movedNanos = System.nanoTime();
        }
    }
}
