package io.lifeguard.pool;

import io.lifeguard.pool.Distribution.Accuracy;
import io.lifeguard.pool.measure.PoolReading;
import io.lifeguard.pool.measure.PoolRecorder;
import io.lifeguard.pool.queue.WorkQueue;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * All that one executor of ours has beyond the JDK's: its name, its recorders, its workers as objects, and what became of the tasks
 * that did not fit. Thread-safe. Both executors, plain and scheduled, delegate to one of these.
 */
final class Instruments {

    private static final StackWalker CALLER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    private static final String JDK_WORKER = ThreadPoolExecutor.class.getName() + "$Worker";
    private static final long LAST_WORDS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final ThreadPoolExecutor executor;
    private final InstrumentedPool pool;
    private final String name;
    private final @Nullable WorkQueue ownQueue;
    private final boolean beforeExecuteOverridden;
    private final boolean afterExecuteOverridden;
    private final boolean threadFactoryOverridden;
    private final PoolRecorder recorder = new PoolRecorder();
    private final PoolWorkers workers = new PoolWorkers(this);
    private final Crew crew = new Crew();
    private final Saturation saturation;
    private final Submissions submissions;
    private final UnseenFailures failures = new UnseenFailures();
    private final EventDelivery events;
    private final @Nullable WaitProbe probe;

    private volatile RejectedExecutionHandler handler; // the user's own

    /** Workers between the start and the end of their thread. The executor's own count leads it at birth and at death. */
    private final AtomicInteger liveWorkers = new AtomicInteger();

    /**
     * Workers to whom the next hook is news: of which it is not settled whether they got a first task, or that were just woken.
     * Usually 0, which spares every task a look-up.
     */
    private final AtomicInteger hooksAwaited = new AtomicInteger();

    private final AtomicBoolean ended = new AtomicBoolean();

    <P extends ThreadPoolExecutor & InstrumentedPool> Instruments(
            P executor,
            Class<?> base,
            RejectedExecutionHandler handler,
            @Nullable String givenName,
            List<PoolListener> listeners) {
        this.executor = executor;
        this.pool = executor;
        this.handler = handler;
        BlockingQueue<Runnable> queue = executor.getQueue();
        this.ownQueue = queue instanceof WorkQueue work && work.attach(workers) ? work : null;
        this.beforeExecuteOverridden =
                Overrides.isOverridden(executor.getClass(), base, "beforeExecute", Thread.class, Runnable.class);
        this.afterExecuteOverridden =
                Overrides.isOverridden(executor.getClass(), base, "afterExecute", Runnable.class, Throwable.class);
        this.threadFactoryOverridden = Overrides.isOverridden(executor.getClass(), base, "getThreadFactory");
        this.probe = ownQueue == null && !(executor instanceof ScheduledThreadPoolExecutor) ? new WaitProbe() : null;
        this.submissions = new Submissions(executor, ownQueue, probe);
        this.saturation = new Saturation(this);
        this.events = new EventDelivery(listeners);
        this.name = Pools.register(executor, givenName == null ? PoolNames.ofCreator() : givenName);
    }

    /** The instruments of an executor of ours; null for any other. */
    static @Nullable Instruments of(ThreadPoolExecutor executor) {
        if (executor instanceof InstrumentedThreadPoolExecutor ours) {
            return ours.instruments();
        } else if (executor instanceof InstrumentedScheduledThreadPoolExecutor ours) {
            return ours.instruments();
        }
        return null;
    }

    String name() {
        return name;
    }

    InstrumentedPool pool() {
        return pool;
    }

    @Nullable
    WorkQueue ownQueue() {
        return ownQueue;
    }

    PoolRecorder recorder() {
        return recorder;
    }

    Crew crew() {
        return crew;
    }

    Saturation saturation() {
        return saturation;
    }

    UnseenFailures failures() {
        return failures;
    }

    EventDelivery events() {
        return events;
    }

    RejectedExecutionHandler handler() {
        return handler;
    }

    void handler(RejectedExecutionHandler newHandler) {
        handler = Objects.requireNonNull(newHandler);
    }

    // ---- submitting ----

    /**
     * True when {@code execute} can do nothing but offer to a queue of ours: every worker there may be is alive, so none can be
     * hired with the task in its hands, and the queue itself counts what it accepts. (A worker that a throwing task has just ended
     * still counts as alive. If one is hired in its place with a task, its first hook tells; where hooks do not reach us, nobody is
     * ever taken to be alive.)
     */
    boolean isStaffed(int maximumSize) {
        return ownQueue != null && isBeginTold() && liveWorkers.get() >= maximumSize;
    }

    Submissions submissions() {
        return submissions;
    }

    /** A run of a periodic task has ended on this thread: it was queued again, or it will never run any more. */
    void periodicEnded(RunnableScheduledFuture<?> future) {
        if (!future.isDone()) {
            submissions.accepted();
        } else if (!future.isCancelled()) {
            try {
                future.get();
            } catch (ExecutionException e) {
                PoolWorker worker = PoolWorker.current();
                String kind = worker == null
                        ? future.getClass().getName()
                        : worker.recorder().currentKind();
                failures.stopped(kind, e.getCause() == null ? e : e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException usersOwn) {
                return; // a decorated future that does not say why it ended
            }
        }
    }

    /** One of our policies, or the wait of a submitter, has refused a task of this thread. */
    void refused(RejectionReason reason) {
        submissions.refused();
        saturation.rejected(reason);
    }

    // ---- workers ----

    PoolWorkers workers() {
        return workers;
    }

    /** By {@code shutdownNow}, after it set the state, among others. */
    void draining() {
        if (executor.isShutdown()) {
            releaseWaiters();
        }
    }

    boolean isOwnWorker() {
        return workers.current() != null;
    }

    /**
     * What {@code getThreadFactory} answers. The executor's worker asks while it is being made, and gets a factory that puts our
     * worker around it; everybody else gets the factory that was set. A subclass that overrides the getter without calling {@code
     * super} hides its workers from us: tasks run as ever, and what the JDK counts is all we know.
     */
    ThreadFactory factoryFor(Class<?> asking, ThreadFactory set) {
        return asking.getName().equals(JDK_WORKER) ? body -> hire(set, body) : set;
    }

    /** Who called {@code getThreadFactory}; a subclass that overrides it, and calls us, only passes the question on. */
    static Class<?> whoAsksForThreadFactory() {
        return CALLER.walk(frames -> frames.skip(1)
                .dropWhile(frame -> frame.getMethodName().equals("getThreadFactory"))
                .findFirst()
                .orElseThrow()
                .getDeclaringClass());
    }

    @SuppressWarnings("NullAway") // a factory may return null, and the executor knows what to do then
    private Thread hire(ThreadFactory factory, Runnable jdkBody) {
        Hiring hiring = Hiring.current(this);
        boolean handOver = hiring != null && isHandedOver(hiring.task());
        WorkerBody body = new WorkerBody(this, jdkBody, handOver ? Tasks.kindOf(hiring.task()) : null);
        Thread thread = factory.newThread(body);
        if (thread != null) {
            body.madeInto(thread);
            if (handOver) {
                hiring.hired(body);
                submissions.handedOver(1);
            }
        }
        return thread;
    }

    /**
     * Whether the worker that is being made gets this task in its hands, or was hired because there was nobody to take it from the
     * queue. If hooks reach us they will settle it, and this is a guess that is nearly always right.
     */
    private boolean isHandedOver(Runnable task) {
        return isBeginTold()
                ? liveWorkers.get() > 0 || executor.getCorePoolSize() > 0
                : Arrays.stream(executor.getQueue().toArray()).noneMatch(queued -> queued == task);
    }

    /** The submitter's side of a hand-over ends; if the worker could not be started, there was none. */
    void hiringEnded(Hiring hiring) {
        WorkerBody body = hiring.end();
        if (body != null && body.neverStarted()) {
            submissions.handedOver(-1);
        }
    }

    void workerStarted() {
        liveWorkers.incrementAndGet();
        if (ownQueue != null) {
            hookAwaited();
        }
    }

    boolean hasWorkers() {
        return liveWorkers.get() > 0;
    }

    void hookAwaited() {
        hooksAwaited.incrementAndGet();
    }

    void hookAwaitedNoMore() {
        hooksAwaited.decrementAndGet();
    }

    void workerEnded(PoolWorker worker) {
        crew.leave(worker);
        recorder.retire(worker.recorder());
        if (liveWorkers.decrementAndGet() == 0) {
            releaseWaiters(); // if the thread factory has failed to replace it, there is nobody to make room
        }
        announceIfTerminated();
    }

    /** Whether {@code beforeExecute} is sure to reach us. A subclass that overrides it may call us always, sometimes or never. */
    boolean isBeginTold() {
        return !beforeExecuteOverridden;
    }

    /** Whether {@code afterExecute} is sure to reach us. */
    boolean isEndTold() {
        return !afterExecuteOverridden;
    }

    boolean hooksMayThrow() {
        return beforeExecuteOverridden || afterExecuteOverridden;
    }

    /** How many tasks can make progress at once, for all the queue can know. */
    int parallelism() {
        return Math.max(1, Math.min(liveWorkers.get(), PROCESSORS));
    }

    // ---- hooks ----

    void beforeExecute(Runnable task) {
        if (ownQueue != null) {
            if (hooksAwaited.get() > 0) {
                PoolWorker worker = PoolWorker.current();
                if (worker != null && worker.belongsTo(this)) {
                    worker.beforeRun(task);
                }
            }
            return;
        }
        PoolWorker worker = PoolWorker.current();
        if (worker != null && worker.belongsTo(this)) {
            beforeForeign(task, worker);
        }
    }

    private void beforeForeign(Runnable task, PoolWorker worker) {
        long now = System.nanoTime();
        WaitProbe.Sample sample;
        if (task instanceof StampedFutureTask<?> future) {
            worker.before(task, now, now - future.enqueuedNanos());
        } else if (task instanceof Delayed delayed) {
            worker.before(task, now, lateness(delayed));
        } else if (probe != null && (sample = probe.take(task)) != null) {
            worker.before(task, now, sample);
        } else {
            worker.before(task, now, -1);
        }
    }

    /** How late a scheduled task starts; unknown (negative) if the user's own {@code getDelay} throws. */
    private static long lateness(Delayed task) {
        try {
            return Math.max(0, -task.getDelay(TimeUnit.NANOSECONDS));
        } catch (RuntimeException usersOwn) {
            return -1;
        }
    }

    void afterExecute(@Nullable Throwable thrown) {
        if (ownQueue == null || thrown != null || executor.isShutdown()) {
            PoolWorker worker = PoolWorker.current();
            if (worker != null && worker.belongsTo(this)) {
                worker.after(thrown);
            }
        }
    }

    // ---- life ----

    /** To be called when the pool's state or size has changed, so that waiting submitters look again. */
    void releaseWaiters() {
        if (ownQueue != null) {
            ownQueue.releaseWaiters();
        }
    }

    /** To be called after the executor was told to shut down. */
    void shutDown() {
        releaseWaiters();
        announceIfTerminated();
    }

    void announceIfTerminated() {
        if (executor.isTerminated() && ended.compareAndSet(false, true)) {
            if (events.hasListeners()) {
                PoolSnapshot last = snapshot();
                events.sendLast(listener -> listener.terminated(pool, last));
            }
            Pools.announceTerminated(pool, name);
        }
    }

    // ---- reading ----

    long idleNanos() {
        return recorder.idleNanos();
    }

    PoolSnapshot snapshot() {
        awaitLastWords();
        PoolReading reading = recorder.read();
        boolean ofTheJdk = ownQueue == null || (threadFactoryOverridden && reading.begun() == 0);
        long completed = ofTheJdk ? executor.getCompletedTaskCount() : reading.completed();
        long begun = Math.max(completed, reading.begun());
        long submitted = submissions.count();
        PoolSnapshot.Saturation whenFull = saturation.read();
        return PoolSnapshot.builder(name)
                .measured(
                        reading,
                        probe == null ? Accuracy.EXACT : Accuracy.SAMPLED,
                        reading.cpu().totalNanos())
                .load(new PoolSnapshot.Load(
                        executor.getPoolSize(),
                        ofTheJdk ? executor.getActiveCount() : recorder.busyWorkers(),
                        executor.getQueue().size(),
                        oldestQueued()))
                .limits(new PoolSnapshot.Limits(
                        executor.getCorePoolSize(),
                        executor.getMaximumPoolSize(),
                        executor.getQueue().remainingCapacity()))
                .counts(new PoolSnapshot.Counts(
                        Math.max(begun, submitted),
                        completed,
                        reading.failed(),
                        whenFull.rejected(),
                        reading.callerRun().count(),
                        events.dropped()))
                .saturation(whenFull)
                .unseenFailures(failures.read())
                .build();
    }

    /**
     * The JDK's executor has terminated a moment before its last workers return to us, and with them the end of their last tasks.
     * What they have left to do is theirs alone, takes microseconds and waits for nobody.
     */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is a courtesy here, nothing depends on it
    private void awaitLastWords() {
        if (executor.isTerminated() && liveWorkers.get() > 0) {
            long deadline = System.nanoTime() + LAST_WORDS_NANOS;
            while (liveWorkers.get() > 0 && System.nanoTime() - deadline < 0) {
                Thread.yield();
            }
        }
    }

    private Duration oldestQueued() {
        long oldest = ownQueue == null ? Long.MIN_VALUE : ownQueue.oldestNanos();
        return oldest == Long.MIN_VALUE ? Duration.ZERO : Duration.ofNanos(Math.max(0, System.nanoTime() - oldest));
    }
}
