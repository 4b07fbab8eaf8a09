package io.lifeguard.pool.diagnosis.external;

import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code XnioWorker} of JBoss XNIO, on whose worker threads Undertow runs blocking handlers. Thread-safe.
 *
 * <p>It needs no library at compile time: it calls the public methods of the worker and of its MXBean. Its tasks are
 * not counted. Unless the system property {@code jboss.threads.eqe.statistics} is {@code true}, busy threads are those
 * that do not wait for a task.
 */
final class XnioWorkerReader implements PoolReader<Executor> {

    private static final String TYPE = "org.xnio.XnioWorker";
    private static final String BEAN = "org.xnio.management.XnioWorkerMXBean";
    private static final String QUEUE = "org.jboss.threads.EnhancedQueueExecutor";

    private final MethodHandle bean;
    private final MethodHandle size;
    private final MethodHandle active;
    private final MethodHandle queued;
    private final MethodHandle coreSize;
    private final MethodHandle maximumSize;
    private final NamedThreads threads;

    private XnioWorkerReader(Class<?> type, Class<?> beanType, String name) {
        this.bean = PublicGetters.of(type, "getMXBean", beanType);
        this.size = PublicGetters.of(beanType, "getWorkerPoolSize", int.class);
        this.active = PublicGetters.of(beanType, "getBusyWorkerThreadCount", int.class);
        this.queued = PublicGetters.of(beanType, "getWorkerQueueSize", int.class);
        this.coreSize = PublicGetters.of(beanType, "getCoreWorkerPoolSize", int.class);
        this.maximumSize = PublicGetters.of(beanType, "getMaxWorkerPoolSize", int.class);
        this.threads = new NamedThreads(name + " task-");
    }

    static boolean canRead(Executor executor) {
        return type(executor) != null;
    }

    /**
     * {@return a reader of that worker}
     *
     * @throws IllegalArgumentException if it is of another type
     */
    static PoolReader<Executor> of(Executor worker) {
        Class<?> type = type(worker);
        if (type == null) {
            throw new IllegalArgumentException(
                    "worker must be an " + TYPE + " (was " + worker.getClass().getName() + ")");
        }
        try {
            Class<?> beanType = Class.forName(BEAN, false, type.getClassLoader());
            Object name = PublicGetters.of(type, "getName", String.class).invoke((Object) worker);
            return new XnioWorkerReader(type, beanType, String.valueOf(name));
        } catch (Throwable e) {
            throw PublicGetters.unexpected(e);
        }
    }

    private static @Nullable Class<?> type(Executor executor) {
        return PublicGetters.superclass(Objects.requireNonNull(executor, "executor must not be null"), TYPE);
    }

    @Override
    public PoolGauges read(Executor worker) {
        try {
            Object numbers = bean.invoke((Object) worker);
            int busy = (int) active.invokeExact(numbers);
            return new PoolGauges(
                    (int) size.invokeExact(numbers),
                    busy >= 0 ? busy : busyThreads(worker),
                    Math.max(0, (int) queued.invokeExact(numbers)),
                    PoolGauges.UNKNOWN,
                    (int) coreSize.invokeExact(numbers),
                    (int) maximumSize.invokeExact(numbers),
                    Integer.MAX_VALUE);
        } catch (Throwable e) {
            throw PublicGetters.unexpected(e);
        }
    }

    /** A thread that waits for a task is parked with the queue as its blocker. */
    private int busyThreads(Executor worker) {
        return (int)
                workers(worker).stream().filter(thread -> !waitsForTask(thread)).count();
    }

    private static boolean waitsForTask(Thread thread) {
        Object blocker = LockSupport.getBlocker(thread);
        return blocker != null && PublicGetters.superclass(blocker, QUEUE) != null;
    }

    @Override
    public Optional<String> blindness() {
        return threads.doubt();
    }

    @Override
    public List<Thread> workers(Executor worker) {
        try {
            Object numbers = bean.invoke((Object) worker);
            return threads.find((int) size.invokeExact(numbers));
        } catch (Throwable e) {
            throw PublicGetters.unexpected(e);
        }
    }
}
