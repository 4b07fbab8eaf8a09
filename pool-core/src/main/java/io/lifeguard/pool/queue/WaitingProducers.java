package io.lifeguard.pool.queue;

import io.lifeguard.pool.queue.WorkQueue.Admission;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the threads that wait for room in a bounded queue, and serves them in the order of their arrival. Thread-safe.
 */
final class WaitingProducers extends ShortLock {
    /*
     * A FIFO list under a lock. A waiting thread leaves its task here, and a thread that makes room moves tasks from
     * here into the queue, in order, and wakes the threads: a producer that wakes up has been served already, and no
     * other can overtake it. While a producer waits, a newcomer's offer() fails, so room goes to the waiting producers.
     *
     *   count     how many wait; changes with the list, under the lock; read without it by every producer and consumer
     *   excess    how many of them are tasks without a thread: the queue holds so many more than its capacity. A thread
     *             that must not wait has left them here. There is no room for others until the queue is back at its
     *             capacity
     *   batch     room is given out once so many slots are free: waking a producer for every slot costs more than the
     *             task. 1 = at once
     *   overdue   the first in line has waited a grace period since it became first, or has turn 0: hysteresis off
     *             until a producer is served. So a consumer that is stuck behind a long task delays a producer by that
     *             period at most.
     *   Waiter.outcome   null = waiting; set once, under the lock; the task is in the queue if and only if ACCEPTED.
     *   Waiter.turn      the list is in the order of the turns. A submitter that comes back has its former turn. Tasks
     *                    without a thread have turn 0, and so have promoted submitters: workers in a cycle of pools
     *                    that wait for each other. While these wait, one pool would exceed its capacity ever more.
     *
     * Why no producer waits in front of free slots. A producer enters itself (count, volatile) and then reads the head;
     * a consumer moves the head (CAS) and then reads the count. In the one order of all volatile accesses one of them
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
    private volatile @Nullable Waiter first; // written under the lock
    private @Nullable Waiter last; // guarded by lock
    private @Nullable Waiter lastAhead; // guarded by lock; the last one with turn 0
    private volatile int count; // written under the lock
    private volatile int excess; // written under the lock
    private volatile long excessRemoved; // written under the lock: how many of these were taken out again
    private volatile int batch = 1; // written by any thread, exchanged
    private volatile boolean overdue; // written under the lock
    private volatile long releases; // written under the lock
    private long turns; // guarded by lock

    WaitingProducers(WorkQueue queue) {
        this.queue = queue;
    }

    private static final class Waiter {
        final @Nullable Thread thread; // null: nobody waits for this task
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

    int count() {
        return count;
    }

    int batch() {
        return batch;
    }

    long releases() {
        return releases;
    }

    /** How many tasks the queue holds beyond its capacity. */
    int excess() {
        return excess;
    }

    /** How many of these were removed before they got into the queue proper. */
    long excessRemoved() {
        return excessRemoved;
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
     * @return whether there was somebody to serve, so that time has passed
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
        List<Thread> woken = new ArrayList<>();
        lock();
        try {
            releases++;
            for (Waiter waiter = first; waiter != null; waiter = waiter.behind) {
                Place place = waiter.place;
                Thread thread = waiter.thread;
                if (place != null && thread != null && (onlyFirst || place.looksAgain)) {
                    woken.add(thread);
                    waiter.reviewed = true;
                    if (onlyFirst) {
                        break;
                    }
                }
            }
        } finally {
            locked = FREE;
        }
        try {
            woken.forEach(LockSupport::unpark);
        } catch (Throwable ignored) { // from the second attempt it reaches the caller
            woken.forEach(LockSupport::unpark);
        }
        roomMade();
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

    /** Makes no call that could fail between the two. */
    private void relink(Waiter waiter) {
        Runnable task = waiter.task;
        unlink(waiter, null);
        waiter.task = task;
        waiter.turn = 0;
        link(waiter);
    }

    /** Leaves a task that nobody waits for. It gets into the queue proper in its turn. */
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

    /** Makes no call: see {@link ShortLock}. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private void link(Waiter waiter) {
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

    private Admission park(Waiter waiter, boolean forever, long deadline) throws InterruptedException {
        boolean graceRuns = false;
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

    /** Makes no call: see {@link ShortLock}. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private void unlink(Waiter waiter, @Nullable Admission outcome) {
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

    // The tasks without a thread, as a part of the collection that the queue is

    /** The tasks beyond the capacity, in order, with their stamps. */
    void collectExcess(List<Runnable> tasks, List<Long> stamps) {
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
}
