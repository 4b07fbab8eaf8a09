package io.lifeguard.pool.agent.inside;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * Reads the threads of a {@link ThreadPoolExecutor} from its fields, which are the same in Java 17 to 25. Stateless.
 *
 * <p>The set of workers is guarded by the executor's lock, which workers take when they start and end and no task
 * takes. Where another thread holds the lock, the threads are unknown for this look.
 */
final class WorkerFields {

    private static final @Nullable Field LOCK = ThreadTask.field(ThreadPoolExecutor.class, "mainLock");
    private static final @Nullable Field WORKERS = ThreadTask.field(ThreadPoolExecutor.class, "workers");
    private static @Nullable Field threadField; // written by any reader, always the same; null until a worker was seen

    private WorkerFields() {}

    /** {@return its threads, in a new list; empty if they are unknown now} */
    static List<Thread> threads(ThreadPoolExecutor pool) {
        List<Thread> threads = new ArrayList<>();
        try {
            if (LOCK == null || WORKERS == null || !(LOCK.get(pool) instanceof Lock lock) || !lock.tryLock()) {
                return threads;
            }
            try {
                if (WORKERS.get(pool) instanceof Set<?> workers) {
                    for (Object worker : workers) {
                        Thread thread = threadOf(worker);
                        if (thread != null) {
                            threads.add(thread);
                        }
                    }
                }
            } finally {
                lock.unlock();
            }
        } catch (IllegalAccessException ignored) { // they were made accessible
            threads.clear();
        }
        return threads;
    }

    private static @Nullable Thread threadOf(Object worker) throws IllegalAccessException {
        Field field = threadField;
        if (field == null) {
            field = ThreadTask.field(worker.getClass(), "thread");
            threadField = field;
        }
        return field == null ? null : (Thread) field.get(worker);
    }
}
