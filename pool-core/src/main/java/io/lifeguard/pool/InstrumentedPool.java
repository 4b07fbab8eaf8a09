package io.lifeguard.pool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;

/**
 * A pool that measures itself. Every executor of this library implements it. Thread-safe.
 *
 * <p>Hold a pool weakly when you only observe it; {@link Pools} lists the live pools.
 */
public interface InstrumentedPool {

    /**
     * {@return the pool's name, never blank} The builder sets it, or it is derived from the class and line that created
     * the pool ({@code OrderService:42}). Unique among the live pools of this JVM, and stable for the pool's life.
     */
    String name();

    /**
     * {@return an immutable snapshot of all measurements since the pool was created} The difference between two
     * snapshots shows what happened in between. The cost depends on the number of workers, not on the number of tasks
     * that ran.
     */
    PoolSnapshot snapshot();

    /**
     * {@return a new list of the workers as they are now, in no particular order} Empty in pools whose workers cannot
     * be followed: pools with a thread per task. Of a work-stealing pool, the threads are known, but not their tasks.
     */
    default List<WorkerState> workers() {
        return List.of();
    }

    /**
     * {@return how many threads run its tasks, where each task has a thread of its own; 0 in other pools} Includes
     * threads that were started and have not run yet.
     */
    default int threadCount() {
        return 0;
    }

    /**
     * {@return for how many tasks it has started a thread so far, where each task has a thread of its own; 0 in other
     * pools} Cheaper than a snapshot, which says the same.
     */
    default long threadsStarted() {
        return 0;
    }

    /**
     * {@return a new list of some of these threads, in no particular order} Costs as much as the list is long, however
     * many threads there are. Do not keep the list.
     *
     * @param atMost the most threads wanted, not negative
     */
    default List<Thread> threads(int atMost) {
        return List.of();
    }

    /**
     * {@return for how long the task runs that has been running longest, where each task has a thread of its own; zero
     * in other pools, and while no task runs} Looks at 10,000 threads at most.
     */
    default Duration longestRun() {
        return Duration.ZERO;
    }

    /**
     * {@return how often a task was rejected or run by its submitter, or failed without anybody asking why} Cheaper
     * than a snapshot. 0 in pools of other types than a {@code ThreadPoolExecutor}.
     */
    default long troubles() {
        return 0;
    }

    /** {@return how many threads wait for room in the pool now} Cheaper than a snapshot, which says the same. */
    default int waitingSubmitters() {
        return 0;
    }

    /**
     * {@return whether {@code submit} of this pool has made this future, so that its task is queued, runs or has run
     * here; false where that is unknown}
     *
     * @param future any future, not null
     */
    default boolean hasMade(Future<?> future) {
        return false;
    }
}
