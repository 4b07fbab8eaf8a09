package io.lifeguard.pool;

import io.lifeguard.pool.queue.WorkQueue;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One submitter that waits for room in one full pool, from the saturation policy's call to acceptance or refusal.
 * Confined to the submitting thread.
 */
/*
 * No task is lost. A task that is put into the queue without execute() misses two checks that execute() makes. So the
 * checks are made here, after the task is in the queue:
 *
 * 1. Was the pool shut down meanwhile? Then take the task out again and refuse it. If the task is no longer there, a
 *    worker or shutdownNow() has taken it. The pool sets its state before it drains its queue or lets its last worker
 *    go. The submitter enqueues before it reads the state. So the pool sees the task, or the submitter sees the state.
 *    This is Dekker's scheme, as in ThreadPoolExecutor.execute; the tests BlockedExecuteOr… attack it.
 * 2. Is no worker left? The last one may have timed out between the refusal and the submitter's arrival. A worker that
 *    leaves is first removed from the pool's set, and then looks at the queue once more. The submitter enqueues and
 *    then asks for the size of that set. If the set is not empty, that worker will see the task. Otherwise the task is
 *    taken out and submitted again, which starts a worker.
 *
 * An instrumented pool releases all waiting submitters when it is shut down or resized, and when its last worker ends.
 * In the last case the thread factory may have failed to replace the worker, and only an execute() asks the factory
 * again. So each waiter submits again. Then there is a worker, or the factory's exception reaches the submitter. A
 * factory that returned null is asked again every 20 ms. The waiter reads the number of releases, then the state of the
 * pool and whether it has workers. Then it enrols with that number, and the queue does not let it wait if there was a
 * release in between.
 *
 * Nothing here relies on a release alone, because an Error may have kept a worker from announcing its end. A waiter
 * looks at the executor once a second, and every 20 ms while no worker's thread runs, or while the pools of a cycle
 * only seem alive because one of their workers is about to start: its thread may fail to.
 *
 * Pools that feed each other may exceed their capacities by as much again. A worker that cannot wait, and finds its
 * task's pool that full, runs the task itself. For a second after a pool was found in such a cycle, the workers of its
 * cycles do not wait for it at all: the next standstill is microseconds away, and each wait costs two wake-ups.
 *
 * Once the task is accepted, no Error may reach the submitter, who would take the task for refused.
 */
final class SubmissionWait extends WaitForRoom {

    /** How long to wait for room in a pool without workers before asking for a worker again. */
    private static final long WITHOUT_WORKERS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How long to wait for room in any pool before looking at its executor again. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How often to look at the executor after an Error has struck. */
    private static final int ATTEMPTS = 100;

    /** How long the first in line waits before it checks again whether the pool was shut down, or may grow. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final StackWalker STACK = StackWalker.getInstance();

    private final @Nullable PoolWorker worker; // null if this thread is no worker of an instrumented pool
    private final Runnable task;
    private final @Nullable Instruments instruments; // null if the executor is not instrumented
    private final long limitNanos;
    private final long startNanos = System.nanoTime();

    private WaitGraph.Look cycle = WaitGraph.Look.ALIVE; // whether pools wait for each other, when last looked
    private boolean mustRunHere; // this thread has to run the task, because the pool waits for this thread

    SubmissionWait(Runnable task, ThreadPoolExecutor executor, long limitNanos) {
        this(task, executor, limitNanos, PoolWorker.current());
    }

    private SubmissionWait(Runnable task, ThreadPoolExecutor executor, long limitNanos, @Nullable PoolWorker worker) {
        super(worker != null, executor);
        this.task = task;
        this.limitNanos = limitNanos;
        this.instruments = Instrumented.of(executor);
        this.worker = worker;
    }

    void await(BlockingWaitPolicy policy) {
        if (executor.isShutdown()) {
            throw refusal(RejectionReason.SHUT_DOWN, "it is shut down");
        }
        if (instruments == null) {
            refuseIfMustNotBlock(policy);
            waitPublished();
        } else if (instruments.isOwnWorker() || isInSameCycle(instruments)) {
            if (!instruments.isOwnWorker()) {
                instruments.saturation.cycleBrokenAgain();
            }
            if (!NestedRuns.isDeepest() || !exceed(instruments)) {
                runHere(instruments.saturation);
            }
        } else {
            refuseIfMustNotBlock(policy);
            waitRecorded(instruments.saturation, policy);
            if (mustRunHere) {
                runHere(instruments.saturation);
            }
        }
    }

    /** This thread runs the task of a pool that cannot make room for it. It does not wait any more. */
    private void runHere(SaturationRecorder recorder) {
        NestedRuns.run(task, () -> recorder.runByWorker(task));
    }

    /** Whether this is a worker of a pool that a moment ago was in a cycle, as the full one was. */
    private boolean isInSameCycle(Instruments pool) {
        return worker != null && worker.instruments.saturation.feedsItself() && pool.saturation.feedsItself();
    }

    private void waitRecorded(SaturationRecorder recorder, BlockingWaitPolicy policy) {
        boolean accepted = false;
        BooleanSupplier isAllowedEventLoop = policy::isLettingEventLoopWait; // now, in case memory gets short
        Object note = recorder.waitBegins();
        try {
            waitPublished();
            accepted = true;
        } finally {
            try {
                recorder.waitEnds(System.nanoTime() - startNanos, accepted, note, isAllowedEventLoop);
            } catch (Error ignored) { // it struck before the wait was counted as ended; the second attempt throws it
                recorder.waitEnds(0, accepted, note, isAllowedEventLoop);
            }
        }
    }

    @Override
    void promote() {
        if (instruments == null || !instruments.boundary.promote(this)) {
            SubmissionLine.of(executor).promote(this);
        }
    }

    private void waitPublished() {
        if (worker == null) {
            waitInterruptibly();
            return;
        }
        WaitForRoom outer = worker.waitsIn; // of a thread factory that submits
        worker.waitsIn = this;
        try {
            waitInterruptibly();
        } finally {
            worker.waitsIn = outer;
        }
    }

    /** Returns when the task was accepted; refusals are thrown. */
    private void waitInterruptibly() {
        try {
            if (instruments == null) {
                waitInLine(this::offerPlain);
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

    @Override
    void waitAt(WorkQueue queue) throws InterruptedException {
        Instruments pool = Objects.requireNonNull(instruments);
        boolean accepted = false;
        while (!accepted) {
            long releases = queue.releases();
            refuseIfShutDown();
            if (isStuck()) {
                pool.saturation.cycleBroken(cycle.pools());
                mustRunHere = !NestedRuns.isDeepest() && !queue.mayExceed();
                accepted = mustRunHere || exceed(pool);
                continue;
            }
            boolean isStaffed = pool.hasLivingWorker() && !cycle.mayChange();
            long atMost = isStaffed ? LOOK_NANOS : WITHOUT_WORKERS_NANOS;
            switch (queue.admit(task, Math.min(remainingNanos(), atMost), releases, this)) {
                case ACCEPTED -> accepted = isSureToRun();
                case TIMED_OUT -> {
                    refuseIfTimeIsUp();
                    accepted = growInTurn(queue);
                }
                case RELEASED -> {
                    refuseIfShutDown();
                    accepted = growInTurn(queue);
                }
            }
        }
    }

    /**
     * Submits again if that may start a worker. Unless this submitter comes back to its place in the line, the next one
     * has to look then.
     */
    private boolean growInTurn(WorkQueue queue) {
        if (executor.getPoolSize() >= executor.getMaximumPoolSize()) {
            return false;
        }
        boolean comesBack = false;
        try {
            comesBack = !resubmit();
        } finally {
            if (!comesBack) {
                letNextLook(queue);
            }
        }
        return !comesBack;
    }

    /** The task may be accepted. So an Error must not leave: the next in line looks by itself within a second. */
    private static void letNextLook(WorkQueue queue) {
        try {
            queue.reviewFirst();
        } catch (Error ignored) {
            return;
        }
    }

    /** Puts the task into the pool's queue beyond its capacity, if the queue allows that. */
    private boolean exceed(Instruments pool) {
        return pool.boundary.exceed(task) && isSureToRun();
    }

    private boolean offerPlain(Runnable offered, long nanos) throws InterruptedException {
        return executor.getQueue().offer(offered, nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    void waitInLine(Offer queue) throws InterruptedException {
        SubmissionLine line = SubmissionLine.of(executor);
        boolean accepted;
        if (Submission.Retry.current(executor) == null) {
            line.enter(this);
        } else {
            line.enterFirst(this); // a thread factory submits while it makes a worker for the task of the outer wait
        }
        try {
            accepted = waitIn(line, queue);
        } finally {
            line.leave(this);
        }
        mustRunHere = !accepted;
        if (mustRunHere) { // so the executor is instrumented: nothing is known of the workers of others
            Objects.requireNonNull(instruments).saturation.cycleBroken(cycle.pools());
        }
    }

    /** Returns false when this thread has to run the task, because the pool waits for this thread. */
    private boolean waitIn(SubmissionLine line, Offer queue) throws InterruptedException {
        while (!line.isFirst(this)) {
            if (mustNotWait()) {
                return false;
            }
            throwIfInterrupted();
            LockSupport.parkNanos(line, worker == null ? remainingNanos() : slice());
        }
        if (mustNotWait()) {
            return false;
        }
        while (!enqueueOrGrow(queue)) {
            if (mustNotWait()) {
                return false;
            }
        }
        return true;
    }

    /** Waits for one slice as the first in line. Returns whether the task was accepted. */
    private boolean enqueueOrGrow(Offer queue) throws InterruptedException {
        refuseIfShutDown();
        throwIfInterrupted();
        if (executor.getPoolSize() < executor.getMaximumPoolSize() && resubmit()) {
            return true; // the pool could grow, or its last worker had timed out, so that the queue had no taker
        }
        return queue.offer(task, slice()) && isSureToRun();
    }

    private static void throwIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** Called before each slice of the wait. Refuses when the pool is shut down or the time is up. */
    private boolean mustNotWait() {
        refuseIfShutDown();
        refuseIfTimeIsUp();
        return isStuck();
    }

    /** Whether this worker would wait forever, because the workers of full pools wait for each other. */
    private boolean isStuck() {
        cycle = worker != null ? WaitGraph.look(executor) : WaitGraph.Look.ALIVE;
        return cycle.isStuck();
    }

    private long slice() {
        return Math.max(0, Math.min(SLICE_NANOS, remainingNanos()));
    }

    /**
     * Makes sure that a worker will run the queued task. Returns false when the task was taken out again and found no
     * room.
     */
    private boolean isSureToRun() {
        if (!mayBeStranded() || !executor.remove(task)) {
            return true;
        }
        if (instruments != null) {
            instruments.boundary.withdrawn();
        }
        refuseIfShutDown();
        return resubmit();
    }

    /** Before Java 22 the executor's lock allocates when it is contended. The task is in the queue: do not throw. */
    @SuppressWarnings("ThreadPriorityCheck") // correctness does not depend on the yield
    private boolean mayBeStranded() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                return executor.isShutdown() || executor.getPoolSize() == 0;
            } catch (Error ignored) {
                Thread.yield();
            }
        }
        return false;
    }

    /** Whether the executor accepted the task this time. */
    private boolean resubmit() {
        Submission.Retry retry = Submission.Retry.begin(executor, task);
        try {
            Instrumented.executeAsIs(executor, task);
        } finally {
            retry.end();
        }
        return !retry.isRefused();
    }

    /**
     * Whether the policy is called because a {@link #resubmit} further down the call stack was refused. That call then
     * returns false. The task may be a wrapper: a plain executor's own {@code execute}, or the handler, may wrap tasks.
     */
    static boolean isRefusedRetry(Runnable task, ThreadPoolExecutor executor) {
        Submission.Retry retry = Submission.Retry.current(executor);
        if (retry == null || (!retry.isOf(task) && !isInLatestExecute())) {
            return false;
        }
        retry.refuse();
        return true;
    }

    /** Whether no other task is submitted within the retry: a thread factory may submit, too. */
    private static boolean isInLatestExecute() {
        return STACK.walk(frames -> frames.takeWhile(frame -> !isResubmit(frame))
                        .filter(SubmissionWait::isJdkExecute)
                        .limit(2)
                        .count()
                == 1);
    }

    private static boolean isResubmit(StackWalker.StackFrame frame) {
        return frame.getMethodName().equals("resubmit") && frame.getClassName().equals(SubmissionWait.class.getName());
    }

    private static boolean isJdkExecute(StackWalker.StackFrame frame) {
        return frame.getMethodName().equals("execute")
                && frame.getClassName().equals(ThreadPoolExecutor.class.getName());
    }

    private void refuseIfShutDown() {
        if (executor.isShutdown()) {
            throw refusal(RejectionReason.SHUT_DOWN, "it was shut down while the submitter waited for room");
        }
    }

    private void refuseIfTimeIsUp() {
        if (remainingNanos() <= 0) {
            throw refusal(
                    RejectionReason.TIMED_OUT,
                    "it stayed full for the longest wait of " + Duration.ofNanos(limitNanos));
        }
    }

    /** How long the submitter may still wait; zero or less when the time is up. */
    private long remainingNanos() {
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
                + " (waited " + Units.time(waited) + ")");
    }
}
