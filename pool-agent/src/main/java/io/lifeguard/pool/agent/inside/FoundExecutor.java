package io.lifeguard.pool.agent.inside;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/** An executor that the agent has found, and the threads that led to it. Thread-safe; holds both weakly. */
final class FoundExecutor {

    /** Pools of the library, of whatever version: they are watched by the monitor that comes with them. */
    private static final String INSTRUMENTED = "io.lifeguard.pool.";

    /** What the thread factories of the JDK and of Jakarta's servers append, from the last to the first. */
    private static final List<String> OF_FACTORIES = List.of("-thread", "-Thread", "-managedThreadFactory");

    private final WeakReference<Executor> executor;
    private final String name;

    // Added to by the search's thread. A stale read misses a thread that has just started.
    private final List<WeakReference<Thread>> threads = new CopyOnWriteArrayList<>();

    private FoundExecutor(Executor executor, String name) {
        this.executor = new WeakReference<>(executor);
        this.name = name;
    }

    /** An executor that is called after one of its threads. The number of a single thread is that of the executor. */
    static FoundExecutor of(Executor executor, String threadName) {
        String name = nameOf(threadName);
        boolean isOwnNumber = executor instanceof TimerExecutor
                || (isSingle(executor) && withoutNumber(threadName).equals(name));
        return new FoundExecutor(executor, isOwnNumber ? threadName : name);
    }

    private static boolean isSingle(Executor executor) {
        return executor instanceof ThreadPoolExecutor pool
                && (pool instanceof ScheduledThreadPoolExecutor ? pool.getCorePoolSize() : pool.getMaximumPoolSize())
                        == 1;
    }

    /**
     * {@return what the threads' names have in common: {@code pool-3} for {@code pool-3-thread-1}, {@code http-exec}
     * for {@code http-exec-12}, {@code concurrent/orders} for {@code concurrent/orders-managedThreadFactory-Thread-1},
     * and the whole name where it has no number at its end}
     */
    static String nameOf(String threadName) {
        String common = withoutNumber(threadName);
        for (String end : OF_FACTORIES) {
            if (common.endsWith(end) && common.length() > end.length()) {
                common = common.substring(0, common.length() - end.length());
            }
        }
        return common.isBlank() ? "pool of thread " + threadName : common;
    }

    private static String withoutNumber(String threadName) {
        int length = threadName.length();
        while (length > 0 && isNumberOrSeparator(threadName.charAt(length - 1))) {
            length--;
        }
        return threadName.substring(0, length);
    }

    private static boolean isNumberOrSeparator(char c) {
        return Character.isDigit(c) || "-_#.:[]() ".indexOf(c) >= 0;
    }

    List<WeakReference<Thread>> threads() {
        return threads;
    }

    String name() {
        return name;
    }

    /** {@return the threads that live, in a new list} */
    List<Thread> living() {
        List<Thread> living = new ArrayList<>();
        threads.removeIf(each -> {
            Thread thread = each.get();
            return thread == null || !thread.isAlive();
        });
        for (WeakReference<Thread> each : threads) {
            Thread thread = each.get();
            if (thread != null) {
                living.add(thread);
            }
        }
        return living;
    }

    /** Has the monitor watch it, unless it measures itself. */
    void watch(PoolMonitor monitor) {
        Executor found = executor.get();
        if (found instanceof TimerExecutor timer) {
            monitor.watch(timer, name, new TimerExecutor.Reader());
            return;
        }
        if (found == null || found.getClass().getName().startsWith(INSTRUMENTED)) {
            return;
        }
        Neighbours.Setting setting = ServerSettings.of(found, name);
        if (setting != null) {
            Neighbours.put(name, setting);
        }
        if (found instanceof ThreadPoolExecutor pool) {
            monitor.watch(pool, name, WorkerFields::threads);
        } else if (found instanceof ForkJoinPool pool) {
            monitor.watch(pool, name);
        } else {
            monitor.watch(found, name, ExecutorKind.reader(found, this));
        }
    }
}
