package io.lifeguard.pool;

import io.lifeguard.pool.os.CallerWalker;
import io.lifeguard.pool.text.Preconditions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ScheduledThreadPoolExecutor} that measures every run: its lateness (the queue wait), how long it ran and
 * computed, and whether it failed. Thread-safe. In all other respects it behaves as the JDK's class, and can be
 * subclassed in the same way. The constructors have the JDK's parameters, bounds and exceptions. They name the pool
 * after the class and line that call them.
 *
 * <p>Lateness is the time from when a run was due to when it began. For a periodic task that takes longer than its
 * period, lateness grows with every run. Runs are counted under the class of the task that was scheduled. If a subclass
 * overrides {@code decorateTask}, that method must see the very object that was passed; runs are then counted under the
 * class of the future.
 *
 * @implNote Tasks are not decorated, because the JDK's class does not remove decorated tasks when they are cancelled.
 *     The hooks measure. Where a subclass overrides them without calling {@code super}, only the JDK's counts remain.
 */
@SuppressWarnings("doclint:missing") // most parameters are those of the JDK's class
public class InstrumentedScheduledThreadPoolExecutor extends ScheduledThreadPoolExecutor implements InstrumentedPool {

    final Instruments instruments;
    private final boolean decorated;

    // written by submitters; a stale read misses the latest
    private final LongAdder schedules = new LongAdder();
    private final LongAdder repetitions = new LongAdder();

    /** As {@link ScheduledThreadPoolExecutor#ScheduledThreadPoolExecutor(int)}. */
    public InstrumentedScheduledThreadPoolExecutor(int corePoolSize) {
        this(corePoolSize, Executors.defaultThreadFactory());
    }

    /** As {@link ScheduledThreadPoolExecutor#ScheduledThreadPoolExecutor(int, ThreadFactory)}. */
    public InstrumentedScheduledThreadPoolExecutor(int corePoolSize, ThreadFactory threadFactory) {
        this(corePoolSize, threadFactory, new AbortPolicy());
    }

    /** As {@link ScheduledThreadPoolExecutor#ScheduledThreadPoolExecutor(int, RejectedExecutionHandler)}. */
    public InstrumentedScheduledThreadPoolExecutor(int corePoolSize, RejectedExecutionHandler handler) {
        this(corePoolSize, Executors.defaultThreadFactory(), handler);
    }

    /**
     * As {@link ScheduledThreadPoolExecutor#ScheduledThreadPoolExecutor(int, ThreadFactory, RejectedExecutionHandler)}.
     */
    public InstrumentedScheduledThreadPoolExecutor(
            int corePoolSize, ThreadFactory threadFactory, RejectedExecutionHandler handler) {
        this(corePoolSize, threadFactory, handler, null);
    }

    /**
     * For subclasses: a pool with a name.
     *
     * @param name the name under which the pool is found and reported, not blank, of at most 200 characters; if another
     *     live pool has the name, this one becomes {@code name#2}
     */
    protected InstrumentedScheduledThreadPoolExecutor(
            String name, int corePoolSize, ThreadFactory threadFactory, RejectedExecutionHandler handler) {
        this(corePoolSize, threadFactory, handler, Preconditions.poolName("name", name));
    }

    InstrumentedScheduledThreadPoolExecutor(
            int corePoolSize,
            ThreadFactory threadFactory,
            RejectedExecutionHandler handler,
            @Nullable String givenName) {
        super(corePoolSize, threadFactory, SaturationGate.inFrontOf(handler));
        DiscoveredObservers.load();
        Class<?> base = InstrumentedScheduledThreadPoolExecutor.class;
        this.instruments = new Instruments(this, base, super.getQueue(), handler, givenName, List.of());
        this.decorated = Instruments.isOverridden(
                        getClass(), base, "decorateTask", Runnable.class, RunnableScheduledFuture.class)
                || Instruments.isOverridden(
                        getClass(), base, "decorateTask", Callable.class, RunnableScheduledFuture.class);
        PoolRegistry.announceCreated(this, instruments.name);
    }

    @Override
    public String name() {
        return instruments.name;
    }

    @Override
    public PoolSnapshot snapshot() {
        return instruments.snapshot();
    }

    @Override
    public long troubles() {
        return instruments.troubles();
    }

    @Override
    public int waitingSubmitters() {
        return instruments.saturation.waitingSubmitters();
    }

    @Override
    public List<WorkerState> workers() {
        return instruments.workerStates();
    }

    /**
     * How many tasks {@code schedule} has accepted. Tasks that were given to {@code execute} or {@code submit} are not
     * counted. The same holds for tasks that were scheduled with a delay of 0 nanoseconds.
     */
    public long scheduledOnce() {
        return schedules.sum();
    }

    /** How many tasks were accepted to run at a fixed rate or with a fixed delay. Each is counted once. */
    public long scheduledRepetitively() {
        return repetitions.sum();
    }

    // ---- ScheduledThreadPoolExecutor ----

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return scheduling(countOf(delay, unit), () -> super.schedule(measured(command), delay, unit));
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        return scheduling(countOf(delay, unit), () -> super.schedule(measured(callable), delay, unit));
    }

    /** Null for a delay of 0 ns: the JDK's {@code execute} and {@code submit} call {@code schedule} with it. */
    private @Nullable LongAdder countOf(long delay, TimeUnit unit) {
        return delay == 0 && unit == TimeUnit.NANOSECONDS ? null : schedules;
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        return repeating(command, () -> super.scheduleAtFixedRate(measured(command), initialDelay, period, unit));
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        return repeating(command, () -> super.scheduleWithFixedDelay(measured(command), initialDelay, delay, unit));
    }

    private ScheduledFuture<?> repeating(Runnable command, Supplier<ScheduledFuture<?>> call) {
        long stopsBefore = instruments.failures.stops();
        ScheduledFuture<?> future = scheduling(repetitions, call);
        instruments.failures.scheduledPeriodically(Tasks.kindOf(decorated ? future : command), stopsBefore);
        return future;
    }

    private <F> F scheduling(@Nullable LongAdder count, Supplier<F> call) {
        boolean returned = false;
        try {
            F future = call.get();
            returned = true;
            return future;
        } finally {
            instruments.boundary.submitted(null, returned);
            if (returned && count != null) {
                count.increment();
            }
        }
    }

    private Runnable measured(Runnable command) {
        return decorated || command == null ? command : new MeasuredRunnable(command);
    }

    private <V> Callable<V> measured(Callable<V> callable) {
        return decorated || callable == null ? callable : new MeasuredCallable<>(callable);
    }

    // ---- ThreadPoolExecutor ----

    /** May be overridden without calling {@code super}, as in the JDK's class. */
    @Override
    protected void beforeExecute(Thread thread, Runnable task) {
        try {
            instruments.beforeExecute(task);
        } catch (Error e) { // thrown on, it would end the worker before the task ran: the task would be lost
            instruments.missesTasks();
        }
    }

    /** May be overridden without calling {@code super}, as in the JDK's class. */
    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
        try {
            instruments.afterExecute(thrown);
            if (task instanceof RunnableScheduledFuture<?> future && future.isPeriodic()) {
                instruments.periodicEnded(future);
            }
        } catch (Error e) { // thrown on, it would end the worker
            instruments.missesTasks();
        }
    }

    /** Returns the factory that was set. */
    @Override
    public ThreadFactory getThreadFactory() {
        return instruments.factoryForCaller(CallerWalker.nameOfCaller(), super.getThreadFactory());
    }

    @Override
    public void setRejectedExecutionHandler(RejectedExecutionHandler handler) {
        if (handler == null) {
            super.setRejectedExecutionHandler(handler); // throws the JDK's exception
            return;
        }
        instruments.handler(handler);
    }

    @Override
    public RejectedExecutionHandler getRejectedExecutionHandler() {
        return instruments.handler();
    }

    /** {@inheritDoc} Then {@link Pools} does not know the pool either. */
    @Override
    public boolean isTerminated() {
        return super.isTerminated() && instruments.terminated();
    }

    /** {@inheritDoc} Then {@link Pools} does not know the pool either. */
    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return super.awaitTermination(timeout, unit) && instruments.terminated();
    }

    @Override
    public void shutdown() {
        try {
            super.shutdown();
        } finally {
            instruments.shutDown();
        }
    }

    @Override
    public List<Runnable> shutdownNow() {
        try {
            List<Runnable> unexecuted = super.shutdownNow();
            instruments.boundary.drained(unexecuted.size());
            return unexecuted;
        } finally {
            instruments.shutDown();
        }
    }

    // ---- the tasks inside the JDK's scheduled futures ----

    private static void begins(Object task) {
        PoolWorker worker = PoolWorker.current();
        if (worker != null) {
            worker.retarget(Tasks.kindOf(task));
        }
    }

    private static void failed() {
        PoolWorker worker = PoolWorker.current();
        if (worker != null) {
            worker.taskFailed();
        }
    }

    /** Tells the worker the kind of the user's task, and its failure, which the JDK's future does not pass on. */
    private record MeasuredRunnable(Runnable task) implements Runnable {
        @Override
        public void run() {
            begins(task);
            try {
                task.run();
            } catch (Throwable e) {
                failed();
                throw e;
            }
        }

        @Override
        public String toString() {
            return task.toString();
        }
    }

    /** The same for a callable. */
    private record MeasuredCallable<V>(Callable<V> task) implements Callable<V> {
        @Override
        public V call() throws Exception {
            begins(task);
            try {
                return task.call();
            } catch (Throwable e) {
                failed();
                throw e;
            }
        }

        @Override
        public String toString() {
            return task.toString();
        }
    }
}
