package io.lifeguard.pool.diagnosis.external;

import io.lifeguard.pool.os.NamedThreads;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads an executor of JBoss by its public getters, so that its library is not needed at compile time. Thread-safe.
 *
 * <p>Unless the system property {@code jboss.threads.eqe.statistics} is {@code true}, such an executor counts neither
 * completed tasks nor busy threads. Then the former are unknown, and the busy threads are those that do not wait for a
 * task: a thread that does is parked with the {@value #QUEUE} as its blocker.
 */
abstract sealed class JBossReader implements PoolReader<Executor> {

    static final String QUEUE = "org.jboss.threads.EnhancedQueueExecutor";
    static final String XNIO = "org.xnio.XnioWorker";
    private static final String XNIO_BEAN = "org.xnio.management.XnioWorkerMXBean";

    final Class<?> type; // that has the getters

    private JBossReader(Class<?> type) {
        this.type = type;
    }

    /**
     * {@return a reader of such an executor}
     *
     * @throws IllegalArgumentException if it is of another type, for instance a wrapper, or too old to be read
     */
    static PoolReader<Executor> of(Executor executor) {
        Class<?> queue = superclass(executor, QUEUE);
        Class<?> xnio = superclass(executor, XNIO);
        JBossReader reader;
        if (queue != null) {
            reader = new OfQueue(queue);
        } else if (xnio != null) {
            reader = new OfXnio(xnio, executor);
        } else {
            throw new IllegalArgumentException(
                    "executor must be an " + QUEUE + ", an " + XNIO + " or a DefaultEventExecutorGroup of Netty (was "
                            + executor.getClass().getName() + ")");
        }
        reader.read(executor); // finds the methods
        reader.workers(executor);
        return reader;
    }

    /** {@return the class of that name among an object's class and its superclasses; null if there is none} */
    private static @Nullable Class<?> superclass(Object of, String name) {
        for (Class<?> each = of.getClass(); each != null; each = each.getSuperclass()) {
            if (each.getName().equals(name)) {
                return each;
            }
        }
        return null;
    }

    final int number(Object of, String getter) {
        return ((Number) call(type, of, getter)).intValue();
    }

    static Object call(Class<?> type, Object of, String getter) {
        try {
            return type.getMethod(getter).invoke(of);
        } catch (InvocationTargetException e) { // getters declare no exception
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type.getName() + " must have the method " + getter + " (found none)", e);
        }
    }

    /** {@return the busy threads that it has counted; where it counts none, those that do not wait for a task} */
    final int active(Executor executor, int counted) {
        return counted >= 0
                ? counted
                : (int) workers(executor).stream()
                        .filter(thread -> !waitsForTask(LockSupport.getBlocker(thread)))
                        .count();
    }

    private static boolean waitsForTask(@Nullable Object blocker) {
        return blocker != null && superclass(blocker, QUEUE) != null;
    }

    /** The {@code EnhancedQueueExecutor} of JBoss Threads, on which Quarkus and WildFly run their tasks. */
    private static final class OfQueue extends JBossReader {

        OfQueue(Class<?> type) {
            super(type);
        }

        @Override
        public PoolGauges read(Executor executor) {
            int queued = number(executor, "getQueueSize");
            int mostQueued = number(executor, "getMaximumQueueSize");
            int active = number(executor, "getActiveCount");
            long completed = (long) call(type, executor, "getCompletedTaskCount");
            if (mostQueued == Integer.MAX_VALUE && active >= 0 && completed >= 0) { // an unlimited queue is not counted
                long submitted = (long) call(type, executor, "getSubmittedTaskCount");
                queued = (int) Math.max(queued, Math.min(Integer.MAX_VALUE, submitted - completed - active));
            }
            return new PoolGauges(
                    number(executor, "getPoolSize"),
                    active(executor, active),
                    Math.max(0, queued),
                    completed >= 0 ? completed : PoolGauges.UNKNOWN,
                    number(executor, "getCorePoolSize"),
                    number(executor, "getMaximumPoolSize"),
                    mostQueued == Integer.MAX_VALUE ? Integer.MAX_VALUE : Math.max(0, mostQueued - queued));
        }

        @Override
        public List<Thread> workers(Executor executor) {
            return Arrays.asList((Thread[]) call(type, executor, "getRunningThreads"));
        }
    }

    /** The {@code XnioWorker} of XNIO, on whose worker threads Undertow runs blocking handlers. Counts no tasks. */
    private static final class OfXnio extends JBossReader {

        private final Class<?> worker;
        private final NamedThreads threads;

        OfXnio(Class<?> worker, Executor example) {
            super(bean(worker));
            this.worker = worker;
            this.threads = new NamedThreads(call(worker, example, "getName") + " task-");
        }

        private static Class<?> bean(Class<?> worker) {
            try {
                return Class.forName(XNIO_BEAN, false, worker.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public PoolGauges read(Executor executor) {
            Object numbers = call(worker, executor, "getMXBean");
            return new PoolGauges(
                    number(numbers, "getWorkerPoolSize"),
                    active(executor, number(numbers, "getBusyWorkerThreadCount")),
                    Math.max(0, number(numbers, "getWorkerQueueSize")),
                    PoolGauges.UNKNOWN,
                    number(numbers, "getCoreWorkerPoolSize"),
                    number(numbers, "getMaxWorkerPoolSize"),
                    Integer.MAX_VALUE);
        }

        @Override
        public Optional<String> blindness() {
            return threads.doubt();
        }

        @Override
        public List<Thread> workers(Executor executor) {
            return threads.find(number(call(worker, executor, "getMXBean"), "getWorkerPoolSize"));
        }
    }
}
