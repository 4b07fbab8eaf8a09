package io.lifeguard.pool.queue;

import io.lifeguard.pool.queue.WorkQueue.Admission;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the threads that wait for room in a bounded queue, and serves them in the order of their arrival. Thread-safe.
 */
final class WaitingProducers {
    /*
     * A FIFO list under a lock. A waiting thread leaves its task here, and a thread that makes room moves tasks from
     * here into the queue, in order, and wakes the threads: a producer that wakes up has been served already, and no
     * other can overtake it. While a producer waits, a newcomer's offer() fails, so room goes to the waiting producers.
     *
     *   count     how many wait; changes with the list, under the lock; read without it by every producer and consumer
     *   batch     room is given out once so many slots are free: waking a producer for every slot costs more than the
     *             task. 1 = at once
     *   overdue   the first in line has waited a grace period since it became first: hysteresis off until a producer is
     *             served. So a consumer that is stuck behind a long task delays a producer by that period at most.
     *   Waiter.outcome   null = waiting; set once, under the lock; the task is in the queue if and only if ACCEPTED.
     *
     * Why no producer waits in front of free slots. A producer enters itself (count, volatile) and then reads the head;
     * a consumer moves the head (CAS) and then reads the count. In the one order of all volatile accesses one of them
     * sees the other, and whichever does calls serve(). The same holds for a change of batch or overdue, which is
     * written before serve() is called, and for serve() itself: it only tries the lock, so that no worker ever waits
     * for it; a failed attempt precedes the holder's unlocking, and every holder looks at the queue again after
     * unlocking (all of them call serve()). With hysteresis free slots below the batch are left alone; then the first
     * in line is parked with a time limit, sets overdue when that is over, and calls serve(). Who becomes first is
     * woken, to park in that manner; so is the first when the batch rises from 1.
     */
    private static final long GRACE_NANOS = 1_000_000;

    private final WorkQueue queue;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Waiter first; // written under the lock
    private @Nullable Waiter last; // guarded by lock
    private volatile int count; // written under the lock
    private volatile int batch = 1; // written by any thread
    private volatile boolean overdue; // written under the lock
    private volatile long releases; // written under the lock

    WaitingProducers(WorkQueue queue) {
        this.queue = queue;
    }

    private static final class Waiter {
        final Thread thread = Thread.currentThread();
        final boolean releasable;

        @Nullable
        Runnable task; // guarded by lock; null once there is an outcome

        volatile @Nullable Admission outcome; // written under the lock

        @Nullable
        Waiter before; // guarded by lock

        @Nullable
        Waiter behind; // guarded by lock; after the unlinking, links those that one call has to wake

        Waiter(Runnable task, boolean releasable) {
            this.task = task;
            this.releasable = releasable;
        }
    }

    int count() {
        return count;
    }

    int batch() {
        return batch;
    }

    long releases() {
        return releases;
    }

    /** Sets the hysteresis; see the essay. */
    void batch(int slots) {
        int before = batch;
        if (slots != before) {
            batch = slots;
            if (before == 1) {
                wake(first); // it is parked without a limit, if a producer waits
            } else if (slots < before) {
                roomMade(); // there may be enough of it now
            }
        }
    }

    /**
     * Called by a consumer that has moved the head to this position. It looks no further: each thread that has moved
     * the head since then calls this too, and all but one of them are spared the head's cache line, which the others
     * are writing.
     */
    void roomMade(long head) {
        if (count > 0 && queue.hasRoom(overdue ? 1 : batch, head)) {
            roomMade();
        }
    }

    /** Called by a thread that removed something else from the queue, or changed which producer is served. */
    void roomMade() {
        if (count > 0) {
            try {
                serve();
            } catch (OutOfMemoryError e) {
                // No memory for a segment. What was removed must not be lost by throwing;
                // the first in line tries itself.
                wake(first);
            }
        }
    }

    /** Ends the wait of every thread in {@link WorkQueue#admit}. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    void release() {
        Waiter released = null;
        lock.lock();
        try {
            releases++;
            for (Waiter waiter = last; waiter != null; ) {
                Waiter before = waiter.before;
                if (waiter.releasable) {
                    unlink(waiter, Admission.RELEASED);
                    waiter.behind = released;
                    released = waiter;
                }
                waiter = before;
            }
        } finally {
            lock.unlock();
        }
        wakeAll(released);
        wakeNewFirst();
        roomMade();
    }

    /** Waits until the task is in the queue, or the time is over, or, if releasable, a release after the given one. */
    Admission await(Runnable task, long nanos, boolean releasable, long seenReleases) throws InterruptedException {
        long deadline = nanos == Long.MAX_VALUE ? 0 : System.nanoTime() + nanos;
        Waiter waiter = new Waiter(task, releasable);
        if (!enter(waiter, seenReleases)) {
            return Admission.RELEASED;
        }
        try {
            return park(waiter, nanos == Long.MAX_VALUE, deadline);
        } catch (OutOfMemoryError e) {
            if (leave(waiter) == Admission.ACCEPTED) {
                return Admission.ACCEPTED;
            }
            throw e;
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private boolean enter(Waiter waiter, long seenReleases) {
        lock.lock();
        try {
            if (waiter.releasable && releases != seenReleases) {
                return false;
            }
            Waiter before = last;
            waiter.before = before;
            last = waiter;
            if (before == null) {
                first = waiter;
            } else {
                before.behind = waiter;
            }
            count++;
            return true;
        } finally {
            lock.unlock();
            roomMade();
        }
    }

    private Admission park(Waiter waiter, boolean forever, long deadline) throws InterruptedException {
        boolean graceRuns = false;
        long graceEnds = 0;
        for (; ; ) {
            serve();
            Admission outcome = waiter.outcome;
            if (outcome != null) {
                return outcome;
            }
            if (Thread.interrupted()) {
                return interrupted(waiter);
            }
            long now = System.nanoTime();
            long left = forever ? Long.MAX_VALUE : deadline - now;
            if (left <= 0) {
                return leave(waiter);
            }
            if (first == waiter && batch > 1 && !overdue) {
                if (!graceRuns) {
                    graceRuns = true;
                    graceEnds = now + GRACE_NANOS;
                } else if (graceEnds - now <= 0) {
                    hurry(waiter);
                    continue;
                }
                left = Math.min(left, graceEnds - now);
            }
            if (left == Long.MAX_VALUE) {
                LockSupport.park(queue);
            } else {
                LockSupport.parkNanos(queue, left);
            }
        }
    }

    private Admission interrupted(Waiter waiter) throws InterruptedException {
        Admission outcome = leave(waiter);
        if (outcome == Admission.TIMED_OUT) {
            throw new InterruptedException();
        }
        Thread.currentThread().interrupt();
        return outcome;
    }

    private void hurry(Waiter waiter) {
        lock.lock();
        try {
            if (first == waiter) {
                overdue = true;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the wait without success, unless it has ended already. Returns how it ended. */
    private Admission leave(Waiter waiter) {
        Admission outcome;
        boolean wasFirst;
        lock.lock();
        try {
            wasFirst = first == waiter;
            outcome = waiter.outcome;
            if (outcome == null) {
                outcome = Admission.TIMED_OUT;
                unlink(waiter, outcome);
            }
        } finally {
            lock.unlock();
        }
        if (wasFirst) {
            wakeNewFirst();
        }
        roomMade();
        return outcome;
    }

    /** Moves waiting tasks into the queue while there is room for them, once there is room enough to begin. */
    private void serve() {
        while (count > 0 && queue.hasRoom(overdue ? 1 : batch) && lock.tryLock()) {
            Waiter served = null;
            Waiter lastServed = null;
            try {
                for (Waiter waiter = first; waiter != null && queue.append(taskOf(waiter)); waiter = first) {
                    unlink(waiter, Admission.ACCEPTED);
                    if (lastServed == null) {
                        served = waiter;
                    } else {
                        lastServed.behind = waiter;
                    }
                    lastServed = waiter;
                }
            } finally {
                lock.unlock();
                if (served != null) {
                    queue.idle.taskAdded();
                    wakeAll(served);
                    wakeNewFirst();
                }
            }
        }
    }

    private static Runnable taskOf(Waiter waiter) {
        return Objects.requireNonNull(waiter.task);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private void unlink(Waiter waiter, Admission outcome) {
        Waiter before = waiter.before;
        Waiter behind = waiter.behind;
        if (before == null) {
            first = behind;
            overdue = false;
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
        count--;
        waiter.outcome = outcome;
    }

    private static void wakeAll(@Nullable Waiter chain) {
        for (Waiter waiter = chain; waiter != null; ) {
            Waiter next = waiter.behind;
            waiter.behind = null;
            LockSupport.unpark(waiter.thread);
            waiter = next;
        }
    }

    private void wakeNewFirst() {
        if (batch > 1) {
            wake(first);
        }
    }

    private static void wake(@Nullable Waiter waiter) {
        if (waiter != null) {
            LockSupport.unpark(waiter.thread);
        }
    }
}
