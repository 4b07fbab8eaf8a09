package io.lifeguard.pool.queue;

import io.lifeguard.pool.queue.WorkQueue.Admission;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the threads that wait for room in a bounded queue, and serves them in the order of their arrival. Thread-safe.
 */
final class WaitingProducers extends ProducerLine {
    /*
     * A waiting thread leaves its task in the line. A thread that makes room moves tasks from the line into the queue,
     * in order, and wakes their threads. So a producer that wakes up has been served already, and none can overtake it.
     * While a producer waits, a newcomer's offer() fails, so room goes to the waiting producers.
     *
     * Hysteresis: room is given out once a batch of slots is free, because waking a producer for every slot costs more
     * than the task. A batch of 1 means at once.
     *
     * Why no producer waits in front of free slots: Dekker's scheme, which TakeLetsPutIn, AdmitOrTimeOut,
     * TimeoutOrSlot and ReleaseOrAdmit attack. A producer enters itself (count, volatile) and then reads the head; a
     * consumer moves the head (CAS) and then reads the count. In the one order of all volatile accesses one of them
     * sees the other, and whichever does calls serve(). The same holds for a change of batch or overdue, which is
     * written before serve() is called, and for serve() itself: it only tries the lock, so that no worker ever waits
     * for it; a failed attempt precedes the holder's unlocking, and every holder looks at the queue again after
     * unlocking (all of them call serve()). With hysteresis free slots below the batch are left alone; then the first
     * in line is parked with a time limit, sets overdue when that is over, and calls serve(). Who becomes first is
     * woken, to park in that manner; so is the first when the batch rises from 1. The batch is exchanged in one step,
     * so each rise from 1 is seen by one thread.
     *
     * An Error leaves nothing half done: see ShortLock. Whoever was taken off the list is woken even if the first
     * attempt fails. A thread that an Error drives out of its wait leaves the list first.
     */
    private static final long GRACE_NANOS = 1_000_000;
    private static final VarHandle BATCH;

    static {
        try {
            BATCH = MethodHandles.lookup().findVarHandle(WaitingProducers.class, "batch", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final WorkQueue queue;
    private volatile int batch = 1; // written by any thread, exchanged
    private volatile long releases; // written under the lock

    WaitingProducers(WorkQueue queue) {
        this.queue = queue;
    }

    int batch() {
        return batch;
    }

    long releases() {
        return releases;
    }

    /** Sets the hysteresis; see the essay. */
    void batch(int slots) {
        if (slots == batch) {
            return;
        }
        int before = (int) BATCH.getAndSet(this, slots);
        if (before == 1) {
            wake(first); // it is parked without a limit, if a producer waits
        } else if (slots < before) {
            roomMade(); // there may be enough of it now
        }
    }

    /**
     * Called by a consumer that has moved the head to this position. It looks no further: each thread that has moved
     * the head since then calls this too, and all but one of them are spared the head's cache line, which the others
     * are writing.
     *
     * @return whether a producer waited, so that serving it has taken time
     */
    boolean roomMade(long head) {
        if (count > 0 && queue.hasRoom(overdue ? 1 : batch, head)) {
            roomMade();
            return true;
        }
        return false;
    }

    /** Called by a thread that removed something else from the queue, or changed which producer is served. */
    void roomMade() {
        if (count > 0) {
            try {
                serve();
            } catch (VirtualMachineError e) {
                serveAfterError();
            }
        }
    }

    /**
     * There was no memory for a segment, or no stack. What the caller has removed must not be lost by throwing. A task
     * that no thread waits for needs a second attempt; otherwise the first in line tries itself.
     */
    private void serveAfterError() {
        try {
            serve();
        } catch (VirtualMachineError ignored) {
            wake(first);
        }
    }

    /** Ends the wait of every thread in {@link WorkQueue#admit}. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    void release() {
        Waiter released = null;
        lock();
        try {
            releases++;
            for (Waiter waiter = last; waiter != null; ) {
                Waiter before = waiter.before;
                if (waiter.isReleasable()) {
                    unlink(waiter, Admission.RELEASED);
                    waiter.behind = released;
                    released = waiter;
                }
                waiter = before;
            }
        } finally {
            locked = FREE;
        }
        try {
            wakeAll(released);
        } catch (Throwable ignored) { // from the second attempt it reaches the caller
            wakeAll(released);
        }
        wakeNewFirst();
        roomMade();
    }

    /**
     * Makes threads in {@link WorkQueue#admit} look at their pool: the first, or else each whose place says so. They
     * stay in the line until they are awake, and their turn is kept.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    void review(boolean onlyFirst) {
        lock();
        try {
            releases++;
            for (Waiter waiter = first; waiter != null; waiter = waiter.behind) {
                Place place = waiter.place;
                if (place != null && waiter.thread != null && (onlyFirst || place.looksAgain)) {
                    waiter.reviewed = true;
                    if (onlyFirst) {
                        break;
                    }
                }
            }
            try {
                wakeReviewed(); // under the lock: a list of them would need memory, when a worker ends for want of it
            } catch (Throwable ignored) { // from the second attempt it reaches the caller
                wakeReviewed();
            }
        } finally {
            locked = FREE;
        }
        roomMade();
    }

    private void wakeReviewed() {
        for (Waiter waiter = first; waiter != null; waiter = waiter.behind) {
            if (waiter.reviewed) {
                LockSupport.unpark(waiter.thread);
            }
        }
    }

    /**
     * Waits until the task is in the queue, or the time is over, or, if there is a place, for a release after the given
     * one.
     */
    Admission await(Runnable task, long nanos, @Nullable Place place, long seenReleases) throws InterruptedException {
        long deadline = nanos == Long.MAX_VALUE ? 0 : System.nanoTime() + nanos;
        Waiter waiter = new Waiter(task, place, Thread.currentThread(), 0);
        try {
            return enter(waiter, seenReleases) ? park(waiter, nanos == Long.MAX_VALUE, deadline) : Admission.RELEASED;
        } catch (Throwable e) {
            if (drivenOut(waiter) == Admission.ACCEPTED) {
                return Admission.ACCEPTED;
            }
            throw e;
        }
    }

    private @Nullable Admission drivenOut(Waiter waiter) {
        try {
            return leave(waiter, Admission.TIMED_OUT);
        } catch (Throwable ignored) { // from the second attempt it reaches the caller
            return leave(waiter, Admission.TIMED_OUT);
        }
    }

    /** Puts a submitter ahead of those that are not promoted, now or when it comes to the line. */
    void promote(Place place) {
        lock();
        try {
            Waiter waiter = place.promoted ? null : first;
            place.promoted = true;
            while (waiter != null && waiter.place != place) {
                waiter = waiter.behind;
            }
            if (waiter != null) {
                relink(waiter);
            }
        } finally {
            locked = FREE;
        }
        roomMade();
    }

    /** Leaves a task for which no thread waits. It gets into the queue proper in its turn. */
    void exceed(Runnable task) {
        Waiter waiter = new Waiter(task, null, null, System.nanoTime());
        try {
            enter(waiter, 0);
        } catch (Throwable e) {
            roomMade(); // whoever held the lock looks at the queue, because others may have tried to get it meanwhile
            if (!waiter.linked && waiter.outcome == null) {
                throw e;
            }
        }
    }

    private boolean enter(Waiter waiter, long seenReleases) {
        boolean entered = false;
        lock();
        try {
            if (!waiter.isReleasable() || releases == seenReleases) {
                link(waiter);
                entered = true;
            }
        } finally {
            locked = FREE;
        }
        roomMade();
        return entered;
    }

    private Admission park(Waiter waiter, boolean forever, long deadline) throws InterruptedException {
        boolean graceRuns = false;
        boolean isOver = false;
        long graceEnds = 0;
        for (; ; ) {
            serve();
            Admission outcome = waiter.outcome;
            if (outcome != null) {
                return outcome;
            }
            if (waiter.reviewed) {
                return leave(waiter, Admission.RELEASED);
            }
            if (Thread.interrupted()) {
                return interrupted(waiter);
            }
            long now = System.nanoTime();
            long left = forever ? Long.MAX_VALUE : deadline - now;
            if (left <= 0) {
                if (!isOver && first == waiter && batch > 1 && !overdue) {
                    isOver = true;
                    hurry(waiter); // the free slots may be fewer than a batch
                    continue;
                }
                return leave(waiter, Admission.TIMED_OUT);
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
        Admission outcome = leave(waiter, Admission.TIMED_OUT);
        if (outcome == Admission.TIMED_OUT) {
            throw new InterruptedException();
        }
        Thread.currentThread().interrupt();
        return outcome;
    }

    private void hurry(Waiter waiter) {
        lock();
        try {
            if (first == waiter) {
                overdue = true;
            }
        } finally {
            locked = FREE;
        }
    }

    /** Ends the wait without success, unless it has ended already or never begun. Returns how it ended. */
    private Admission leave(Waiter waiter, Admission unserved) {
        Admission outcome;
        lock();
        try {
            if (waiter.outcome == null) {
                if (waiter.linked) {
                    unlink(waiter, unserved);
                } else {
                    waiter.outcome = unserved;
                }
            }
            outcome = waiter.outcome;
        } finally {
            locked = FREE;
        }
        wakeNewFirst();
        roomMade();
        return outcome == null ? unserved : outcome;
    }

    /** Moves waiting tasks into the queue while there is room for them, once there is room enough to begin. */
    private void serve() {
        while (count > 0 && queue.hasRoom(overdue ? 1 : batch) && tryLock()) {
            Waiter served = null;
            try {
                served = moveIntoQueue();
            } finally {
                locked = FREE;
            }
            if (served != null) {
                try {
                    wakeServed(served);
                } catch (Throwable ignored) { // from the second attempt it reaches the caller
                    wakeServed(served);
                }
            }
        }
    }

    /** Returns those that were served, in order. An Error is thrown only if there is none. */
    private @Nullable Waiter moveIntoQueue() {
        Waiter served = null;
        Waiter lastServed = null;
        Waiter appended = null;
        try {
            for (Waiter waiter = first; waiter != null; waiter = first) {
                Runnable task = waiter.task;
                long stamp = waiter.thread == null ? waiter.stamp : System.nanoTime();
                if (task == null || !queue.append(task, stamp, queue.capacity)) {
                    break;
                }
                appended = waiter;
                unlink(waiter, Admission.ACCEPTED);
                if (lastServed == null) {
                    served = waiter;
                } else {
                    lastServed.behind = waiter;
                }
                lastServed = waiter;
            }
        } catch (Throwable e) {
            if (appended != null && appended.linked) {
                unlink(appended, Admission.ACCEPTED); // it is in the queue
                appended.behind = served;
                served = appended;
            }
            if (served == null) {
                throw e;
            }
        }
        return served;
    }

    private void wakeServed(Waiter served) {
        queue.idle.taskAdded();
        wakeAll(served);
        wakeNewFirst();
        for (Waiter waiter = served; waiter != null; ) {
            Waiter next = waiter.behind;
            waiter.behind = null; // an old dead waiter would keep younger ones from being collected
            waiter = next;
        }
    }

    private static void wakeAll(@Nullable Waiter chain) {
        for (Waiter waiter = chain; waiter != null; waiter = waiter.behind) {
            LockSupport.unpark(waiter.thread);
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

    /**
     * Takes out the first task beyond the capacity that satisfies the predicate, which must not run users' code; null
     * if there is none.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    @Nullable
    Runnable removeExcess(Predicate<Runnable> wanted) {
        Runnable removed = null;
        if (excess > 0) {
            lock();
            try {
                for (Waiter waiter = first; waiter != null && removed == null; waiter = waiter.behind) {
                    Runnable task = waiter.task;
                    if (waiter.thread == null && task != null && wanted.test(task)) {
                        removed = task;
                        unlink(waiter, Admission.RELEASED);
                        excessRemoved++;
                        break;
                    }
                }
            } finally {
                locked = FREE;
            }
            wakeNewFirst();
            roomMade();
        }
        return removed;
    }

    /**
     * Takes out all of these tasks that are beyond the capacity, in one pass.
     *
     * @param unwanted compared by identity
     * @return whether there was one
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    boolean removeExcess(Set<Runnable> unwanted) {
        boolean removed = false;
        lock();
        try {
            for (Waiter waiter = first; waiter != null; ) {
                Waiter behind = waiter.behind;
                Runnable task = waiter.task;
                if (waiter.thread == null && task != null && unwanted.contains(task)) {
                    unlink(waiter, Admission.RELEASED);
                    excessRemoved++;
                    removed = true;
                }
                waiter = behind;
            }
        } finally {
            locked = FREE;
        }
        wakeNewFirst();
        roomMade();
        return removed;
    }
}
