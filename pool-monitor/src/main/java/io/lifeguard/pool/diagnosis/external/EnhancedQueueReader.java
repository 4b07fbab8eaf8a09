package io.lifeguard.pool.diagnosis.external;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code EnhancedQueueExecutor} of JBoss Threads, on which Quarkus and WildFly run their tasks. Thread-safe.
 *
 * <pre>{@code
 * PoolMonitor.global().watch(executor, "quarkus", EnhancedQueueReader.of(executor));
 * }</pre>
 *
 * <p>It needs no library at compile time: it calls the executor's public methods. Unless the system property {@code
 * jboss.threads.eqe.statistics} is {@code true}, the executor counts neither completed tasks nor busy threads. Then the
 * former are unknown, and the busy threads are those that do not wait for a task.
 */
public final class EnhancedQueueReader implements PoolReader<Executor> {

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
        this.size = getter(type, "getPoolSize", int.class);
        this.active = getter(type, "getActiveCount", int.class);
        this.queued = getter(type, "getQueueSize", int.class);
        this.completed = getter(type, "getCompletedTaskCount", long.class);
        this.coreSize = getter(type, "getCorePoolSize", int.class);
        this.maximumSize = getter(type, "getMaximumPoolSize", int.class);
        this.mostQueued = getter(type, "getMaximumQueueSize", int.class);
        this.threads = getter(type, "getRunningThreads", Thread[].class);
    }

    /**
     * {@return whether it is such an executor}
     *
     * @param executor any executor, not null
     */
    public static boolean canRead(Executor executor) {
        return type(executor) != null;
    }

    /**
     * {@return a reader of such executors}
     *
     * @param executor one of them, not null; the reader does not hold it
     * @throws IllegalArgumentException if it is of another type, for instance a wrapper, or too old to be read
     */
    public static PoolReader<Executor> of(Executor executor) {
        Class<?> type = type(executor);
        if (type == null) {
            throw new IllegalArgumentException("executor must be an " + TYPE + " (was "
                    + executor.getClass().getName() + ")");
        }
        return new EnhancedQueueReader(type);
    }

    private static @Nullable Class<?> type(Executor executor) {
        Objects.requireNonNull(executor, "executor must not be null");
        for (Class<?> each = executor.getClass(); each != null; each = each.getSuperclass()) {
            if (each.getName().equals(TYPE)) {
                return each;
            }
        }
        return null;
    }

    private static MethodHandle getter(Class<?> type, String method, Class<?> result) {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(type, method, MethodType.methodType(result))
                    .asType(MethodType.methodType(result, Executor.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(TYPE + " must have the method " + method + " (found none)", e);
        }
    }

    @Override
    public PoolGauges read(Executor executor) {
        try {
            int inQueue = (int) queued.invokeExact(executor);
            int mostInQueue = (int) mostQueued.invokeExact(executor);
            int busy = (int) active.invokeExact(executor);
            long ended = (long) completed.invokeExact(executor);
            return new PoolGauges(
                    (int) size.invokeExact(executor),
                    busy >= 0 ? busy : busyThreads(executor),
                    Math.max(0, inQueue),
                    ended >= 0 ? ended : PoolGauges.UNKNOWN,
                    (int) coreSize.invokeExact(executor),
                    (int) maximumSize.invokeExact(executor),
                    mostInQueue == Integer.MAX_VALUE ? Integer.MAX_VALUE : Math.max(0, mostInQueue - inQueue));
        } catch (Throwable e) {
            throw unexpected(e);
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
            return Arrays.asList((Thread[]) threads.invokeExact(executor));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Getters declare no exception. */
    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException known ? known : new IllegalStateException(e);
    }
}
