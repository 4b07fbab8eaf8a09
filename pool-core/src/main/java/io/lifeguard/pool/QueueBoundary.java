package io.lifeguard.pool;

import io.lifeguard.pool.os.CallerWalker;
import io.lifeguard.pool.queue.QueueWorker;
import io.lifeguard.pool.queue.QueueWorkers;
import io.lifeguard.pool.queue.WorkQueue;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The task boundary of a pool with a {@link WorkQueue}: a worker that comes to the queue has ended its task, and a
 * worker that leaves the queue begins the next task. Thread-safe.
 */
/*
 * One clock read ends a task and begins the next one. No hook is needed, so a subclass may override the hooks without
 * calling super.
 *
 * A worker's first task does not pass through the queue. The submitter knows that a worker may be started for its task
 * (see Submission.FirstTask), and tells the new worker. This is nearly always right. Where the hook beforeExecute
 * reaches this class, it corrects the rare error.
 *
 * Counting needs no counter that threads share for every task. The queue counts what it accepts: its tail index. First
 * tasks and tasks that were taken back are rare. A snapshot reads the workers first and the queue last. So it may show a
 * task that is submitted and not yet completed, but never the reverse.
 */
final class QueueBoundary extends TaskBoundary {

    private final WorkQueue queue;
    private final Members members;
    private final boolean hooksReachWorkers;

    // First tasks of workers, which do not pass through the queue. Written by submitters and workers; a stale read
    // misses the latest.
    private final AtomicLong handedOver = new AtomicLong();

    // Tasks that the queue accepted, and that were taken out to be rejected. Written by submitters; a stale read misses
    // the latest.
    private final AtomicLong withdrawn = new AtomicLong();

    // Workers that have neither begun a task nor come to the queue. Usually 0, which spares beforeExecute the look-up
    // of the worker. Written by workers. A worker always sees itself counted; a stale count of others costs a look-up.
    private final AtomicInteger newWorkers = new AtomicInteger();

    private QueueBoundary(Instruments instruments, ThreadPoolExecutor executor, WorkQueue queue, Members members) {
        super(instruments, executor);
        this.queue = queue;
        this.members = members;
        this.hooksReachWorkers = instruments.isBeforeExecuteSeen;
    }

    /** Makes the boundary. Returns null if another pool already uses the queue. */
    static @Nullable QueueBoundary attach(Instruments instruments, ThreadPoolExecutor executor, WorkQueue queue) {
        Members members = new Members(instruments);
        return queue.attach(members) ? new QueueBoundary(instruments, executor, queue, members) : null;
    }

    // ---- submitting ----

    /**
     * True when all workers that the pool may have are alive, so that no worker can be started for the task. A worker
     * whose task has just thrown still counts as alive. If a worker is started in its place for the task, the hook
     * reports it. The result is always false where the hook does not reach this class.
     */
    @Override
    boolean isStaffed(int maximumSize) {
        return hooksReachWorkers && instruments.liveWorkers() >= maximumSize;
    }

    @Override
    void submitting(Runnable task) {
        Submission.FirstTask.begin(executor, task);
    }

    @Override
    void submitted(@Nullable Runnable task, boolean returned) {
        Submission.FirstTask first = Submission.FirstTask.endInnermost();
        if (first.thread == null) {
            return;
        }
        if (first.thread.getState() == Thread.State.NEW) { // the executor failed to start it
            handedOver.decrementAndGet();
        } else if (returned && !Submission.isStackEmpty()) {
            Submission.settle(first.task);
        }
    }

    @Override
    void handlerCalled(Runnable task) {
        Submission.FirstTask.usersCodeMayRun();
    }

    @Override
    void handlingBegins() {
        queue.handlerBegins();
    }

    @Override
    void handlingEnds() {
        queue.handlerEnds();
    }

    @Override
    void withdrawn() {
        withdrawn.incrementAndGet();
    }

    /** After a shutdown, {@code execute} takes the task that it has just enqueued out again, and rejects it. */
    @Override
    void removed(Runnable task) {
        if (executor.isShutdown() && isRemovedByExecute()) {
            withdrawn.incrementAndGet();
        }
    }

    private static boolean isRemovedByExecute() {
        return CallerWalker.NAMES.walk(frames -> frames.filter(
                        frame -> !frame.getClassName().equals(QueueBoundary.class.getName())
                                && !frame.getMethodName().equals("remove"))
                .findFirst()
                .filter(frame -> frame.getClassName().equals(ThreadPoolExecutor.class.getName()))
                .isPresent());
    }

    @Override
    void waitForRoom(WaitForRoom wait) throws InterruptedException {
        wait.waitAt(queue);
    }

    @Override
    void releaseWaiters() {
        queue.releaseWaiters();
    }

    @Override
    void sizeChanged() {
        // A submitter that is about to wait has to look, too. The pool's size takes the executor's main lock, which the
        // JDK's setters do not always take, so it is asked only if a submitter waits.
        if (queue.waitingProducers() == 0 || executor.getPoolSize() < executor.getMaximumPoolSize()) {
            queue.reviewFirst();
        }
    }

    @Override
    void workerLost() {
        queue.reviewWorkers();
    }

    @Override
    boolean promote(WaitForRoom wait) {
        wait.promoteAt(queue);
        return true;
    }

    @Override
    boolean exceed(Runnable task) {
        queue.exceed(task);
        return true;
    }

    @Override
    boolean replaceOldest(Runnable task) {
        if (queue.replaceOldest(task) != null) {
            instruments.saturation.rejected(RejectionReason.DISCARDED_OLDEST);
        }
        return true;
    }

    @Override
    void handlerEnded() {
        queue.letWaitersIn();
    }

    @Override
    void purge() {
        queue.removeIf(task -> task instanceof Future<?> future && future.isCancelled());
    }

    // ---- workers ----

    @Override
    @Nullable
    Thread newThread(ThreadFactory factory, Runnable body) {
        Submission.FirstTask first = Submission.FirstTask.withoutWorker(executor);
        if (first == null || !isHandedOver(first.task)) {
            return factory.newThread(new Worker(this, body, null));
        }
        Thread thread = factory.newThread(new Worker(this, body, Tasks.kindOf(first.task)));
        if (thread != null) {
            first.thread = thread;
            handedOver.incrementAndGet();
        }
        return thread;
    }

    /**
     * Whether the new worker is given the task. Otherwise the task is in the queue, and the worker is started because
     * there was none. This is a guess, and nearly always right. The hook corrects it, where it reaches this class.
     */
    private boolean isHandedOver(Runnable task) {
        return hooksReachWorkers
                ? instruments.liveWorkers() > 0 || executor.getCorePoolSize() > 0
                : Arrays.stream(queue.toArray()).noneMatch(queued -> queued == task);
    }

    @Override
    void beforeExecute(Runnable task) {
        if (newWorkers.get() > 0 && members.current() instanceof Worker worker) {
            worker.beginsTask(task);
        }
    }

    /** A worker that throws, or drains the queue after a shutdown, may not come to the queue again. */
    @Override
    void afterExecute(@Nullable Throwable thrown) {
        if ((thrown != null || executor.isShutdown()) && members.current() instanceof Worker worker) {
            worker.endedAt(System.nanoTime(), thrown);
        }
    }

    // ---- reading ----

    @Override
    long submitted() {
        return queue.accepted() + handedOver.get() - withdrawn.get();
    }

    /** A subclass that hides its thread factory hides its workers. */
    @Override
    boolean recordsAllTasks(long begun) {
        return begun > 0 || !instruments.isThreadFactoryOverridden;
    }

    @Override
    long oldestNanos() {
        return queue.oldestNanos();
    }

    /**
     * Tells the queue which workers are its pool's. Holds the pool weakly: a user who keeps the queue must not keep the
     * pool.
     */
    private static final class Members implements QueueWorkers {

        private final WeakReference<Instruments> pool;

        Members(Instruments pool) {
            this.pool = new WeakReference<>(pool);
        }

        @Override
        public @Nullable QueueWorker current() {
            return PoolWorker.current() instanceof Worker worker && worker.members == this ? worker : null;
        }

        @Override
        public void enqueued(Runnable task) {
            Submission.settle(task);
        }

        /** Called, among others, by {@code shutdownNow} after it has set the pool's state. */
        @Override
        public void draining() {
            Instruments instruments = pool.get();
            if (instruments != null) {
                instruments.draining();
            }
        }

        @Override
        public boolean makesRoomForItself() {
            return Submission.Handling.makesRoom(pool.get());
        }

        @Override
        public boolean usesRoomOfItsOwn() {
            return Submission.Handling.usesRoom(pool.get());
        }
    }

    /** A worker that learns from its queue where tasks begin and end. */
    private static final class Worker extends PoolWorker implements QueueWorker {

        /** Waiting submitters are let in when as many queue slots are free as the workers empty in this time. */
        private static final long REFILL_NANOS = 500_000;

        /** After a task of this length the refill is reviewed at once; otherwise after {@link #REVIEW_EVERY} tasks. */
        private static final long LONG_TASK_NANOS = 1_000_000;

        private static final int REVIEW_EVERY = 64;

        private final QueueBoundary boundary;
        private final Members members;
        private final long createdNanos = System.nanoTime();

        // Kind of the task that this worker was created for. Cleared when that task begins: the thread holds this
        // object until it dies and must not pin a user's class.
        private @Nullable Object firstKind;
        private boolean isNew;

        /**
         * An estimate of the median service time: a sixteenth up for each longer task, a sixteenth down for each
         * shorter task. The mean would not do: on a busy machine it depends on the few tasks that lost their CPU.
         */
        private long typicalService = LONG_TASK_NANOS;

        private int tasksToReview = REVIEW_EVERY;

        Worker(QueueBoundary boundary, Runnable body, @Nullable Object firstKind) {
            super(boundary.instruments, body);
            this.boundary = boundary;
            this.members = boundary.members;
            this.firstKind = firstKind;
        }

        @Override
        void started() {
            boundary.newWorkers.incrementAndGet();
            isNew = true; // afterwards, in case an Error strikes
            if (firstKind != null && !boundary.hooksReachWorkers) {
                beginFirst(firstKind);
            }
        }

        @Override
        void ending(boolean threw) {
            if (threw && firstKind != null) {
                beginFirst(firstKind); // a hook has thrown before the task began
            }
            super.ending(threw);
            arrived();
        }

        @Override
        public void returned() {
            long now = System.nanoTime();
            try {
                if (isRunning()) {
                    review(leave(now));
                }
                if (isNew) {
                    arrived();
                }
            } catch (Error e) { // it would end the worker
                boundary.instruments.missesTasks();
            }
            startNanos = now; // the next task begins now, unless the worker is delayed
        }

        /** The worker is at the queue, or ends. If it has begun no task by now, it was not started for a task. */
        private void arrived() {
            leaveNewWorkers();
            if (firstKind != null) {
                boundary.handedOver.decrementAndGet();
                firstKind = null;
            }
        }

        @Override
        public void idle() {
            recorder.idle(startNanos);
        }

        @Override
        public void parking() {
            recorder.parking(System.nanoTime());
        }

        @Override
        public void delayed() {
            startNanos = System.nanoTime();
        }

        /** An Error here must not lose the task. Such a task is not measured. */
        @Override
        public void took(Runnable task, long enqueuedNanos) {
            try {
                begin(Tasks.kindOf(task), startNanos, Math.max(0, startNanos - enqueuedNanos));
            } catch (Error e) {
                forget();
            }
        }

        /** The hook {@code beforeExecute} was called: a new worker has been given a first task. */
        void beginsTask(Runnable task) {
            if (isNew && !isRunning()) {
                if (firstKind == null) {
                    boundary.handedOver.incrementAndGet();
                }
                beginFirst(Tasks.kindOf(task));
            }
            leaveNewWorkers();
        }

        private void beginFirst(Object kind) {
            firstKind = null;
            begin(kind, startNanos, startNanos - createdNanos);
        }

        private void leaveNewWorkers() {
            if (isNew) {
                boundary.newWorkers.decrementAndGet();
                isNew = false;
            }
        }

        private void review(long service) {
            typicalService += service > typicalService ? (typicalService >> 4) + 1 : -(typicalService >> 4);
            if (--tasksToReview == 0 || service >= LONG_TASK_NANOS) {
                tasksToReview = REVIEW_EVERY;
                long slots = REFILL_NANOS * boundary.instruments.parallelism() / Math.max(1, typicalService);
                int powerOfTwo = (int) Math.max(1, Long.highestOneBit(slots)); // so that it changes rarely
                boundary.queue.refillBatch(powerOfTwo);
            }
        }
    }
}
