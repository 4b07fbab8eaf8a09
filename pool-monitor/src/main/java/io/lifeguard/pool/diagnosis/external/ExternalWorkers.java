package io.lifeguard.pool.diagnosis.external;

import io.lifeguard.pool.Pools;
import io.lifeguard.pool.WorkerState;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the threads of an external {@code ThreadPoolExecutor}. Guarded by the pool it belongs to.
 *
 * <p>The JDK does not say which pool a thread belongs to, so this is a guess. There is no answer where it would be a
 * bad one. The threads must have names that differ only in a number at the end, and be as many as the pool has workers.
 * One of them must be a worker of some {@code ThreadPoolExecutor}. Where several groups of threads fit, the one whose
 * names begin with the pool's name is taken.
 */
final class ExternalWorkers {

    private static final String WORKER = "java.util.concurrent.ThreadPoolExecutor$Worker";

    /** A search looks at every thread of the process, so not every window has one. */
    private static final int CALLS_BETWEEN_SEARCHES = 5;

    /** A thread of native code may have no Java frame all its life, so searches do not wait for it for long. */
    private static final int MOST_POSTPONED = 3;

    private final String poolName;
    private List<WeakReference<Thread>> found = List.of();
    private int callsToWait;
    private int postponed; // searches without an answer because of threads that had just started

    /** Finds the threads of the pool that is watched under that name. */
    ExternalWorkers(String poolName) {
        this.poolName = poolName;
    }

    /** The workers; empty when they cannot be told from other threads, or not yet. */
    List<Thread> find(int poolSize) {
        List<Thread> alive = alive();
        if (alive.size() != poolSize && callsToWait-- <= 0) {
            callsToWait = CALLS_BETWEEN_SEARCHES;
            found = search(poolSize).stream().map(WeakReference::new).toList();
            alive = alive();
        }
        return alive.size() == poolSize ? alive : List.of();
    }

    private List<Thread> alive() {
        return found.stream()
                .map(WeakReference::get)
                .filter(Objects::nonNull)
                .filter(Thread::isAlive)
                .toList();
    }

    private List<Thread> search(int poolSize) {
        Set<Thread> instrumented = Pools.live().stream()
                .flatMap(pool -> pool.workers().stream())
                .map(WorkerState::thread)
                .collect(Collectors.toSet());
        Map<String, List<Thread>> alike = allThreads().stream()
                .filter(thread -> !instrumented.contains(thread) && isNumbered(thread))
                .collect(Collectors.groupingBy(ExternalWorkers::nameWithoutNumber));
        alike.values().removeIf(threads -> threads.size() != poolSize);
        if (postponed < MOST_POSTPONED && alike.values().stream().anyMatch(threads -> isStarting(threads.get(0)))) {
            postponed++;
            return List.of(); // they may be the workers; the next search can tell
        }
        List<List<Thread>> candidates = alike.values().stream()
                .filter(threads -> isWorker(threads.get(0)))
                .toList();
        return only(candidates)
                .or(() -> only(candidates.stream()
                        .filter(threads -> nameWithoutNumber(threads.get(0)).startsWith(poolName))
                        .toList()))
                .orElse(List.of());
    }

    private static Optional<List<Thread>> only(List<List<Thread>> candidates) {
        return candidates.size() == 1 ? Optional.of(candidates.get(0)) : Optional.empty();
    }

    private static boolean isNumbered(Thread thread) {
        return !nameWithoutNumber(thread).equals(thread.getName());
    }

    private static String nameWithoutNumber(Thread thread) {
        String name = thread.getName();
        int end = name.length();
        while (end > 0 && Character.isDigit(name.charAt(end - 1))) {
            end--;
        }
        return name.substring(0, end);
    }

    private static boolean isWorker(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().equals(WORKER));
    }

    /** {@return whether a thread has not called anything yet} */
    private static boolean isStarting(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .allMatch(frame -> frame.getClassName().equals("java.lang.Thread"));
    }

    /** All platform threads of the process. */
    static List<Thread> allThreads() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        for (@Nullable ThreadGroup parent = group.getParent(); parent != null; parent = parent.getParent()) {
            group = parent;
        }
        Thread[] threads = new Thread[group.activeCount() * 2 + 16]; // room for threads that start meanwhile
        return Arrays.asList(threads).subList(0, group.enumerate(threads));
    }
}
