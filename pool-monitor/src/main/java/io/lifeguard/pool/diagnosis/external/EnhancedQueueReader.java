package io.lifeguard.pool.diagnosis.external;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads the {@code EnhancedQueueExecutor} of JBoss Threads, on which Quarkus and WildFly run their tasks. Thread-safe.
 *
 * <p>It needs no library at compile time: it calls the executor's public methods. Unless the system property
 * {@code jboss.threads.eqe.statistics} is {@code true}, the executor counts neither completed tasks nor busy threads.
 * Then the former are unknown, and the busy threads are those that do not wait for a task.
 */
final class EnhancedQueueReader implements PoolReader<Executor> {

    static final String TYPE = "org.jboss.threads.EnhancedQueueExecutor";

    private final PublicGetters getters;

    private EnhancedQueueReader(Class<?> type) {
        this.getters = new PublicGetters(type);
    }

    /**
     * {@return a reader of such executors}
     *
     * @throws IllegalArgumentException if it is of another type, for instance a wrapper, or too old to be read
     */
    static PoolReader<Executor> of(Executor executor) {
        Class<?> type = PublicGetters.superclass(Objects.requireNonNull(executor, "executor must not be null"), TYPE);
        if (type == null) {
            throw new IllegalArgumentException("executor must be an " + TYPE + " (was "
                    + executor.getClass().getName() + ")");
        }
        EnhancedQueueReader reader = new EnhancedQueueReader(type);
        reader.read(executor); // finds the methods
        reader.workers(executor);
        return reader;
    }

    @Override
    public PoolGauges read(Executor executor) {
        int queued = getters.number(executor, "getQueueSize");
        int mostQueued = getters.number(executor, "getMaximumQueueSize");
        int active = getters.number(executor, "getActiveCount");
        long completed = (long) getters.call(executor, "getCompletedTaskCount", long.class);
        if (mostQueued == Integer.MAX_VALUE && active >= 0 && completed >= 0) { // it does not count an unlimited queue
            long submitted = (long) getters.call(executor, "getSubmittedTaskCount", long.class);
            queued = (int) Math.max(queued, Math.min(Integer.MAX_VALUE, submitted - completed - active));
        }
        return new PoolGauges(
                getters.number(executor, "getPoolSize"),
                active >= 0 ? active : busyThreads(executor),
                Math.max(0, queued),
                completed >= 0 ? completed : PoolGauges.UNKNOWN,
                getters.number(executor, "getCorePoolSize"),
                getters.number(executor, "getMaximumPoolSize"),
                mostQueued == Integer.MAX_VALUE ? Integer.MAX_VALUE : Math.max(0, mostQueued - queued));
    }

    /** A thread that waits for a task is parked with the executor as its blocker. */
    private int busyThreads(Executor executor) {
        return (int) workers(executor).stream()
                .filter(thread -> LockSupport.getBlocker(thread) != executor)
                .count();
    }

    @Override
    public List<Thread> workers(Executor executor) {
        return Arrays.asList((Thread[]) getters.call(executor, "getRunningThreads", Thread[].class));
    }
}
