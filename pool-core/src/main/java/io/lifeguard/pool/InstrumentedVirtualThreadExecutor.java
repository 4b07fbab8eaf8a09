package io.lifeguard.pool;

import io.lifeguard.pool.os.VirtualThreads;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Preconditions;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * An executor that runs its tasks on virtual threads, and never on more of them than its limit. Thread-safe. Needs Java
 * 21.
 *
 * <p>Services that move from a pool to a thread per task lose the bound that the pool's size was: ten thousand requests
 * become ten thousand queries to a database that serves ten. This executor keeps the bound. A task that finds the limit
 * reached waits in the queue, as a task, and not as a thread that waits for a permit. So a million submissions with a
 * limit of 100 make at most 100 threads.
 *
 * <p>Saturation, waiting submitters, pools that feed each other, interrupts, shutdown and all measurements are those of
 * an {@link InstrumentedThreadPoolExecutor}: the same code, whose workers are virtual threads. So its findings and its
 * advice on the size apply to the limit. The CPU time of tasks is unknown, because the JVM does not measure it for
 * virtual threads.
 */
/*
 * A virtual thread is kept while tasks wait, and for KEEP_ALIVE_SECONDS after its last one. A new thread for each task
 * costs more than the whole rest of a task's way (docs/decisions.md), and could not be started before the old one has
 * ended without exceeding the limit.
 */
public final class InstrumentedVirtualThreadExecutor extends DelegatedPool<InstrumentedThreadPoolExecutor> {

    /** Long enough for the pauses of a service under load; an idle virtual thread costs some kilobytes. */
    private static final long KEEP_ALIVE_SECONDS = 5;

    private InstrumentedVirtualThreadExecutor(InstrumentedThreadPoolExecutor pool) {
        super(pool);
    }

    /**
     * Makes a builder. Set the {@linkplain Builder#limit limit}; by default the queue holds 1,024 tasks, and submitters
     * wait while it is full.
     *
     * @param name the name under which the executor is found and reported; its threads are called {@code name-1},
     *     {@code name-2}, …; if another live pool has the name, this one becomes {@code name#2}
     * @return a new builder
     * @throws NullPointerException if the name is null
     * @throws IllegalArgumentException if the name is blank, or has more than 200 characters
     */
    public static Builder named(String name) {
        return new Builder(Preconditions.poolName("name", name));
    }

    /** {@return how many threads there are at most} */
    public int limit() {
        return pool().getMaximumPoolSize();
    }

    /**
     * {@return the executor that does the work, for what is declared for a {@link ThreadPoolExecutor}: listeners of
     * findings, metrics, saturation handlers, which are called with it} Changing its size or its thread factory changes
     * this executor.
     */
    public InstrumentedThreadPoolExecutor asThreadPool() {
        return pool();
    }

    /** Names the executor, its limit, and what it does now. */
    @Override
    public String toString() {
        return name() + " (at most " + Counted.of(limit(), "virtual thread") + "): " + pool();
    }

    /**
     * Builds an executor. Not thread-safe. A builder may be used again; later changes do not change the executors that
     * it built. No argument may be null.
     */
    @SuppressWarnings("doclint:missing") // all setters return this builder
    public static final class Builder {

        private static final int NOT_SET = 0;

        private final String name;
        private int limit = NOT_SET;
        private int queueCapacity = InstrumentedThreadPoolExecutor.Builder.DEFAULT_QUEUE_CAPACITY;
        private RejectedExecutionHandler whenSaturated = BlockingWaitPolicy.forever();

        private Builder(String name) {
            this.name = name;
        }

        /**
         * Sets how many tasks may run at a time, each on a virtual thread. There is no default: the right limit is what
         * the things behind the tasks can serve, for example the size of a connection pool.
         *
         * @throws IllegalArgumentException if it is smaller than 1
         */
        public Builder limit(int tasks) {
            limit = Preconditions.atLeast("limit", 1, tasks);
            return this;
        }

        /**
         * Sets how many tasks may wait. Default: 1,024. With 0 a task is handed directly to a free thread; if the limit
         * is reached, the executor is saturated. Memory for up to 65,536 places is reserved at once, 12 bytes each.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder queueCapacity(int tasks) {
            queueCapacity = Preconditions.atLeast("queueCapacity", 0, tasks);
            return this;
        }

        /** Lets any number of tasks wait. The executor is then never saturated, and memory is the only limit. */
        public Builder unboundedQueue() {
            queueCapacity = InstrumentedThreadPoolExecutor.Builder.UNBOUNDED;
            return this;
        }

        /**
         * Sets what to do with a task when the queue is full and the limit is reached: a {@link BlockingWaitPolicy}, a
         * policy of the JDK, or your own. Default: {@link BlockingWaitPolicy#forever()}.
         */
        public Builder whenSaturated(RejectedExecutionHandler handler) {
            whenSaturated = Objects.requireNonNull(handler, "whenSaturated must not be null");
            return this;
        }

        /**
         * Makes the executor. No thread is started before the first task is submitted.
         *
         * @return a new executor
         * @throws IllegalStateException if no limit was set
         * @throws UnsupportedOperationException before Java 21
         */
        public InstrumentedVirtualThreadExecutor build() {
            if (limit == NOT_SET) {
                throw new IllegalStateException("limit must be set; without a limit use"
                        + " InstrumentedExecutors.newVirtualThreadPerTaskExecutor(\"" + name + "\")");
            }
            InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.create(
                    limit,
                    limit,
                    KEEP_ALIVE_SECONDS,
                    InstrumentedThreadPoolExecutor.Builder.newQueue(queueCapacity),
                    VirtualThreads.factory(name),
                    name);
            pool.setRejectedExecutionHandler(whenSaturated);
            pool.allowCoreThreadTimeOut(true);
            return new InstrumentedVirtualThreadExecutor(pool);
        }
    }
}
