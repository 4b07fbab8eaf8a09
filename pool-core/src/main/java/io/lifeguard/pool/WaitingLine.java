package io.lifeguard.pool;

import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The line of submitters before a full pool whose queue is not ours: a fair lock, whose holder is the first in line and waits at
 * the queue itself. Thread-safe.
 *
 * <p>Lines are kept in a weak map (an executor's line must not keep the executor alive); its lock is held for a look-up only.
 * Nobody holds a line's lock while tasks run.
 */
final class WaitingLine {

    /** How long the first in line waits at the queue before it looks whether the pool was shut down. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** How long a pool must have stood still before a thread that may be its own worker runs the task itself. */
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Map<ThreadPoolExecutor, WaitingLine> LINES = new WeakHashMap<>();

    private final ReentrantLock first = new ReentrantLock(true);

    private static WaitingLine of(ThreadPoolExecutor executor) {
        synchronized (LINES) {
            return LINES.computeIfAbsent(executor, key -> new WaitingLine());
        }
    }

    /** One submitter's place in the line. Confined to its thread. */
    static final class Place {
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

        boolean waitForRoom() throws InterruptedException {
            while (true) {
                if (!line.first.tryLock(slice(), TimeUnit.NANOSECONDS)) {
                    if (giveUp()) {
                        return true;
                    }
                    continue;
                }
                boolean enqueued;
                try {
                    enqueued = waitAtTheQueue();
                } finally {
                    line.first.unlock();
                }
                if (!enqueued || wait.settle()) {
                    return true;
                }
            }
        }

        /** Waits as the first in line. True when the task is in the queue, false when it was run here. */
        private boolean waitAtTheQueue() throws InterruptedException {
            BlockingQueue<Runnable> queue = executor.getQueue();
            while (true) {
                wait.refuseIfShutDown();
                if (queue.offer(task, slice(), TimeUnit.NANOSECONDS)) {
                    wait.enqueued();
                    return true;
                }
                if (giveUp()) {
                    return false;
                }
            }
        }

        /** After a slice without luck: refuses when shut down or out of time; true when the task was run here. */
        private boolean giveUp() {
            wait.refuseIfShutDown();
            if (wait.remainingNanos() <= 0) {
                throw wait.timedOut();
            }
            if (maybeOwnWorker && stalled()) {
                wait.runHere();
                return true;
            }
            return false;
        }

        private long slice() {
            return Math.max(0, Math.min(SLICE_NANOS, wait.remainingNanos()));
        }

        private boolean stalled() {
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
