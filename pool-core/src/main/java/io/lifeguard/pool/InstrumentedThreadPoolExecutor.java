package io.lifeguard.pool;

import io.lifeguard.pool.os.CallerWalker;
import io.lifeguard.pool.queue.WorkQueue;
import io.lifeguard.pool.text.PoolNames;
import io.lifeguard.pool.text.Preconditions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ThreadPoolExecutor} that measures every task: how long it queued, ran and computed, which submitters had to
 * wait, and which ran tasks themselves. Thread-safe.
 *
 * <p>In all other respects it behaves as the JDK's class, and it can be subclassed in the same way. The queue, the
 * hooks and {@code shutdownNow} show the same objects that you submitted, and {@code remove} finds them. The queue, the
 * thread factory and the handler are those that you passed. Messages, exceptions and thread names are the JDK's. The
 * constructors have the JDK's parameters, bounds and exceptions. They name the pool after the class and line that call
 * them.
 *
 * <p>{@link #named} builds the recommended pool: static size, a bounded queue, and submitters that wait when the queue
 * is full.
 *
 * <h2>What is exact</h2>
 *
 * <table>
 * <caption>Accuracy by queue</caption>
 * <tr><th></th><th>this library's queue (builder, {@link InstrumentedExecutors})</th><th>any other queue</th></tr>
 * <tr><td>queue wait</td><td>exact, every task</td><td>exact for {@code submit}; for raw {@code execute} an unbiased
 *     sample, that is chosen by chance and queue length only</td></tr>
 * <tr><td>service time</td><td>exact; includes the hooks and some 50 ns of the executor itself</td> <td>exact if the
 *     hooks, where overridden, call {@code super}; otherwise for {@code submit} only</td></tr>
 * <tr><td>CPU time</td><td colspan="2">the total is exact but for the estimated cost of waking up; percentiles come
 *     from all tasks of 50 µs or more (or a hundred reads of the CPU clock, where these take longer), and from an
 *     unbiased sample of the shorter ones</td></tr>
 * <tr><td>counts</td><td colspan="2">exact</td></tr>
 * </table>
 *
 * @apiNote A subclass that overrides {@link #getThreadFactory} without calling {@code super} hides its workers: tasks
 *     run as usual, but nothing is measured except what the JDK counts.
 * @implNote The JDK's worker calls {@code getThreadFactory()} while it is being made. It gets a factory that wraps a
 *     measuring worker around it. Every other caller gets the factory that was set.
 */
@SuppressWarnings("doclint:missing") // most parameters are those of the JDK's class
public class InstrumentedThreadPoolExecutor extends ThreadPoolExecutor implements InstrumentedPool {

    final Instruments instruments;

    /** As {@link ThreadPoolExecutor#ThreadPoolExecutor(int, int, long, TimeUnit, BlockingQueue)}. */
    public InstrumentedThreadPoolExecutor(
            int corePoolSize,
            int maximumPoolSize,
            long keepAliveTime,
            TimeUnit unit,
            BlockingQueue<Runnable> workQueue) {
        this(corePoolSize, maximumPoolSize, keepAliveTime, unit, workQueue, Executors.defaultThreadFactory());
    }

    /** As {@link ThreadPoolExecutor#ThreadPoolExecutor(int, int, long, TimeUnit, BlockingQueue, ThreadFactory)}. */
    public InstrumentedThreadPoolExecutor(
            int corePoolSize,
            int maximumPoolSize,
            long keepAliveTime,
            TimeUnit unit,
            BlockingQueue<Runnable> workQueue,
            ThreadFactory threadFactory) {
        this(corePoolSize, maximumPoolSize, keepAliveTime, unit, workQueue, threadFactory, new AbortPolicy());
    }

    /**
     * As {@link ThreadPoolExecutor#ThreadPoolExecutor(int, int, long, TimeUnit, BlockingQueue,
     * RejectedExecutionHandler)}.
     */
    public InstrumentedThreadPoolExecutor(
            int corePoolSize,
            int maximumPoolSize,
            long keepAliveTime,
            TimeUnit unit,
            BlockingQueue<Runnable> workQueue,
            RejectedExecutionHandler handler) {
        this(corePoolSize, maximumPoolSize, keepAliveTime, unit, workQueue, Executors.defaultThreadFactory(), handler);
    }

    /**
     * As {@link ThreadPoolExecutor#ThreadPoolExecutor(int, int, long, TimeUnit, BlockingQueue, ThreadFactory,
     * RejectedExecutionHandler)}.
     */
    public InstrumentedThreadPoolExecutor(
            int corePoolSize,
            int maximumPoolSize,
            long keepAliveTime,
            TimeUnit unit,
            BlockingQueue<Runnable> workQueue,
            ThreadFactory threadFactory,
            RejectedExecutionHandler handler) {
        this(corePoolSize, maximumPoolSize, keepAliveTime, unit, workQueue, threadFactory, handler, null, List.of());
    }

    private InstrumentedThreadPoolExecutor(
            int corePoolSize,
            int maximumPoolSize,
            long keepAliveTime,
            TimeUnit unit,
            BlockingQueue<Runnable> workQueue,
            ThreadFactory threadFactory,
            RejectedExecutionHandler handler,
            @Nullable String givenName,
            List<PoolListener> listeners) {
        super(
                corePoolSize,
                maximumPoolSize,
                keepAliveTime,
                unit,
                workQueue,
                threadFactory,
                SaturationGate.inFrontOf(handler));
        DiscoveredObservers.load();
        Class<?> base = InstrumentedThreadPoolExecutor.class;
        this.instruments = new Instruments(this, base, workQueue, handler, givenName, listeners);
        PoolRegistry.announceCreated(this, instruments.name);
    }

    /**
     * For subclasses: a pool with the builder's settings. The builder has one size; for others call
     * {@link #setMaximumPoolSize}, {@link #setKeepAliveTime} and {@link #allowCoreThreadTimeOut}.
     *
     * @param builder the builder, not null; later changes of the builder do not change this pool
     */
    protected InstrumentedThreadPoolExecutor(Builder builder) {
        this(
                builder.size,
                builder.size,
                0,
                TimeUnit.NANOSECONDS,
                Builder.newQueue(builder.queueCapacity),
                builder.threads(),
                builder.whenSaturated,
                builder.name,
                builder.listeners);
    }

    /** For {@link InstrumentedExecutors}: a pool with a given name. */
    static InstrumentedThreadPoolExecutor create(
            int core,
            int maximum,
            long keepAliveSeconds,
            BlockingQueue<Runnable> queue,
            ThreadFactory threads,
            @Nullable String name) {
        return new InstrumentedThreadPoolExecutor(
                core, maximum, keepAliveSeconds, TimeUnit.SECONDS, queue, threads, new AbortPolicy(), name, List.of());
    }

    /**
     * Makes a builder with the defaults: as many threads as processors, a queue of 1,024, and submitters wait while the
     * queue is full. The pool's threads are called {@code name-1}, {@code name-2}, …
     *
     * @param name the name under which the pool is found and reported; if another live pool has the name, this one
     *     becomes {@code name#2}
     * @return a new builder
     * @throws NullPointerException if the name is null
     * @throws IllegalArgumentException if the name is blank, or has more than 200 characters
     */
    public static Builder named(String name) {
        Builder builder = new Builder(Preconditions.poolName("name", name));
        DiscoveredObservers.load();
        return builder;
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
    public List<WorkerState> workers() {
        return instruments.workerStates();
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
    public boolean hasMade(Future<?> future) {
        return future instanceof MeasuredFutureTask<?> task && task.isOf(instruments.failures);
    }

    // ---- ThreadPoolExecutor ----

    @Override
    public void execute(Runnable command) {
        TaskBoundary boundary = instruments.boundary;
        if (boundary.isStaffed(getMaximumPoolSize())) {
            super.execute(command);
        } else {
            executeObserved(command, boundary);
        }
    }

    /** Not virtual, for a saturation policy whose task has passed a subclass's {@code execute} already. */
    final void executeAsIs(Runnable task) {
        executeObserved(task, instruments.boundary);
    }

    private void executeObserved(Runnable command, TaskBoundary boundary) {
        if (command == null) {
            super.execute(command); // throws the JDK's exception, whose message depends on the JDK's version
            return;
        }
        Submission outer = Submission.current();
        boundary.submitting(command);
        boolean returned = false;
        try {
            super.execute(command);
            returned = true;
        } finally {
            try {
                boundary.submitted(command, returned);
            } catch (Error e) { // the task may be accepted, and its submitter would take it for refused
                Submission.unwind(outer);
                instruments.missesTasks();
            }
        }
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> callable) {
        return new MeasuredFutureTask<>(instruments.failures, callable);
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Runnable runnable, T value) {
        return new MeasuredFutureTask<>(instruments.failures, runnable, value);
    }

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
        } catch (Error e) { // thrown on, it would end the worker
            instruments.missesTasks();
        }
    }

    /** Returns the factory that was set. */
    @Override
    public ThreadFactory getThreadFactory() {
        ThreadFactory set = super.getThreadFactory();
        boolean isUnextended = getClass() == InstrumentedThreadPoolExecutor.class; // a subclass may ask within execute
        return isUnextended && Submission.FirstTask.noteRequestForFactory(this)
                ? instruments.factoryForWorker(set)
                : instruments.factoryForCaller(CallerWalker.nameOfCaller(), set);
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

    @Override
    public void setCorePoolSize(int corePoolSize) {
        try {
            super.setCorePoolSize(corePoolSize);
        } finally {
            instruments.boundary.sizeChanged(); // the size has changed, even if the thread factory threw afterwards
        }
    }

    @Override
    public void setMaximumPoolSize(int maximumPoolSize) {
        super.setMaximumPoolSize(maximumPoolSize);
        instruments.boundary.sizeChanged();
    }

    @Override
    public boolean remove(Runnable task) {
        boolean removed = super.remove(task);
        if (removed) {
            instruments.boundary.removed(task);
        }
        return removed;
    }

    /** Takes one pass over a queue of this library. */
    @Override
    public void purge() {
        instruments.boundary.purge();
        super.purge();
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

    /**
     * Builds a pool. Not thread-safe. A builder may be used again; later changes do not change the pools that it built.
     * The pools share the thread factory, handler and listeners. No argument may be null.
     */
    @SuppressWarnings("doclint:missing") // all setters return this builder
    public static final class Builder {

        static final int DEFAULT_QUEUE_CAPACITY = 1_024;
        static final int UNBOUNDED = -1;

        private final String name;
        private final List<PoolListener> listeners = new ArrayList<>();
        private int size = Runtime.getRuntime().availableProcessors();
        private int queueCapacity = DEFAULT_QUEUE_CAPACITY;
        private RejectedExecutionHandler whenSaturated = BlockingWaitPolicy.forever();
        private @Nullable ThreadFactory threadFactory;

        private Builder(String name) {
            this.name = name;
        }

        /**
         * Sets how many threads the pool has: core and maximum alike. Default: as many as processors.
         *
         * @throws IllegalArgumentException if it is smaller than 1
         */
        public Builder size(int threads) {
            size = Preconditions.atLeast("size", 1, threads);
            return this;
        }

        /**
         * Sets how many tasks may wait. Default: 1,024. With 0 a task is handed directly to a free thread; if there is
         * none, the pool is saturated. Memory for up to 65,536 places is reserved at once, 12 bytes each.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder queueCapacity(int tasks) {
            queueCapacity = Preconditions.atLeast("queueCapacity", 0, tasks);
            return this;
        }

        /** Lets any number of tasks wait. The pool is then never saturated, and memory is the only limit. */
        public Builder unboundedQueue() {
            queueCapacity = UNBOUNDED;
            return this;
        }

        /**
         * Sets what to do with a task when the queue is full and all threads are busy: a {@link BlockingWaitPolicy}, a
         * policy of the JDK, or your own. Default: {@link BlockingWaitPolicy#forever()}.
         */
        public Builder whenSaturated(RejectedExecutionHandler handler) {
            whenSaturated = Objects.requireNonNull(handler, "whenSaturated must not be null");
            return this;
        }

        /**
         * Sets the factory that makes and names the threads. Default: threads called {@code name-1}, {@code name-2}, …,
         * of normal priority, which are not daemons.
         */
        public Builder threadFactory(ThreadFactory factory) {
            threadFactory = Objects.requireNonNull(factory, "threadFactory must not be null");
            return this;
        }

        /** Adds a listener to the pool's events. */
        public Builder listener(PoolListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener must not be null"));
            return this;
        }

        /** Makes the pool. No thread is started before the first task is submitted. */
        public InstrumentedThreadPoolExecutor build() {
            return new InstrumentedThreadPoolExecutor(this);
        }

        private ThreadFactory threads() {
            return threadFactory == null ? PoolNames.threadFactory(name) : threadFactory;
        }

        /** {@return a queue of that capacity: {@link #UNBOUNDED}, 0 for a direct hand-off, or a number of tasks} */
        static BlockingQueue<Runnable> newQueue(int capacity) {
            return switch (capacity) {
                case UNBOUNDED -> WorkQueue.unbounded();
                case 0 -> new SynchronousQueue<>(true);
                default -> WorkQueue.bounded(capacity);
            };
        }
    }
}
