package io.lifeguard.pool;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The line of submitters before a full pool whose queue is not ours, first come, first served: the first waits at the queue itself,
 * the others until they are first. Thread-safe.
 *
 * <p>Lines are kept in a weak map (an executor's line must not keep the executor alive). All locks here are held for a look-up only,
 * never while tasks run.
 */
/*
 * A place is kept until its owner leaves, whatever it does meanwhile: looking around from time to time must not cost it. So this is a
 * list, and no fair lock, in which a timed attempt that failed goes to the end again.
 *
 * Who leaves wakes who is first then. A leaver that was not first wakes the first for nothing, which is harmless and rare. The owner
 * of a place parks only after it saw that it is not first; whoever makes it the first unparks it afterwards; so no wake-up is lost.
 */
final class WaitingLine {

    /** How long the first in line waits at the queue before it looks whether the pool was shut down, or may grow. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** How long a pool must have stood still before a thread that may be its own worker runs the task itself. */
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Map<ThreadPoolExecutor, WaitingLine> LINES = new WeakHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Place> places = new ArrayDeque<>(); // guarded by lock

    private static WaitingLine of(ThreadPoolExecutor executor) {
        synchronized (LINES) {
            return LINES.computeIfAbsent(executor, key -> new WaitingLine());
        }
    }

    private void enter(Place place) {
        lock.lock();
        try {
            places.addLast(place);
        } finally {
            lock.unlock();
        }
    }

    private void leave(Place place) {
        Place first;
        lock.lock();
        try {
            places.remove(place);
            first = places.peekFirst();
        } finally {
            lock.unlock();
        }
        if (first != null) {
            LockSupport.unpark(first.thread);
        }
    }

    private @Nullable Place first() {
        lock.lock();
        try {
            return places.peekFirst();
        } finally {
            lock.unlock();
        }
    }

    /** One submitter's place in the line. Confined to its thread. */
    static final class Place {
        private final Thread thread = Thread.currentThread();
        private final ThreadPoolExecutor executor;
        private final Runnable task;
        private final SubmitterWait wait;
        private final WaitingLine line;
        private final boolean maybeOwnWorker;
        private long completed;
        private int queued;
        private long movedNanos;

        Place(ThreadPoolExecutor executor, Runnable task, SubmitterWait wait) {
            this.executor = executor;
            this.task = task;
            this.wait = wait;
            this.line = of(executor);
            this.maybeOwnWorker = Instruments.of(executor) == null && PlainWorkers.isWorkerOfSomePlainPool();
            noteProgress();
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
                wait.runHere();
            }
        }

        /** False when this thread has to run the task, because it may itself be the worker that it waits for. */
        private boolean waitForAcceptance() throws InterruptedException {
            while (line.first() != this) {
                if (isStalled()) {
                    return false;
                }
                park();
            }
            while (!enqueueOrGrow()) {
                if (isStalled()) {
                    return false;
                }
            }
            return true;
        }

        private void park() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LockSupport.parkNanos(line, maybeOwnWorker ? slice() : wait.remainingNanos());
        }

        /** One slice of waiting as the first in line. True when the task was accepted. */
        private boolean enqueueOrGrow() throws InterruptedException {
            wait.refuseIfShutDown();
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (executor.getPoolSize() < executor.getMaximumPoolSize() && wait.resubmit()) {
                return true; // it may grow, or its last worker has timed out and nobody would ever take from the queue
            }
            BlockingQueue<Runnable> queue = executor.getQueue();
            boolean enqueued = false;
            wait.enqueuing();
            try {
                enqueued = queue.offer(task, slice(), TimeUnit.NANOSECONDS);
            } finally {
                if (!enqueued) {
                    wait.notEnqueued();
                }
            }
            if (enqueued) {
                wait.enqueued();
            }
            return enqueued && wait.settle();
        }

        /** Looks around after a slice without luck: refuses when shut down or out of time. */
        private boolean isStalled() {
            wait.refuseIfShutDown();
            if (wait.remainingNanos() <= 0) {
                throw wait.timedOut();
            }
            return maybeOwnWorker && hasStoodStill();
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

    /** Recognises threads that work for a {@link ThreadPoolExecutor} which is not ours. */
    private static final class PlainWorkers {
        private static final StackWalker STACK = StackWalker.getInstance();
        private static final String WORKER = ThreadPoolExecutor.class.getName() + "$Worker";

        static boolean isWorkerOfSomePlainPool() {
            return PoolWorker.current() == null
                    && STACK.walk(frames ->
                            frames.anyMatch(frame -> frame.getClassName().equals(WORKER)));
        }
    }
}
