package io.lifeguard.pool.diagnosis.external;

import io.lifeguard.pool.os.LiveThreads;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads a group of Netty's {@code DefaultEventExecutor}s by their public methods, so that Netty is not needed at
 * compile time. Thread-safe. Each executor of the group is one thread with a queue of its own. A thread that waits for
 * a task is parked with a condition as its blocker. Tasks that wait for their time are not counted.
 */
final class NettyReader implements PoolReader<Executor> {

    /** A thread starts with the first task of its executor. Until all are known, every twentieth call searches. */
    private static final int CALLS_BETWEEN_SEARCHES = 19;

    private final Method pendingTasks;
    private final Method inEventLoop;

    // guarded by this
    private List<WeakReference<Thread>> found = List.of();
    private int callsToWait;

    private NettyReader(Method pendingTasks, Method inEventLoop) {
        this.pendingTasks = pendingTasks;
        this.inEventLoop = inEventLoop;
    }

    /** {@return whether it is such a group, by the names of its executors' classes} */
    static boolean canRead(Executor group) {
        List<Object> executors = executors(group);
        return !executors.isEmpty() && isExecutor(executors.get(0).getClass());
    }

    private static boolean isExecutor(Class<?> type) {
        return type.getName().endsWith("netty.util.concurrent.DefaultEventExecutor"); // also where it is shaded
    }

    /** {@return a reader of a group that {@link #canRead}} */
    static NettyReader of(Executor group) {
        Class<?> type = executors(group).get(0).getClass();
        try {
            return new NettyReader(type.getMethod("pendingTasks"), type.getMethod("inEventLoop", Thread.class));
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(type.getName() + " is too old to be read", e);
        }
    }

    private static List<Object> executors(Executor group) {
        List<Object> executors = new ArrayList<>();
        if (group instanceof Iterable<?> each) {
            each.forEach(executors::add);
        }
        return executors;
    }

    @Override
    public PoolGauges read(Executor group) {
        List<Object> executors = executors(group);
        int queued = 0;
        int behind = 0; // executors whose thread has a task, because others wait
        for (Object executor : executors) {
            int pending = (Integer) call(pendingTasks, executor);
            queued += pending;
            behind += pending > 0 ? 1 : 0;
        }
        List<Thread> threads = workers(group);
        int busy = 0;
        for (Thread thread : threads) {
            busy += LockSupport.getBlocker(thread) instanceof Condition ? 0 : 1;
        }
        int size = executors.size();
        return new PoolGauges(
                threads.size(),
                Math.min(threads.size(), Math.max(busy, behind)),
                queued,
                PoolGauges.UNKNOWN,
                size,
                size,
                Integer.MAX_VALUE);
    }

    @Override
    public synchronized List<Thread> workers(Executor group) {
        List<Object> executors = executors(group);
        List<Thread> alive = LiveThreads.among(found);
        if (alive.size() < executors.size() && callsToWait-- <= 0) {
            callsToWait = CALLS_BETWEEN_SEARCHES;
            alive = LiveThreads.all().stream()
                    .filter(thread -> executors.stream().anyMatch(each -> (Boolean) call(inEventLoop, each, thread)))
                    .toList();
            found = alive.stream().map(WeakReference::new).toList();
        }
        return alive;
    }

    private static Object call(Method method, Object of, Object... arguments) {
        try {
            return method.invoke(of, arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(method + " cannot be called", e);
        }
    }
}
