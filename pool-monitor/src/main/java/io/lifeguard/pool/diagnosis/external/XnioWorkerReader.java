package io.lifeguard.pool.diagnosis.external;

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

    private final PublicGetters worker;
    private final PublicGetters bean;
    private final Class<?> beanType;
    private final NamedThreads threads;

    private XnioWorkerReader(Class<?> type, Class<?> beanType, Executor example) {
        this.worker = new PublicGetters(type);
        this.bean = new PublicGetters(beanType);
        this.beanType = beanType;
        this.threads = new NamedThreads(worker.call(example, "getName", String.class) + " task-");
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
            XnioWorkerReader reader =
                    new XnioWorkerReader(type, Class.forName(BEAN, false, type.getClassLoader()), worker);
            reader.read(worker); // finds the methods
            return reader;
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Class<?> type(Executor executor) {
        return PublicGetters.superclass(Objects.requireNonNull(executor, "executor must not be null"), TYPE);
    }

    @Override
    public PoolGauges read(Executor executor) {
        Object numbers = numbers(executor);
        int active = bean.number(numbers, "getBusyWorkerThreadCount");
        return new PoolGauges(
                bean.number(numbers, "getWorkerPoolSize"),
                active >= 0 ? active : busyThreads(executor),
                Math.max(0, bean.number(numbers, "getWorkerQueueSize")),
                PoolGauges.UNKNOWN,
                bean.number(numbers, "getCoreWorkerPoolSize"),
                bean.number(numbers, "getMaxWorkerPoolSize"),
                Integer.MAX_VALUE);
    }

    private Object numbers(Executor executor) {
        return worker.call(executor, "getMXBean", beanType);
    }

    /** A thread that waits for a task is parked with the queue as its blocker. */
    private int busyThreads(Executor executor) {
        return (int) workers(executor).stream()
                .filter(thread -> !waitsForTask(thread))
                .count();
    }

    private static boolean waitsForTask(Thread thread) {
        Object blocker = LockSupport.getBlocker(thread);
        return blocker != null && PublicGetters.superclass(blocker, EnhancedQueueReader.TYPE) != null;
    }

    @Override
    public Optional<String> blindness() {
        return threads.doubt();
    }

    @Override
    public List<Thread> workers(Executor executor) {
        return threads.find(bean.number(numbers(executor), "getWorkerPoolSize"));
    }
}
