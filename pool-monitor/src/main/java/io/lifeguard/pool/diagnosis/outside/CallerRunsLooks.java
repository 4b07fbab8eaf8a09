package io.lifeguard.pool.diagnosis.outside;

import io.lifeguard.pool.PoolSnapshot.Caller;
import io.lifeguard.pool.os.LiveThreads;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Finds threads that run the tasks of an external pool themselves, because its handler for rejected tasks lets them.
 * Guarded by the pool that it belongs to.
 *
 * <p>{@link CallerFrames} knows their stacks. The task must begin with the same method as one that a worker of this
 * pool runs.
 *
 * <p>A search looks at the stacks of some threads, once a second. A thread that was found once is looked at each time.
 * The time of its runs is estimated from these looks.
 */
final class CallerRunsLooks {

    private static final int MOST_SEARCHED = 32;
    private static final int MOST_CALLERS = 8;
    private static final int MOST_WORKERS = 8;
    private static final long BETWEEN_SEARCHES = TimeUnit.SECONDS.toNanos(1);

    /** A look stands for no longer than that, in case that the next look comes late. */
    private static final long LONGEST_STEP = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier clock;
    private final Map<Thread, Seen> callers = new WeakHashMap<>();
    private long lastSearch;
    private boolean searched;
    private int next; // where the next search begins

    CallerRunsLooks(LongSupplier clock) {
        this.clock = clock;
    }

    /** Looks once. Does nothing for a handler of the JDK's that runs no task. */
    void look(ThreadPoolExecutor pool, List<Thread> workers) {
        RejectedExecutionHandler handler = pool.getRejectedExecutionHandler();
        if (handler instanceof ThreadPoolExecutor.AbortPolicy
                || handler instanceof ThreadPoolExecutor.DiscardPolicy
                || handler instanceof ThreadPoolExecutor.DiscardOldestPolicy
                || workers.isEmpty()) {
            return;
        }
        int idle = Math.max(0, pool.getPoolSize() - pool.getActiveCount());
        long now = clock.getAsLong();
        callers.forEach(
                (thread, seen) -> seen.look(now, idle, taskRunByCaller(thread).isPresent()));
        if (callers.size() < MOST_CALLERS && (!searched || now - lastSearch >= BETWEEN_SEARCHES)) {
            searched = true;
            lastSearch = now;
            search(workers, now);
        }
    }

    private void search(List<Thread> workers, long now) {
        Set<Thread> known = new HashSet<>(workers);
        known.addAll(callers.keySet());
        known.add(Thread.currentThread());
        List<Thread> others = LiveThreads.all().stream()
                .filter(thread -> !known.contains(thread))
                .toList();
        for (int i = 0; i < Math.min(MOST_SEARCHED, others.size()); i++) {
            Thread thread = others.get(Math.floorMod(next++, others.size()));
            String task = taskRunByCaller(thread).orElse("");
            if (!task.isEmpty() && isRunByOneOf(workers, task)) {
                callers.put(thread, new Seen(thread.getName(), now));
            }
        }
    }

    private static boolean isRunByOneOf(List<Thread> workers, String task) {
        return workers.stream()
                .limit(MOST_WORKERS)
                .anyMatch(worker -> CallerFrames.taskRunByWorker(stack(worker))
                        .filter(task::equals)
                        .isPresent());
    }

    private static Optional<String> taskRunByCaller(Thread thread) {
        return CallerFrames.taskRunByCaller(stack(thread));
    }

    private static List<StackTraceElement> stack(Thread thread) {
        return Arrays.asList(thread.getStackTrace());
    }

    /** {@return the threads that were seen running tasks; their runs are looks, and their time is an estimate} */
    Collection<Caller> callers() {
        return callers.values().stream().map(Seen::caller).toList();
    }

    /** What was seen of one caller. */
    private static final class Seen {
        private final String name;
        private long last;
        private long runs;
        private long nanos;
        private double idleNanos; // summed over the idle workers

        Seen(String name, long now) {
            this.name = name;
            this.last = now;
            this.runs = 1;
        }

        void look(long now, int idle, boolean runs) {
            long step = Math.max(0, Math.min(LONGEST_STEP, now - last));
            last = now;
            if (runs) {
                this.runs++;
                nanos += step;
                idleNanos += (double) step * idle;
            }
        }

        Caller caller() {
            return new Caller(name, runs, Duration.ofNanos(nanos), nanos == 0 ? 0 : idleNanos / nanos);
        }
    }
}
