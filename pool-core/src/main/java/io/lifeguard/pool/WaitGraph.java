package io.lifeguard.pool;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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
 * That worker notices it. A worker first publishes its wait (a volatile store), and then looks at the waits of others.
 * In the one order of all volatile accesses, the last of them sees all (Dekker's scheme, for many threads; CyclesTest
 * attacks it). If two workers see it at the same time, both give up waiting, which does no harm. A wait whose task was
 * accepted counts no longer, even if its thread is still asleep.
 *
 * The worker that notices it leaves its task beyond the capacity of the queue, and goes on. The other waiting workers
 * are promoted: the next room is theirs. Behind other submitters they would wait so long that the queue would exceed
 * its capacity ever more.
 *
 * A worker that ends may leave its pool with waiting workers only. Then the pool lets those that wait for it look
 * again: every cycle that has come about in this way leads through that pool.
 *
 * A worker that is about to start counts as one that does not wait. Its start may still fail, and then no code of this
 * library is called. So whoever relies on it is told to look again soon.
 *
 * The workers of an instrumented pool are known as objects. Nothing tells for which plain executor a thread works, so a
 * plain executor counts as alive. A worker that an Error has kept from being measured counts as one that waits: to break
 * a cycle that is none does no harm.
 */
final class WaitGraph {

    private WaitGraph() {}

    /**
     * What a look at the waits has shown.
     *
     * @param pools the names of the pools whose workers all wait for each other, in alphabetical order, each once;
     *     empty if a worker can make room
     * @param mayChange whether that worker is only about to start
     */
    record Look(List<String> pools, boolean mayChange) {

        static final Look ALIVE = new Look(List.of(), false);
        static final Look STARTING = new Look(List.of(), true);

        boolean isStuck() {
            return !pools.isEmpty();
        }
    }

    /**
     * Tells whether all workers of this pool wait for each other, and for workers of other pools that do, so that none
     * can make room. The caller has published its own wait.
     */
    static Look look(ThreadPoolExecutor pool) {
        if (hasFreeWorker(pool)) {
            return Look.ALIVE; // nearly always
        }
        Set<ThreadPoolExecutor> stuck = reachableFrom(pool);
        boolean isStarting = false;
        boolean changed;
        do {
            changed = false;
            for (ThreadPoolExecutor candidate : stuck.toArray(new ThreadPoolExecutor[0])) {
                Life life = lifeOf(candidate, stuck);
                if (life != Life.STUCK) {
                    changed |= stuck.remove(candidate);
                    isStarting |= life == Life.STARTING;
                }
            }
        } while (changed);
        if (!stuck.contains(pool)) {
            return isStarting ? Look.STARTING : Look.ALIVE;
        }
        List<String> names =
                stuck.stream().map(WaitGraph::nameOf).distinct().sorted().toList();
        stuck.forEach(member -> breakThrough(member, names));
        return new Look(names, false);
    }

    /** Only an instrumented pool is ever found stuck. */
    private static String nameOf(ThreadPoolExecutor pool) {
        return Objects.requireNonNull(Instrumented.of(pool)).name;
    }

    /** The pool is in a cycle: its waiting workers come next. */
    private static void breakThrough(ThreadPoolExecutor pool, List<String> cycle) {
        Instruments instruments = Instrumented.of(pool);
        if (instruments != null) {
            instruments.saturation.foundInCycle(cycle);
        }
        promoteWorkers(pool);
    }

    private static void promoteWorkers(ThreadPoolExecutor pool) {
        Set<PoolWorker> workers = workersOf(pool);
        if (workers != null) {
            for (PoolWorker worker : workers) {
                WaitForRoom wait = worker.waitsIn;
                if (wait != null && wait.isBlocked()) {
                    wait.promote();
                }
            }
        }
    }

    private static boolean hasFreeWorker(ThreadPoolExecutor pool) {
        Set<PoolWorker> workers = workersOf(pool);
        if (workers == null) {
            return true;
        }
        for (PoolWorker worker : workers) {
            if (worker.isAlive() && targetOf(worker) == null) {
                return true;
            }
        }
        return false;
    }

    /** Null if the workers are unknown: of a plain executor, and of one that hides its thread factory. */
    private static @Nullable Set<PoolWorker> workersOf(ThreadPoolExecutor pool) {
        Instruments instruments = Instrumented.of(pool);
        if (instruments == null) {
            return null;
        }
        Set<PoolWorker> workers = instruments.liveWorkerSet(); // empty, too, while the first threads are starting
        return workers.isEmpty() && instruments.isThreadFactoryOverridden ? null : workers;
    }

    private static @Nullable ThreadPoolExecutor targetOf(PoolWorker worker) {
        WaitForRoom wait = worker.waitsIn;
        return wait == null || !wait.isBlocked() ? null : wait.executor;
    }

    private static Set<ThreadPoolExecutor> reachableFrom(ThreadPoolExecutor start) {
        Set<ThreadPoolExecutor> reached = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<ThreadPoolExecutor> open = new ArrayDeque<>();
        reached.add(start);
        for (ThreadPoolExecutor pool = start; pool != null; pool = open.poll()) {
            Set<PoolWorker> workers = workersOf(pool);
            for (PoolWorker worker : workers == null ? Set.<PoolWorker>of() : workers) {
                ThreadPoolExecutor target = targetOf(worker);
                if (target != null && reached.add(target)) {
                    open.add(target);
                }
            }
        }
        return reached;
    }

    private enum Life {
        STUCK,
        STARTING,
        ALIVE
    }

    private static Life lifeOf(ThreadPoolExecutor pool, Set<ThreadPoolExecutor> stuck) {
        int size = pool.getPoolSize();
        if (size == 0) {
            return Life.STARTING; // the next submission starts a worker
        }
        Set<PoolWorker> workers = workersOf(pool);
        if (workers == null) {
            return Life.ALIVE;
        }
        int waiting = 0;
        for (PoolWorker worker : workers) {
            ThreadPoolExecutor target = targetOf(worker);
            if (worker.isAlive() && (target == null || !stuck.contains(target))) {
                return Life.ALIVE;
            }
            waiting++;
        }
        return size > waiting + unmeasured(pool) ? Life.STARTING : Life.STUCK;
    }

    /** How many workers of a pool an Error has kept from being measured. */
    private static int unmeasured(ThreadPoolExecutor pool) {
        Instruments instruments = Instrumented.of(pool);
        return instruments == null ? 0 : instruments.unmeasuredWorkers.get();
    }
}
