package io.lifeguard.pool;

import io.lifeguard.pool.measure.PoolReading;
import io.lifeguard.pool.measure.PoolRecorder;
import io.lifeguard.pool.os.CallerWalker;
import io.lifeguard.pool.queue.WorkQueue;
import io.lifeguard.pool.text.PoolNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
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
 * The state that one instrumented executor adds to the JDK's: its name, task boundary, recorders, workers and events.
 * Thread-safe. Each plain and each scheduled executor has one object of this class.
 */
final class Instruments {

    private static final String JDK_WORKER = ThreadPoolExecutor.class.getName() + "$Worker";
    private static final long LAST_TASKS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final ThreadPoolExecutor executor;
    private final BlockingQueue<Runnable> queue; // a subclass may override the getter
    final InstrumentedPool pool;
    final String name;
    final boolean isBeforeExecuteSeen; // false if a subclass overrides the hook, because it may not call super
    final boolean isAfterExecuteSeen;
    final boolean isThreadFactoryOverridden;
    final PoolRecorder recorder = new PoolRecorder();
    final SaturationRecorder saturation;
    final TaskBoundary boundary;
    final UnseenFailures failures = new UnseenFailures();
    final EventDelivery events;

    // The user's handler. Written by setRejectedExecutionHandler; after a stale read the previous one decides.
    private volatile RejectedExecutionHandler handler;

    // Written by workers at the start and the end of their thread. A stale read shows a worker that has just ended.
    private final Set<PoolWorker> workers = ConcurrentHashMap.newKeySet();

    // Written by workers at the start and the end of their thread. The executor's own count changes earlier, both
    // times. A stale read makes one execute() take the slower path.
    private final AtomicInteger liveWorkers = new AtomicInteger();

    // Workers that an Error has kept from being measured. Written by them; a stale read misses the latest.
    final AtomicInteger unmeasuredWorkers = new AtomicInteger();

    // Whether an Error has kept a worker from measuring a task. Then the executor's counts hold. Written by workers; a
    // stale read misses the latest task.
    private volatile boolean missesTasks;

    // written by the first thread that sees the termination, by CAS, so no read is stale
    private final AtomicBoolean ended = new AtomicBoolean();

    <P extends ThreadPoolExecutor & InstrumentedPool> Instruments(
            P executor,
            Class<?> base,
            BlockingQueue<Runnable> queue,
            RejectedExecutionHandler handler,
            @Nullable String givenName,
            List<PoolListener> listeners) {
        this.executor = executor;
        this.pool = executor;
        this.queue = queue;
        this.handler = handler;
        Class<?> type = executor.getClass();
        this.isBeforeExecuteSeen = !isOverridden(type, base, "beforeExecute", Thread.class, Runnable.class);
        this.isAfterExecuteSeen = !isOverridden(type, base, "afterExecute", Runnable.class, Throwable.class);
        this.isThreadFactoryOverridden = isOverridden(type, base, "getThreadFactory");
        this.boundary = boundaryOf(queue);
        this.saturation = new SaturationRecorder(this);
        this.events = new EventDelivery(listeners);
        this.name = PoolRegistry.register(executor, givenName == null ? PoolNames.ofCreator() : givenName);
    }

    private TaskBoundary boundaryOf(BlockingQueue<Runnable> queue) {
        QueueBoundary attached = queue instanceof WorkQueue own ? QueueBoundary.attach(this, executor, own) : null;
        return attached == null ? HookBoundary.of(this, executor, queue) : attached;
    }

    /** Whether a class between {@code type} (inclusive) and {@code base} (exclusive) declares the method. */
    static boolean isOverridden(Class<?> type, Class<?> base, String method, Class<?>... parameters) {
        for (Class<?> t = type; t != null && t != base; t = t.getSuperclass()) {
            if (declares(t, method, parameters)) {
                return true;
            }
        }
        return false;
    }

    private static boolean declares(Class<?> type, String method, Class<?>... parameters) {
        try {
            return Arrays.stream(type.getDeclaredMethods())
                    .anyMatch(m -> m.getName().equals(method) && Arrays.equals(m.getParameterTypes(), parameters));
        } catch (NoClassDefFoundError e) {
            return true; // the class cannot be read, so do not rely on the hook
        }
    }

    RejectedExecutionHandler handler() {
        return handler;
    }

    void handler(RejectedExecutionHandler newHandler) {
        handler = newHandler;
    }

    /** A run of a periodic task has ended on this thread: the task was queued again, or will never run again. */
    void periodicEnded(RunnableScheduledFuture<?> future) {
        if (!future.isDone()) {
            boundary.accepted();
        } else if (!future.isCancelled()) {
            try {
                future.get();
            } catch (ExecutionException e) {
                PoolWorker worker = PoolWorker.current();
                String kind = worker == null ? future.getClass().getName() : worker.recorder.currentKind();
                if (!failures.stopped(future, kind, e.getCause() == null ? e : e.getCause())) {
                    boundary.accepted(); // another run has stopped the task: this one was followed by a further run
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error ignored) {
                return; // a future of the user's own class does not say why it ended, or there is no memory
            }
        }
    }

    /** A policy of this library has refused a task of this thread. */
    void refused(RejectionReason reason) {
        Submission.refusalCounted();
        saturation.rejected(reason);
    }

    // ---- workers ----

    /**
     * Returns the result of {@code getThreadFactory}. The JDK's worker calls that method while it is being made, and
     * gets a factory that wraps a {@link PoolWorker} around it. Every other caller gets the factory that was set. A
     * subclass that overrides the getter without calling {@code super} hides its workers: its tasks run as usual, and
     * only the JDK's counts are known.
     *
     * @param caller the class that calls the executor's {@code getThreadFactory}; a subclass if that overrides it
     */
    ThreadFactory factoryForCaller(String caller, ThreadFactory set) {
        boolean isWorker = caller.equals(JDK_WORKER) || (isThreadFactoryOverridden && isWorkerBelowGetters());
        return isWorker ? factoryForWorker(set) : set;
    }

    /** {@return the factory for the JDK's worker, which is known to be the caller} */
    ThreadFactory factoryForWorker(ThreadFactory set) {
        return new WorkerFactory(boundary, set);
    }

    private static boolean isWorkerBelowGetters() {
        String caller = CallerWalker.NAMES.walk(frames -> frames.skip(2)
                .dropWhile(frame -> frame.getMethodName().equals("getThreadFactory"))
                .findFirst()
                .orElseThrow()
                .getClassName());
        return caller.equals(JDK_WORKER);
    }

    void beforeExecute(Runnable task) {
        boundary.beforeExecute(task);
    }

    void afterExecute(@Nullable Throwable thrown) {
        boundary.afterExecute(thrown);
    }

    void workerStarts(PoolWorker worker) {
        workers.add(worker);
        liveWorkers.incrementAndGet();
        worker.isCounted = true; // no call may come between the two
    }

    /** May be repeated. All steps are made, even if an Error strikes in one of them. */
    void workerEnded(PoolWorker worker) {
        try {
            workers.remove(worker);
        } finally {
            try {
                if (worker.recorder != null) {
                    recorder.retire(worker.recorder);
                }
            } finally {
                try {
                    if (worker.isCounted) {
                        liveWorkers.decrementAndGet();
                        worker.isCounted = false; // no call may come between the two
                    }
                    letWaitersLook();
                } finally {
                    announceIfTerminated();
                }
            }
        }
    }

    private void letWaitersLook() {
        if (liveWorkers.get() == 0) {
            boundary.sizeChanged(); // if the thread factory failed to replace the worker, no other makes room
            return;
        }
        if (isAnyWorkerWaiting()) {
            boundary.workerLost();
        }
    }

    /** An Error has kept a worker from measuring a task. */
    void missesTasks() {
        missesTasks = true;
    }

    private boolean isAnyWorkerWaiting() {
        for (PoolWorker worker : workers) {
            if (worker.waitsIn != null) {
                return true;
            }
        }
        return false;
    }

    int liveWorkers() {
        return liveWorkers.get();
    }

    /** Whether the thread of a worker runs. Asks the threads themselves, not a counter. */
    boolean hasLivingWorker() {
        for (PoolWorker worker : workers) {
            if (worker.isAlive()) {
                return true;
            }
        }
        return false;
    }

    /** The workers between the start and the end of their thread. */
    Set<PoolWorker> liveWorkerSet() {
        return workers;
    }

    /** At most how many workers have been given a task that they have not begun. */
    int tasksInTransit() {
        int starting = Math.max(0, executor.getPoolSize() - liveWorkers.get());
        int holding = 0;
        for (PoolWorker worker : workers) {
            holding += worker.mayHoldUnbegunTask() ? 1 : 0;
        }
        return starting + holding;
    }

    List<WorkerState> workerStates() {
        long now = System.nanoTime();
        List<WorkerState> states = new ArrayList<>(liveWorkers());
        for (PoolWorker worker : workers) {
            states.add(worker.state(now));
        }
        return List.copyOf(states);
    }

    long troubles() {
        return saturation.troubles() + failures.unasked(); // what users' handlers lose takes a reading of all workers
    }

    boolean isOwnWorker() {
        PoolWorker worker = PoolWorker.current();
        return worker != null && worker.instruments == this;
    }

    /** How many tasks can make progress at once: as many as live workers, but at most as many as processors. */
    int parallelism() {
        return Math.max(1, Math.min(liveWorkers.get(), PROCESSORS));
    }

    // ---- the end ----

    void shutDown() {
        boundary.releaseWaiters();
        announceIfTerminated();
    }

    void draining() {
        if (executor.isShutdown()) {
            boundary.releaseWaiters();
        }
    }

    /**
     * Call it for each thread that learns of the termination, and returns true. Its last worker announces the
     * termination a moment later; until then the pool would still be found, and its name be in use.
     */
    boolean terminated() {
        PoolRegistry.unregister(pool, name);
        return true;
    }

    void announceIfTerminated() {
        if (executor.isTerminated() && ended.compareAndSet(false, true)) {
            try {
                if (events.hasListeners()) {
                    PoolSnapshot last = snapshot();
                    events.sendLast(listener -> listener.terminated(pool, last));
                }
            } finally {
                PoolRegistry.announceTerminated(pool, name);
            }
        }
    }

    // ---- reading ----

    PoolSnapshot snapshot() {
        awaitLastTasks();
        long lostInHandlers = boundary.lostInHandlers();
        PoolReading reading = recorder.read();
        boolean recorded = !missesTasks && boundary.recordsAllTasks(reading.begun());
        // the JDK counts a task a moment after afterExecute, which has reported its failure
        long completed = recorded ? reading.completed() : Math.max(executor.getCompletedTaskCount(), reading.failed());
        long begun = Math.max(completed, reading.begun());
        long submitted = boundary.submitted();
        PoolSnapshot.Saturation whenFull = saturation.read(lostInHandlers);
        return PoolSnapshot.builder(name)
                .measured(reading, boundary.queueWaitAccuracy(), reading.cpu().totalNanos())
                .load(new PoolSnapshot.Load(
                        executor.getPoolSize(),
                        recorded ? recorder.busyWorkers() : executor.getActiveCount(),
                        queue.size(),
                        oldestQueued()))
                .limits(new PoolSnapshot.Limits(
                        executor.getCorePoolSize(), executor.getMaximumPoolSize(), queue.remainingCapacity()))
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
     * Waits for the last workers of a terminated executor. They record the end of their last tasks a moment after the
     * JDK's executor has terminated. That takes them microseconds, and they wait for no other thread.
     */
    @SuppressWarnings("ThreadPriorityCheck") // correctness does not depend on the yield
    private void awaitLastTasks() {
        if (executor.isTerminated() && liveWorkers.get() > 0) {
            long deadline = System.nanoTime() + LAST_TASKS_NANOS;
            while (liveWorkers.get() > 0 && System.nanoTime() - deadline < 0) {
                Thread.yield();
            }
        }
    }

    private Duration oldestQueued() {
        if (executor instanceof ScheduledThreadPoolExecutor && queue.peek() instanceof Delayed next) {
            return Duration.ofNanos(Math.max(0, HookBoundary.lateness(next)));
        }
        long oldest = boundary.oldestNanos();
        return oldest == Long.MIN_VALUE ? Duration.ZERO : Duration.ofNanos(Math.max(0, System.nanoTime() - oldest));
    }

    /** No lambda, because the first pool of the JVM would wait for its class. */
    private record WorkerFactory(TaskBoundary boundary, ThreadFactory set) implements ThreadFactory {
        @Override
        @SuppressWarnings("NullAway") // a factory may return null, and the executor allows for it
        public Thread newThread(Runnable body) {
            return boundary.newThread(set, body);
        }
    }
}
