package io.lifeguard.pool;

import io.lifeguard.pool.measure.WorkerRecorder;
import io.lifeguard.pool.queue.QueueWorker;
import io.lifeguard.pool.queue.WorkQueue;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A worker of one pool, around the body that {@link java.util.concurrent.ThreadPoolExecutor} made: it tells the recorder when tasks
 * begin and end. Made on, and confined to, its thread, but for {@link #state}.
 */
/*
 * Where tasks begin and end.
 *
 * With a queue of ours, the queue is the boundary: a worker that enters take() has ended what it ran, and one that leaves it begins
 * the next task. One clock read serves both, no hook is needed, and so a subclass may override the hooks without calling super.
 * Only a worker's first task comes without a queue. Its submitter is known to be hiring (see Hiring), which is a strong hint; the
 * hook beforeExecute, where it reaches us, is the proof. That hook also tells a worker that was just woken when to read the CPU
 * clock: caches are cold then, and the way from the queue to the task burns several microseconds.
 *
 * With a queue that is not ours, and in a scheduled pool, the hooks are the boundary. Futures measure themselves where the hooks
 * do not reach us.
 */
final class PoolWorker implements QueueWorker {

    private static final ThreadLocal<@Nullable PoolWorker> CURRENT = new ThreadLocal<>();

    /** After a task of this length or more the refill is reviewed at once, and not only when its turn has come. */
    private static final long LONG_TASK_NANOS = 1_000_000;

    /** Queue slots that may drain before waiting submitters are let in: as many as the workers empty in this time. */
    private static final long REFILL_NANOS = 500_000;

    private static final int REVIEW_EVERY = 64;

    /** What {@code invokeAny} and {@code ExecutorCompletionService} put around each task. */
    private static final String QUEUEING_FUTURE = "java.util.concurrent.ExecutorCompletionService$QueueingFuture";

    private final Instruments instruments;
    private final @Nullable PoolWorker outer; // whom this one stands in for, if its thread is already a worker
    private final long hiredNanos;
    private final Thread thread = Thread.currentThread();
    private final WorkerRecorder recorder;
    private final @Nullable WorkQueue queue;
    private final boolean reportsTasks;

    private @Nullable Object hint; // kind of the first task, if this worker was hired for one; until that has begun
    private boolean newcomer; // with a queue of ours: until its first task has begun, or its first visit to the queue
    private boolean atQueueBoundary; // startNanos is when the worker came to the queue, and still now
    private boolean awaitsHook; // was woken for its task, and reads the CPU clock only when that begins in truth
    private boolean taskFailed;
    private @Nullable Runnable future; // what runs now, if it is a future of ours that beforeExecute told us of
    private long startNanos;
    private long waitNanos;
    private @Nullable Object kind;

    /**
     * An estimate of the median service time in nanoseconds: a sixteenth up for each longer task, a sixteenth down for each
     * shorter one. Not the mean, which on a busy machine is that of the few tasks that lost their CPU.
     */
    private long typicalService = LONG_TASK_NANOS;

    private int tasksToReview = REVIEW_EVERY;

    PoolWorker(Instruments instruments, @Nullable Object hint, long hiredNanos) {
        this.instruments = instruments;
        this.outer = CURRENT.get(); // allocates its entry: what can fail fails here, before anything is counted
        this.hint = hint;
        this.hiredNanos = hiredNanos;
        this.queue = instruments.ownQueue();
        this.newcomer = queue != null;
        this.recorder = instruments.recorder().newWorker();
        if (queue != null && instruments.isBeginTold()) {
            recorder.delayBegins();
        }
        this.reportsTasks = instruments.events().wantsTasks();
    }

    /** The worker that the current thread is, of whatever pool of ours; null for all other threads. */
    static @Nullable PoolWorker current() {
        return CURRENT.get();
    }

    boolean belongsTo(Instruments owner) {
        return instruments == owner;
    }

    boolean isOneOf(PoolWorkers colleagues) {
        return instruments.workers() == colleagues;
    }

    /** Works until the executor lets it go, or a task or hook throws. */
    void run(Runnable body) {
        CURRENT.set(this);
        instruments.workerStarted();
        startNanos = System.nanoTime();
        recorder.rest(startNanos);
        if (hint != null && !instruments.isBeginTold()) {
            beginFirst(hint);
        }
        boolean threw = true;
        try {
            body.run();
            threw = false;
        } finally {
            if (threw && newcomer && hint != null && kind == null) {
                beginFirst(hint); // a hook threw before the task began
            }
            if (kind != null) {
                // where no hook can throw, a failure of the task's has been told by now: this is one to hire a
                // successor
                taskFailed |= threw && instruments.hooksMayThrow();
                end(System.nanoTime());
            }
            leaveNewcomers();
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
            recorder.close(System.nanoTime());
            instruments.workerEnded(this);
        }
    }

    // ---- the queue as the boundary ----

    @Override
    public void returned() {
        long now = System.nanoTime();
        if (newcomer) {
            leaveNewcomers();
        }
        if (kind != null) {
            end(now);
        }
        startNanos = now;
        atQueueBoundary = true;
    }

    @Override
    public void idle() {
        recorder.idle(startNanos);
        atQueueBoundary = false;
    }

    @Override
    public void parking() {
        recorder.parking(System.nanoTime());
    }

    @Override
    public void took(Runnable task, long enqueuedNanos) {
        if (!atQueueBoundary) {
            startNanos = System.nanoTime();
        }
        begin(Tasks.kindOf(task), startNanos, Math.max(0, startNanos - enqueuedNanos));
        if (recorder.isBeginDelayed()) {
            awaitsHook = true;
            instruments.hookAwaited();
        }
    }

    // ---- the hooks as the boundary ----

    /** From {@code beforeExecute}, in a pool whose queue is ours: a worker's first task is news, and the first after a park. */
    void beforeRun(Runnable task) {
        if (awaitsHook) {
            hookCame();
            recorder.run();
        }
        if (newcomer && kind == null) {
            if (hint == null) {
                instruments.submissions().handedOver(1);
            }
            beginFirst(Tasks.kindOf(task));
        }
    }

    /**
     * From {@code beforeExecute}, in a pool whose queue is not ours.
     *
     * @param wait queue wait in nanoseconds, negative when unknown
     */
    void before(Runnable task, long now, long wait) {
        if (kind != null) {
            recorder.abandon(now); // a subclass keeps afterExecute to itself
        }
        begin(Tasks.kindOf(task), now, wait);
        future = task instanceof StampedFutureTask<?> ? task : null;
    }

    /** The same, when the wait is a sample that stands for several tasks. */
    void before(Runnable task, long now, WaitProbe.Sample sample) {
        before(task, now, -1);
        waitNanos = now - sample.enqueuedNanos();
        recorder.sampledWait(waitNanos, sample.weight());
    }

    /** From {@code afterExecute}, where the hooks are the boundary, or after a task that threw. */
    void after(@Nullable Throwable thrown) {
        if (kind != null) {
            taskFailed |= thrown != null;
            long now = System.nanoTime();
            end(now);
            recorder.rest(now);
        }
    }

    /** From a future of ours that is about to run: whether it has to tell its end, because a hook might not. */
    boolean endsWithItsFuture(StampedFutureTask<?> task) {
        if (instruments.ownQueue() != null) {
            return false;
        } else if (kind != null) {
            return future == task && !instruments.isEndTold();
        }
        long now = System.nanoTime();
        begin(task.kind(), now, now - task.enqueuedNanos());
        return true;
    }

    // ---- what the task says of itself ----

    void taskFailed() {
        taskFailed = true;
    }

    boolean hasTaskFailed() {
        return taskFailed;
    }

    void setTaskFailed(boolean failed) {
        taskFailed = failed;
    }

    /** A future of ours begins to run: if the JDK has put it into another task of its own, that one's kind says nothing. */
    void runsInside(Object innerKind) {
        if (kind != innerKind
                && kind instanceof Class<?> outer
                && outer.getName().equals(QUEUEING_FUTURE)) {
            retarget(innerKind);
        }
    }

    /** The task that runs now turns out to be of this kind. */
    void retarget(Object betterKind) {
        if (kind != null) {
            kind = betterKind;
            recorder.retarget(betterKind);
        }
    }

    // ---- private ----

    private void hookCame() {
        awaitsHook = false;
        instruments.hookAwaitedNoMore();
    }

    private void beginFirst(Object firstKind) {
        hint = null;
        begin(firstKind, startNanos, startNanos - hiredNanos);
    }

    private void begin(Object taskKind, long now, long wait) {
        kind = taskKind;
        startNanos = now;
        waitNanos = wait;
        recorder.begin(now, wait < 0 ? WorkerRecorder.UNKNOWN_WAIT : now - wait, taskKind);
    }

    private void end(long now) {
        if (awaitsHook) {
            hookCame(); // it did not
        }
        recorder.end(now, taskFailed);
        long service = now - startNanos;
        if (reportsTasks) {
            report(service);
        }
        kind = null;
        future = null;
        taskFailed = false;
        typicalService += service > typicalService ? (typicalService >> 4) + 1 : -(typicalService >> 4);
        if (--tasksToReview == 0 || service >= LONG_TASK_NANOS) {
            reviewRefill();
        }
    }

    private void reviewRefill() {
        tasksToReview = REVIEW_EVERY;
        if (queue != null) {
            long slots = REFILL_NANOS * instruments.parallelism() / Math.max(1, typicalService);
            queue.refillBatch(
                    (int) Math.max(1, Long.highestOneBit(slots))); // in powers of two, so that it changes rarely
        }
    }

    private void report(long service) {
        PoolListener.TaskRun run = new PoolListener.TaskRun(
                recorder.currentKind(),
                waitNanos < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(waitNanos)),
                Duration.ofNanos(service),
                taskFailed);
        instruments.events().sendOfTask(listener -> listener.taskEnded(instruments.pool(), run));
    }

    private void leaveNewcomers() {
        if (newcomer) {
            newcomer = false;
            instruments.hookAwaitedNoMore();
            if (hint != null) {
                hint = null;
                instruments.submissions().handedOver(-1); // it was not hired for a task after all
            }
        }
    }

    WorkerRecorder recorder() {
        return recorder;
    }

    /** Any thread. */
    WorkerState state(long now) {
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
