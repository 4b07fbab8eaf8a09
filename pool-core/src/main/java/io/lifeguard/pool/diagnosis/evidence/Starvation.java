package io.lifeguard.pool.diagnosis.evidence;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Delayed;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How many workers wait for tasks that sit in their own pool's queue. Immutable.
 *
 * <p>A thread in {@code FutureTask.get} has the future itself as its
 * {@linkplain java.util.concurrent.locks.LockSupport#getBlocker blocker}. That future is the task in the queue: if it
 * is there, the case is certain. A thread that waits for a {@code CompletableFuture}, a latch or a {@code ForkJoinTask}
 * shows a private object that leads to no task. If the queue holds any task, the case is possible.
 *
 * @param certain workers whose future is in the queue
 * @param possible further workers that wait for something of unknown origin while the queue is not empty
 */
record Starvation(int certain, int possible) {

    static final Starvation NONE = new Starvation(0, 0);

    /** Of a longer queue only the front is searched. */
    private static final int MOST_TASKS = 10_000;

    /**
     * Compares what workers wait for with what is in the queue.
     *
     * @param awaited for each worker that waits for a result, the object it is parked on; null when it is not known
     * @param pool their pool
     */
    static Starvation of(List<@Nullable Object> awaited, ThreadPoolExecutor pool) {
        if (awaited.isEmpty()) {
            return NONE;
        }
        Set<Object> futures = Collections.newSetFromMap(new IdentityHashMap<>());
        awaited.stream().filter(Starvation::isTask).forEach(futures::add);
        Set<Object> queued = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean anyDue;
        try {
            anyDue = searchQueue(pool, futures, queued);
        } catch (Throwable ignored) { // the queue may be a user's
            return NONE;
        }
        int certain = (int) awaited.stream().filter(queued::contains).count();
        int unknown = (int) awaited.stream().filter(blocker -> !isTask(blocker)).count();
        return new Starvation(certain, anyDue ? unknown : 0);
    }

    /** Adds to {@code queued} the wanted tasks that are in the queue and due, and tells whether any task is due. */
    private static boolean searchQueue(ThreadPoolExecutor pool, Set<Object> futures, Set<Object> queued) {
        boolean anyDue = false;
        int seen = 0;
        for (Runnable task : pool.getQueue()) {
            boolean wanted = futures.contains(task);
            if ((wanted || !anyDue) && isDue(task)) {
                anyDue = true;
                if (wanted) {
                    queued.add(task);
                }
            }
            if (++seen >= MOST_TASKS || (anyDue && queued.size() == futures.size())) {
                break;
            }
        }
        return anyDue;
    }

    /**
     * Whether an executor would queue this. What threads wait on for a {@code CompletableFuture} looks similar, but is
     * private to it.
     */
    private static boolean isTask(@Nullable Object blocker) {
        return blocker instanceof Future<?> && blocker instanceof Runnable && !(blocker instanceof ForkJoinTask<?>);
    }

    /** A task that is not due yet waits for its time, not for a worker. */
    private static boolean isDue(Object task) {
        return !(task instanceof Delayed delayed) || delayed.getDelay(TimeUnit.NANOSECONDS) <= 0;
    }
}
