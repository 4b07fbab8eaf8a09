package io.lifeguard.pool;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Tells which waits for room would never end: workers of full pools wait for each other in a cycle. Thread-safe; all
 * state is in the waits.
 */
/*
 * A pool is alive if one of its workers does not wait for room, or waits for room in a pool that is alive. All other
 * pools are stuck. Pools that feed each other are stuck at the moment when the last of their workers begins to wait.
 *
 * That worker notices it. A worker first publishes its wait (a volatile store), and then looks at the waits of
 * others. In the one order of all volatile accesses, the last of them sees all. If two workers see it at the same
 * time, both give up waiting, which does no harm. A wait whose task was accepted counts no longer, even if its thread
 * is still asleep.
 *
 * The worker that notices it leaves its task beyond the capacity of the queue, and goes on. The other waiting workers
 * are promoted: the next room is theirs. Behind other submitters they would wait so long that the queue would exceed
 * its capacity ever more.
 *
 * A worker that ends may leave its pool with waiting workers only. Then the pool lets those that wait for it look
 * again: every cycle that has come about in this way leads through that pool.
 *
 * The workers of an instrumented pool are known as objects. Nothing tells for which plain executor a thread works. So a
 * plain executor with n threads is taken for stuck if n waiting threads of plain executors could be its workers.
 */
final class WaitGraph {

    // Waits of threads that work for a plain executor. Written by those threads; a stale read misses the latest, whose
    // thread then sees the reader's wait.
    private static final Set<SubmissionWait> PLAIN = ConcurrentHashMap.newKeySet();

    private static final String NOT_INSTRUMENTED = "an executor that is not instrumented";

    private WaitGraph() {}

    /** A worker begins to wait. */
    static void enter(SubmissionWait wait) {
        PoolWorker worker = wait.worker;
        if (worker == null) {
            PLAIN.add(wait);
        } else {
            worker.waitsIn = wait;
        }
    }

    /** The worker's wait has ended. */
    static void leave(SubmissionWait wait, @Nullable SubmissionWait outer) {
        PoolWorker worker = wait.worker;
        if (worker == null) {
            PLAIN.remove(wait);
        } else {
            worker.waitsIn = outer;
        }
    }

    /**
     * The pools whose workers all wait for each other, so that no worker of this pool can make room. Empty if one can.
     * The caller has published its own wait.
     *
     * @return the names of the pools in alphabetical order, each once
     */
    static List<String> cycleOf(ThreadPoolExecutor pool) {
        if (hasFreeWorker(pool)) {
            return List.of(); // nearly always
        }
        Set<ThreadPoolExecutor> stuck = reachableFrom(pool);
        boolean changed;
        do {
            changed = false;
            for (ThreadPoolExecutor candidate : stuck.toArray(new ThreadPoolExecutor[0])) {
                if (isAlive(candidate, stuck)) {
                    changed |= stuck.remove(candidate);
                }
            }
        } while (changed);
        if (!stuck.contains(pool)) {
            return List.of();
        }
        stuck.forEach(WaitGraph::promoteWorkers);
        return stuck.stream().map(WaitGraph::nameOf).distinct().sorted().toList();
    }

    private static String nameOf(ThreadPoolExecutor pool) {
        Instruments instruments = Instruments.of(pool);
        return instruments == null ? NOT_INSTRUMENTED : instruments.name;
    }

    private static void promoteWorkers(ThreadPoolExecutor pool) {
        Set<PoolWorker> workers = workersOf(pool);
        if (workers != null) {
            for (PoolWorker worker : workers) {
                SubmissionWait wait = worker.waitsIn;
                if (wait != null && wait.isBlocked()) {
                    wait.promote();
                }
            }
        }
    }

    private static boolean hasFreeWorker(ThreadPoolExecutor pool) {
        Set<PoolWorker> workers = workersOf(pool);
        if (workers == null) {
            return pool.getPoolSize() > PLAIN.size();
        }
        for (PoolWorker worker : workers) {
            if (targetOf(worker) == null) {
                return true;
            }
        }
        return false;
    }

    /** Null if the workers are not known: of a plain executor, and of one that hides its thread factory. */
    private static @Nullable Set<PoolWorker> workersOf(ThreadPoolExecutor pool) {
        Instruments instruments = Instruments.of(pool);
        if (instruments == null) {
            return null;
        }
        Set<PoolWorker> workers = instruments.liveWorkerSet(); // empty, too, while the first threads are starting
        return workers.isEmpty() && instruments.isThreadFactoryOverridden ? null : workers;
    }

    private static @Nullable ThreadPoolExecutor targetOf(PoolWorker worker) {
        SubmissionWait wait = worker.waitsIn;
        return wait == null || !wait.isBlocked() ? null : wait.executor;
    }

    private static Set<ThreadPoolExecutor> reachableFrom(ThreadPoolExecutor start) {
        Set<ThreadPoolExecutor> reached = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<ThreadPoolExecutor> open = new ArrayDeque<>();
        reached.add(start);
        for (ThreadPoolExecutor pool = start; pool != null; pool = open.poll()) {
            Set<PoolWorker> workers = workersOf(pool);
            if (workers == null) {
                for (SubmissionWait wait : PLAIN) {
                    if (reached.add(wait.executor)) {
                        open.add(wait.executor);
                    }
                }
            } else {
                for (PoolWorker worker : workers) {
                    ThreadPoolExecutor target = targetOf(worker);
                    if (target != null && reached.add(target)) {
                        open.add(target);
                    }
                }
            }
        }
        return reached;
    }

    private static boolean isAlive(ThreadPoolExecutor pool, Set<ThreadPoolExecutor> stuck) {
        int size = pool.getPoolSize();
        if (size == 0) {
            return true; // the next submission starts a worker
        }
        Set<PoolWorker> workers = workersOf(pool);
        if (workers == null) {
            return size
                    > PLAIN.stream()
                            .filter(wait -> wait.isBlocked() && stuck.contains(wait.executor))
                            .count();
        }
        int waiting = 0;
        for (PoolWorker worker : workers) {
            ThreadPoolExecutor target = targetOf(worker);
            if (target == null || !stuck.contains(target)) {
                return true;
            }
            waiting++;
        }
        return size > waiting; // a worker is about to start
    }
}
