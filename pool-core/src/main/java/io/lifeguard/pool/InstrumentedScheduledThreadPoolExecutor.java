package io.lifeguard.pool;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
 * A {@link ScheduledThreadPoolExecutor} that measures every run: its lateness (the queue wait), how long it ran and computed, and
 * whether it failed. Thread-safe, and in all else what the JDK's class is; it can be subclassed in the same way.
 *
 * <p>Lateness is the time from when a run was due to when it began; for a periodic task that overran its period it is what it has
 * fallen behind. Runs are counted under the class of the task that was scheduled, unless a subclass overrides {@code decorateTask},
 * which must see the very object that was passed: then they are counted under the class of the future.
 *
 * @implNote Tasks are not decorated, since decorated tasks are not removed on cancellation by the JDK's class. The hooks measure;
 *     where a subclass overrides them without calling {@code super}, only the JDK's counts remain.
 */
public class InstrumentedScheduledThreadPoolExecutor extends ScheduledThreadPoolExecutor implements InstrumentedPool {

    private final Instruments instruments;
    private final boolean decorated;

    // written by whoever schedules; a sum that is being read may lack the latest
    private final LongAdder schedules = new LongAdder(); // calls of schedule, also by the JDK itself
    private final LongAdder executions = new LongAdder(); // of these the latter, for execute and submit
    private final LongAdder repetitions = new LongAdder();

    /**
     * As {@link ScheduledThreadPoolExecutor#ScheduledThreadPoolExecutor(int)}; the pool is named after the class and line that
     * create it.
     *
     * @param corePoolSize threads, {@code >= 0}
     * @throws IllegalArgumentException if it is negative
     */
    public InstrumentedScheduledThreadPoolExecutor(int corePoolSize) {
        this(corePoolSize, Executors.defaultThreadFactory());
    }

    /**
     * As {@link ScheduledThreadPoolExecutor#ScheduledThreadPoolExecutor(int, ThreadFactory)}.
     *
     * @param corePoolSize threads, {@code >= 0}
     * @param threadFactory makes the threads
     * @throws IllegalArgumentException if the size is negative
     * @throws NullPointerException if the factory is null
     */
    public InstrumentedScheduledThreadPoolExecutor(int corePoolSize, ThreadFactory threadFactory) {
        this(corePoolSize, threadFactory, new AbortPolicy());
    }

    /**
     * As {@link ScheduledThreadPoolExecutor#ScheduledThreadPoolExecutor(int, RejectedExecutionHandler)}.
     *
     * @param corePoolSize threads, {@code >= 0}
     * @param handler what to do with a task when the pool is shut down
     * @throws IllegalArgumentException if the size is negative
     * @throws NullPointerException if the handler is null
     */
    public InstrumentedScheduledThreadPoolExecutor(int corePoolSize, RejectedExecutionHandler handler) {
        this(corePoolSize, Executors.defaultThreadFactory(), handler);
    }

    /**
     * As {@link ScheduledThreadPoolExecutor#ScheduledThreadPoolExecutor(int, ThreadFactory, RejectedExecutionHandler)}.
     *
     * @param corePoolSize threads, {@code >= 0}
     * @param threadFactory makes the threads
     * @param handler what to do with a task when the pool is shut down
     * @throws IllegalArgumentException if the size is negative
     * @throws NullPointerException if an argument is null
     */
    public InstrumentedScheduledThreadPoolExecutor(
            int corePoolSize, ThreadFactory threadFactory, RejectedExecutionHandler handler) {
        this(corePoolSize, threadFactory, handler, null);
    }

    /**
     * For subclasses: a pool with a name.
     *
     * @param name the name, under which the pool is found and reported; if another live pool has it, this one becomes {@code name#2}
     * @param corePoolSize threads, {@code >= 0}
     * @param threadFactory makes the threads
     * @param handler what to do with a task when the pool is shut down
     * @throws IllegalArgumentException if the name is blank or the size is negative
     * @throws NullPointerException if an argument is null
     */
    protected InstrumentedScheduledThreadPoolExecutor(
            String name, int corePoolSize, ThreadFactory threadFactory, RejectedExecutionHandler handler) {
        this(
                corePoolSize,
                threadFactory,
                handler,
                Preconditions.notBlank("name", Objects.requireNonNull(name, "name must not be null")));
    }

    InstrumentedScheduledThreadPoolExecutor(
            int corePoolSize,
            ThreadFactory threadFactory,
            RejectedExecutionHandler handler,
            @Nullable String givenName) {
        super(corePoolSize, threadFactory, SaturationGate.inFrontOf(handler));
        Class<?> base = InstrumentedScheduledThreadPoolExecutor.class;
        this.instruments = new Instruments(this, base, handler, givenName, List.of());
        this.decorated =
                Overrides.isOverridden(getClass(), base, "decorateTask", Runnable.class, RunnableScheduledFuture.class)
                        || Overrides.isOverridden(
                                getClass(), base, "decorateTask", Callable.class, RunnableScheduledFuture.class);
        Pools.announceCreated(this);
    }

    /** {@inheritDoc} */
    @Override
    public String name() {
        return instruments.name();
    }

    /** {@inheritDoc} */
    @Override
    public PoolSnapshot snapshot() {
        return instruments.snapshot();
    }

    /** {@inheritDoc} */
    @Override
    public List<WorkerState> workers() {
        return instruments.crew().states();
    }

    /**
     * How many tasks were scheduled to run once, by {@code schedule}; those given to {@code execute} or {@code submit} are not among them.
     *
     * @return how many were accepted since the pool was created
     */
    public long scheduledOnce() {
        long all = schedules.sum(); // first, so that none is missing from the others that is among these
        return Math.max(0, all - executions.sum());
    }

    /**
     * How many tasks were scheduled to run repetitively, at a fixed rate or with a fixed delay.
     *
     * @return how many were accepted since the pool was created, each counted once
     */
    public long scheduledRepetitively() {
        return repetitions.sum();
    }

    final Instruments instruments() {
        return instruments;
    }

    // ---- ScheduledThreadPoolExecutor ----

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        int gateEntries = instruments.submissions().gateEntries();
        ScheduledFuture<?> future = super.schedule(measured(command), delay, unit);
        instruments.submissions().submitted(null, gateEntries);
        schedules.increment();
        return future;
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        int gateEntries = instruments.submissions().gateEntries();
        ScheduledFuture<V> future = super.schedule(measured(callable), delay, unit);
        instruments.submissions().submitted(null, gateEntries);
        schedules.increment();
        return future;
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        int gateEntries = instruments.submissions().gateEntries();
        long stopsBefore = instruments.failures().stops();
        ScheduledFuture<?> future = super.scheduleAtFixedRate(measured(command), initialDelay, period, unit);
        instruments.submissions().submitted(null, gateEntries);
        repetitions.increment();
        instruments.failures().scheduledPeriodically(Tasks.kindOf(decorated ? future : command), stopsBefore);
        return future;
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        int gateEntries = instruments.submissions().gateEntries();
        long stopsBefore = instruments.failures().stops();
        ScheduledFuture<?> future = super.scheduleWithFixedDelay(measured(command), initialDelay, delay, unit);
        instruments.submissions().submitted(null, gateEntries);
        repetitions.increment();
        instruments.failures().scheduledPeriodically(Tasks.kindOf(decorated ? future : command), stopsBefore);
        return future;
    }

    @Override
    public void execute(Runnable command) {
        this.<@Nullable Object>counted(() -> {
            super.execute(command);
            return null;
        });
    }

    @Override
    public Future<?> submit(Runnable task) {
        return counted(() -> super.submit(task));
    }

    @Override
    public <T> Future<T> submit(Runnable task, T result) {
        return counted(() -> super.submit(task, result));
    }

    @Override
    public <T> Future<T> submit(Callable<T> task) {
        return counted(() -> super.submit(task));
    }

    /** The JDK's class calls {@code schedule} for these, which is not what a user calls scheduling. */
    private <T extends @Nullable Object> T counted(Supplier<T> submission) {
        executions.increment();
        boolean accepted = false;
        try {
            T result = submission.get();
            accepted = true;
            return result;
        } finally {
            if (!accepted) {
                executions.decrement();
            }
        }
    }

    private Runnable measured(Runnable command) {
        return decorated || command == null ? command : new ScheduledBody.OfRunnable(command);
    }

    private <V> Callable<V> measured(Callable<V> callable) {
        return decorated || callable == null ? callable : new ScheduledBody.OfCallable<>(callable);
    }

    // ---- ThreadPoolExecutor ----

    /** Overriding it without calling {@code super} is as harmless as it is in the JDK's class. */
    @Override
    protected void beforeExecute(Thread thread, Runnable task) {
        instruments.beforeExecute(task);
    }

    /** Overriding it without calling {@code super} is as harmless as it is in the JDK's class. */
    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
        instruments.afterExecute(thrown);
        if (task instanceof RunnableScheduledFuture<?> future && future.isPeriodic()) {
            instruments.periodicEnded(future);
        }
    }

    /** The factory that was set. */
    @Override
    public ThreadFactory getThreadFactory() {
        ThreadFactory set = super.getThreadFactory();
        return instruments.factoryFor(Instruments.whoAsksForThreadFactory(), set);
    }

    @Override
    public void setRejectedExecutionHandler(RejectedExecutionHandler handler) {
        instruments.handler(handler);
    }

    @Override
    public RejectedExecutionHandler getRejectedExecutionHandler() {
        return instruments.handler();
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
            return super.shutdownNow();
        } finally {
            instruments.shutDown();
        }
    }
}
