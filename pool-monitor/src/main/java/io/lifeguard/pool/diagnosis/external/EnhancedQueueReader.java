package io.lifeguard.pool.diagnosis.external;

import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code EnhancedQueueExecutor} of JBoss Threads, on which Quarkus and WildFly run their tasks. Thread-safe.
 *
 * <p>It needs no library at compile time: it calls the executor's public methods. Unless the system property
 * {@code jboss.threads.eqe.statistics} is {@code true}, the executor counts neither completed tasks nor busy threads.
 * Then the former are unknown, and the busy threads are those that do not wait for a task.
 */
final class EnhancedQueueReader implements PoolReader<Executor> {

    private static final String TYPE = "org.jboss.threads.EnhancedQueueExecutor";

    private final MethodHandle size;
    private final MethodHandle active;
    private final MethodHandle queued;
    private final MethodHandle completed;
    private final MethodHandle coreSize;
    private final MethodHandle maximumSize;
    private final MethodHandle mostQueued;
    private final MethodHandle threads;

    private EnhancedQueueReader(Class<?> type) {
        this.size = PublicGetters.of(type, "getPoolSize", int.class);
        this.active = PublicGetters.of(type, "getActiveCount", int.class);
        this.queued = PublicGetters.of(type, "getQueueSize", int.class);
        this.completed = PublicGetters.of(type, "getCompletedTaskCount", long.class);
        this.coreSize = PublicGetters.of(type, "getCorePoolSize", int.class);
        this.maximumSize = PublicGetters.of(type, "getMaximumPoolSize", int.class);
        this.mostQueued = PublicGetters.of(type, "getMaximumQueueSize", int.class);
        this.threads = PublicGetters.of(type, "getRunningThreads", Thread[].class);
    }

    /**
     * {@return a reader of such executors}
     *
     * @throws IllegalArgumentException if it is of another type, for instance a wrapper, or too old to be read
     */
    static PoolReader<Executor> of(Executor executor) {
        Class<?> type = type(executor);
        if (type == null) {
            throw new IllegalArgumentException("executor must be an " + TYPE + " (was "
                    + executor.getClass().getName() + ")");
        }
        return new EnhancedQueueReader(type);
    }

    private static @Nullable Class<?> type(Executor executor) {
        return PublicGetters.superclass(Objects.requireNonNull(executor, "executor must not be null"), TYPE);
    }

    @Override
    public PoolGauges read(Executor executor) {
        try {
            int inQueue = (int) queued.invokeExact((Object) executor);
            int mostInQueue = (int) mostQueued.invokeExact((Object) executor);
            int busy = (int) active.invokeExact((Object) executor);
            long ended = (long) completed.invokeExact((Object) executor);
            return new PoolGauges(
                    (int) size.invokeExact((Object) executor),
                    busy >= 0 ? busy : busyThreads(executor),
                    Math.max(0, inQueue),
                    ended >= 0 ? ended : PoolGauges.UNKNOWN,
                    (int) coreSize.invokeExact((Object) executor),
                    (int) maximumSize.invokeExact((Object) executor),
                    mostInQueue == Integer.MAX_VALUE ? Integer.MAX_VALUE : Math.max(0, mostInQueue - inQueue));
        } catch (Throwable e) {
            throw PublicGetters.unexpected(e);
        }
    }

    /** A thread that waits for a task is parked with the executor as its blocker. */
    private int busyThreads(Executor executor) {
        return (int) workers(executor).stream()
                .filter(thread -> LockSupport.getBlocker(thread) != executor)
                .count();
    }

    @Override
    public List<Thread> workers(Executor executor) {
        try {
            return Arrays.asList((Thread[]) threads.invokeExact((Object) executor));
        } catch (Throwable e) {
            throw PublicGetters.unexpected(e);
        }
    }
}
