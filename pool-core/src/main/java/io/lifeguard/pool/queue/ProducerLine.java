package io.lifeguard.pool.queue;

import io.lifeguard.pool.queue.WorkQueue.Admission;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A linked list of the threads and tasks that wait for room in a bounded queue, in the order of their turns. */
abstract class ProducerLine extends ShortLock {
    /*
     * The list changes under the lock that this class inherits.
     *
     *   count     how many wait; changes with the list; every producer and consumer reads it without the lock
     *   excess    how many waiting tasks have no thread: the queue holds so many more than its capacity. A thread that
     *             must not wait has left them here. There is no room for others until the queue is back at its capacity
     *   overdue   the first in line has waited a grace period since it became first, or has turn 0: hysteresis off
     *             until a producer is served. So a consumer that is stuck behind a long task delays a producer by that
     *             period at most.
     *   Waiter.outcome   null = waiting; set once, under the lock; the task is in the queue if and only if ACCEPTED.
     *   Waiter.turn      the list is in the order of the turns. A submitter that comes back has its former turn. Tasks
     *                    without a thread have turn 0, and so have promoted submitters: workers in a cycle of pools
     *                    that wait for each other. While these wait, one pool would exceed its capacity ever more.
     */

    volatile @Nullable Waiter first; // written under the lock

    @Nullable
    Waiter last; // guarded by lock

    @Nullable
    Waiter lastAhead; // guarded by lock; the last one with turn 0

    volatile int count; // written under the lock
    volatile int excess; // written under the lock
    volatile long excessRemoved; // written under the lock: how many of these were taken out again
    volatile boolean overdue; // written under the lock
    private long turns; // guarded by lock

    static final class Waiter {
        final @Nullable Thread thread; // null: no thread waits for this task
        final @Nullable Place place;
        final long stamp; // when a task without a thread was left here

        @Nullable
        Runnable task; // guarded by lock; null once there is an outcome

        long turn; // guarded by lock
        boolean linked; // guarded by lock
        volatile boolean reviewed; // written under the lock: the producer has to look at its pool
        volatile @Nullable Admission outcome; // written under the lock

        @Nullable
        Waiter before; // guarded by lock

        @Nullable
        Waiter behind; // guarded by lock; after the unlinking, links those that one call has to wake

        Waiter(Runnable task, @Nullable Place place, @Nullable Thread thread, long stamp) {
            this.task = task;
            this.place = place;
            this.thread = thread;
            this.stamp = stamp;
        }

        /** Whether release and review concern it. */
        boolean isReleasable() {
            return place != null;
        }
    }

    final int count() {
        return count;
    }

    /** How many tasks the queue holds beyond its capacity. */
    final int excess() {
        return excess;
    }

    /** How many of these were removed before they got into the queue proper. */
    final long excessRemoved() {
        return excessRemoved;
    }

    /** Makes no call: see {@link ShortLock}. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    final void link(Waiter waiter) {
        Place place = waiter.place;
        Waiter before;
        if (waiter.thread == null || (place != null && place.promoted)) {
            before = lastAhead;
            lastAhead = waiter;
        } else {
            waiter.turn = place == null || place.turn == 0 ? ++turns : place.turn;
            before = last;
            while (before != null && before.turn > waiter.turn) {
                before = before.before;
            }
        }
        if (place != null) {
            place.turn = place.turn == 0 ? waiter.turn : place.turn;
            place.served = false; // it may have been served before, and its task taken out again
        }
        Waiter behind = before == null ? first : before.behind;
        waiter.before = before;
        waiter.behind = behind;
        if (behind == null) {
            last = waiter;
        } else {
            behind.before = waiter;
        }
        if (waiter.thread == null) {
            excess++;
        }
        if (before == null) {
            first = waiter;
            overdue = waiter.turn == 0;
        } else {
            before.behind = waiter;
        }
        waiter.linked = true;
        count++;
    }

    /** Makes no call: see {@link ShortLock}. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    final void unlink(Waiter waiter, @Nullable Admission outcome) {
        Waiter before = waiter.before;
        Waiter behind = waiter.behind;
        if (before == null) {
            first = behind;
            overdue = behind != null && behind.turn == 0;
        } else {
            before.behind = behind;
        }
        if (behind == null) {
            last = before;
        } else {
            behind.before = before;
        }
        waiter.before = null;
        waiter.behind = null;
        waiter.task = null;
        waiter.linked = false;
        if (waiter == lastAhead) {
            lastAhead = before;
        }
        if (waiter.thread == null) {
            excess--;
        }
        count--;
        Place place = waiter.place;
        if (place != null && outcome == Admission.ACCEPTED) {
            place.served = true;
        }
        waiter.outcome = outcome;
    }

    /** Makes no call that could fail between the two. */
    final void relink(Waiter waiter) {
        Runnable task = waiter.task;
        unlink(waiter, null);
        waiter.task = task;
        waiter.turn = 0;
        link(waiter);
    }

    /** The tasks beyond the capacity, in order, with their stamps. */
    final void collectExcess(List<Runnable> tasks, List<Long> stamps) {
        lock();
        try {
            for (Waiter waiter = first; waiter != null; waiter = waiter.behind) {
                Runnable task = waiter.task;
                if (waiter.thread == null && task != null) {
                    tasks.add(task);
                    stamps.add(waiter.stamp);
                }
            }
        } finally {
            locked = FREE;
        }
    }
}
