package io.lifeguard.pool;

import io.lifeguard.pool.measure.EventTap;
import io.lifeguard.pool.measure.WorkerRecorder;
import io.lifeguard.pool.os.Unknown;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A worker of one pool: runs the body that {@link java.util.concurrent.ThreadPoolExecutor} made for the worker's
 * thread, and tells a recorder when tasks begin and end. Confined to that thread from the start of {@link #run}, except
 * for {@link #state}. Each {@link TaskBoundary} has a subclass, which knows where tasks begin and end.
 */
abstract class PoolWorker implements Runnable {

    private static final ThreadLocal<@Nullable PoolWorker> CURRENT = new ThreadLocal<>();

    /** The class that {@code invokeAny} and {@code ExecutorCompletionService} wrap around each task. */
    private static final String QUEUEING_FUTURE = "java.util.concurrent.ExecutorCompletionService$QueueingFuture";

    final Instruments instruments;
    private final Runnable body;
    private final boolean reportsTasks;

    // Set when the thread starts, so that nothing remains of a worker whose thread never starts. Other threads find the
    // worker in Instruments.workers, to which it is added afterwards, so they never see null.
    WorkerRecorder recorder;
    private Thread thread;

    long startNanos; // when the task began, or the worker was last seen between two tasks
    long waitNanos;
    private @Nullable Object kind; // of the task that runs; null between tasks
    private boolean taskFailed;
    boolean isCounted; // among the pool's live workers; its own thread only
    private @Nullable Object note; // of the recorder of events, about the beginning of the task; null without one

    // Where this worker waits for room. Single writer: the worker; a stale read is excluded, see WaitGraph.
    volatile @Nullable WaitForRoom waitsIn;

    @SuppressWarnings("NullAway.Init") // recorder and thread
    PoolWorker(Instruments instruments, Runnable body) {
        this.instruments = instruments;
        this.body = body;
        this.reportsTasks = instruments.events.wantsTasks();
    }

    /** Returns the current thread's worker, of any instrumented pool; null if the thread is no worker. */
    static @Nullable PoolWorker current() {
        return CURRENT.get();
    }

    /**
     * Runs until the executor ends the worker, or a task or hook throws. An Error that strikes while the worker starts
     * or ends reaches neither the executor nor the task: the executor counts on this thread, and it may hold a task.
     */
    @Override
    public final void run() {
        PoolWorker outer = null; // not null if the thread factory uses threads of another pool
        boolean isMeasured = false;
        try {
            outer = CURRENT.get();
            starts();
            isMeasured = true;
        } catch (Error e) {
            ended(outer, false);
            instruments.missesTasks();
            instruments.unmeasuredWorkers.incrementAndGet();
        }
        boolean threw = true;
        try {
            body.run();
            threw = false;
        } finally {
            if (isMeasured) {
                ended(outer, threw);
            } else {
                instruments.unmeasuredWorkers.decrementAndGet();
            }
        }
    }

    private void starts() {
        thread = Thread.currentThread();
        recorder = instruments.recorder.newWorker();
        CURRENT.set(this);
        instruments.workerStarts(this);
        startNanos = System.nanoTime();
        recorder.rest(startNanos);
        started();
    }

    /** Each step may be repeated. One that fails is tried twice, because an Error may also strike at a call. */
    private void ended(@Nullable PoolWorker outer, boolean threw) {
        try {
            endOnce(outer, threw);
        } catch (Error e) {
            try {
                instruments.missesTasks();
                endOnce(outer, threw);
            } catch (Error ignored) { // all other steps have been made
                return;
            }
        }
    }

    private void endOnce(@Nullable PoolWorker outer, boolean threw) {
        try {
            ending(threw);
        } finally {
            try {
                CURRENT.set(outer);
            } finally {
                try {
                    if (recorder != null) {
                        recorder.close(System.nanoTime());
                    }
                } finally {
                    instruments.workerEnded(this);
                }
            }
        }
    }

    void started() {}

    /** The thread is about to end, because the executor's body returned or threw. */
    void ending(boolean threw) {
        if (isRunning()) {
            // Only a user's hook can have thrown here unseen. Without a hook, a failure of the task is known already,
            // and the start of the worker's replacement has thrown.
            taskFailed |= threw && !(instruments.isBeforeExecuteSeen && instruments.isAfterExecuteSeen);
            end(System.nanoTime());
        }
    }

    // ---- where tasks begin and end ----

    final boolean isRunning() {
        return kind != null;
    }

    final void begin(Object taskKind, long now, long wait) {
        try {
            note = EventTap.isTimed() ? EventTap.begins(EventTap.Beginning.TASK, note) : null;
            kind = taskKind;
            startNanos = now;
            waitNanos = wait;
            recorder.begin(now, wait < 0 ? Unknown.NUMBER : now - wait, taskKind);
        } catch (Error e) {
            forget();
        }
    }

    /** An Error has struck while the task began or ended: it is not measured. */
    final void forget() {
        kind = null;
        taskFailed = false;
        instruments.missesTasks();
        recorder.forget();
    }

    /** Returns the service time. An Error that strikes here costs a measurement or an event, and nothing else. */
    long end(long now) {
        long service = now - startNanos;
        try {
            recorder.end(now, taskFailed);
        } catch (Error e) {
            forget();
            return service;
        }
        try {
            if (service >= EventTap.taskThresholdNanos()) {
                passOn(service);
            }
            if (reportsTasks) {
                report(service);
            }
        } catch (Error ignored) { // the event is dropped
            note = null;
        }
        kind = null;
        taskFailed = false;
        return service;
    }

    /** As {@link #end}. A short task that no one wants to hear of is recorded by the recorder's next call. */
    final long leave(long now) {
        long service = now - startNanos;
        if (taskFailed || reportsTasks || service >= EventTap.taskThresholdNanos() || !recorder.leave(now)) {
            return end(now);
        }
        kind = null;
        return service;
    }

    private void passOn(long service) {
        EventTap.Receiver receiver = EventTap.receiver();
        if (receiver != null) {
            receiver.taskEnded(
                    instruments.name,
                    recorder.currentKind(),
                    startNanos,
                    service,
                    waitNanos,
                    recorder.taskCpuNanos(),
                    taskFailed,
                    note);
        }
    }

    private void report(long service) {
        PoolListener.TaskRun run = new PoolListener.TaskRun(
                recorder.currentKind(),
                waitNanos < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(waitNanos)),
                Duration.ofNanos(service),
                taskFailed);
        instruments.events.sendOfTask(listener -> listener.taskEnded(instruments.pool, run));
    }

    /** A hook or a future reports that the task has ended. The worker's next steps are not measured. */
    final void endedAt(long now, @Nullable Throwable thrown) {
        if (isRunning()) {
            taskFailed |= thrown != null;
            end(now);
            recorder.rest(now);
        }
    }

    // ---- reports of the task that runs ----

    final void taskFailed() {
        taskFailed = true;
    }

    /** Runs a task inside the task of this worker. A failure of the inner task is not a failure of the outer task. */
    final void runNested(Runnable task) {
        boolean failedBefore = taskFailed;
        try {
            task.run();
        } finally {
            taskFailed = failedBefore;
        }
    }

    /**
     * A measured future begins to run. If the JDK has wrapped another task around it, the kind of the future replaces
     * the kind of the wrapper.
     *
     * @return whether the future must report its end, because {@code afterExecute} might not
     */
    boolean futureBegins(MeasuredFutureTask<?> future) {
        if (kind != future.kind()
                && kind instanceof Class<?> wrapper
                && wrapper.getName().equals(QUEUEING_FUTURE)) {
            retarget(future.kind());
        }
        return false;
    }

    final void retarget(Object betterKind) {
        if (isRunning()) {
            kind = betterKind;
            recorder.retarget(betterKind);
        }
    }

    // ---- reading ----

    /** Whether the thread runs. May be called by any thread that found this worker among the pool's. */
    final boolean isAlive() {
        return thread.isAlive();
    }

    /**
     * Whether the worker is between taking a task and beginning it, as far as another thread can tell. A thread that
     * waits does not have a task, unless it waits for a lock.
     */
    final boolean mayHoldUnbegunTask() {
        if (recorder.isBusy()) {
            return false;
        }
        Thread.State state = thread.getState();
        return (state != Thread.State.WAITING && state != Thread.State.TIMED_WAITING)
                || LockSupport.getBlocker(thread) instanceof AbstractQueuedSynchronizer;
    }

    /** May be called by any thread. */
    final WorkerState state(long now) {
        long since = recorder.busySinceNanos();
        boolean busy = since != WorkerRecorder.NOT_BUSY;
        long nativeId = recorder.nativeId();
        return new WorkerState(
                thread,
                nativeId == Unknown.NUMBER ? OptionalLong.empty() : OptionalLong.of(nativeId),
                busy,
                !busy && recorder.isIdle(),
                Optional.of(recorder.currentKind()),
                Duration.ofNanos(busy ? Math.max(0, now - since) : 0),
                recorder.begun());
    }
}
