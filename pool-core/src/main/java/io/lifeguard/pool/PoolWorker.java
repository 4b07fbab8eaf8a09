package io.lifeguard.pool;

import io.lifeguard.pool.measure.WorkerRecorder;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A worker of one pool: runs the body that {@link java.util.concurrent.ThreadPoolExecutor} made for the worker's
 * thread, and tells a recorder when tasks begin and end. Confined to that thread from the start of {@link #run}, except
 * for {@link #state}. The subclasses know where tasks begin and end: see {@link TaskBoundary}.
 */
abstract class PoolWorker implements Runnable {

    static final long UNKNOWN_WAIT = -1;

    private static final ThreadLocal<@Nullable PoolWorker> CURRENT = new ThreadLocal<>();

    /** The class that {@code invokeAny} and {@code ExecutorCompletionService} wrap around each task. */
    private static final String QUEUEING_FUTURE = "java.util.concurrent.ExecutorCompletionService$QueueingFuture";

    final Instruments instruments;
    private final Runnable body;
    private final boolean reportsTasks;

    // set when the thread starts, so that nothing remains of a worker whose thread never starts
    WorkerRecorder recorder;
    private Thread thread;

    long startNanos; // when the task began, or the worker was last seen between two tasks
    long waitNanos;
    private @Nullable Object kind; // of the task that runs; null between tasks
    private boolean taskFailed;

    @SuppressWarnings("NullAway.Init") // recorder and thread
    PoolWorker(Instruments instruments, Runnable body) {
        this.instruments = instruments;
        this.body = body;
        this.reportsTasks = instruments.events.wantsTasks();
    }

    /** The worker that the current thread is, of whatever instrumented pool; null for all other threads. */
    static @Nullable PoolWorker current() {
        return CURRENT.get();
    }

    final boolean belongsTo(Instruments owner) {
        return instruments == owner;
    }

    /** Works until the executor lets it go, or a task or hook throws. */
    @Override
    public final void run() {
        PoolWorker outer; // not null if the thread factory uses threads of another pool
        try {
            outer = CURRENT.get();
            thread = Thread.currentThread();
            recorder = instruments.recorder.newWorker();
            instruments.workerStarts(this);
            CURRENT.set(this);
        } catch (OutOfMemoryError e) {
            body.run(); // unmeasured: the executor counts on this thread, and it may hold a task
            return;
        }
        startNanos = System.nanoTime();
        recorder.rest(startNanos);
        started();
        boolean threw = true;
        try {
            body.run();
            threw = false;
        } finally {
            ending(threw);
            CURRENT.set(outer);
            recorder.close(System.nanoTime());
            instruments.workerEnded(this);
        }
    }

    /** The thread has started. */
    void started() {}

    /** The thread is about to end, because the executor's body returned or threw. */
    void ending(boolean threw) {
        if (isRunning()) {
            // Only a user's hook can have thrown here unseen. If there is none, the failure of the task is known
            // already, and it was
            // the start of a successor that threw.
            taskFailed |= threw && !(instruments.isBeforeExecuteSeen && instruments.isAfterExecuteSeen);
            end(System.nanoTime());
        }
    }

    // ---- where tasks begin and end ----

    final boolean isRunning() {
        return kind != null;
    }

    final void begin(Object taskKind, long now, long wait) {
        kind = taskKind;
        startNanos = now;
        waitNanos = wait;
        recorder.begin(now, wait < 0 ? WorkerRecorder.UNKNOWN_WAIT : now - wait, taskKind);
    }

    /** Returns the service time. */
    long end(long now) {
        recorder.end(now, taskFailed);
        long service = now - startNanos;
        if (reportsTasks) {
            report(service);
        }
        kind = null;
        taskFailed = false;
        return service;
    }

    private void report(long service) {
        PoolListener.TaskRun run = new PoolListener.TaskRun(
                recorder.currentKind(),
                waitNanos < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(waitNanos)),
                Duration.ofNanos(service),
                taskFailed);
        instruments.events.sendOfTask(listener -> listener.taskEnded(instruments.pool, run));
    }

    /** A hook or a future tells that the task has ended; what the worker does next will not be seen. */
    final void endedAt(long now, @Nullable Throwable thrown) {
        if (isRunning()) {
            taskFailed |= thrown != null;
            end(now);
            recorder.rest(now);
        }
    }

    // ---- what the task says of itself ----

    final void taskFailed() {
        taskFailed = true;
    }

    /**
     * Runs a task inside the one that this worker runs; the failure of the inner task is not a failure of the outer
     * one.
     */
    final void runNested(Runnable task) {
        boolean failedBefore = taskFailed;
        try {
            task.run();
        } finally {
            taskFailed = failedBefore;
        }
    }

    /**
     * A measured future begins to run. If the JDK has wrapped another task around it, the kind of the wrapper says
     * nothing.
     *
     * @return whether the future has to tell its end, because {@code afterExecute} might not
     */
    boolean futureBegins(MeasuredFutureTask<?> future) {
        if (kind != future.kind()
                && kind instanceof Class<?> wrapper
                && wrapper.getName().equals(QUEUEING_FUTURE)) {
            retarget(future.kind());
        }
        return false;
    }

    /** The task that runs now turns out to be of this kind. */
    final void retarget(Object betterKind) {
        if (isRunning()) {
            kind = betterKind;
            recorder.retarget(betterKind);
        }
    }

    // ---- reading ----

    /** Any thread. */
    final WorkerState state(long now) {
        long since = recorder.busySinceNanos();
        boolean busy = since != WorkerRecorder.NOT_BUSY;
        return new WorkerState(
                thread,
                recorder.nativeId(),
                busy,
                !busy && recorder.isIdle(),
                recorder.currentKind(),
                Duration.ofNanos(busy ? Math.max(0, now - since) : 0),
                recorder.begun());
    }
}
