package io.lifeguard.pool.queue;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Keeps the threads that found a queue empty: at most one of them searches, the others are parked. Thread-safe. */
final class IdleWorkers extends ShortLock {
    /*
     * state = parked << 1 | searching
     *   parked      how many are on the stack; changed together with it, under the lock
     *   searching   1 while a thread holds the search: a thread that spins for work, or one that was popped from the
     *               stack and is on its way. Taken by CAS, or together with the popping; given up by an atomic add.
     *
     * The rule (that of Go's scheduler). A thread that publishes a task reads the state. If a thread is parked and none
     * searches, the publisher pops the thread that parked last and hands it the search, in one step. If a thread
     * searches, the publisher does nothing: the searcher will find the task, or see it later:
     *
     *   - The searcher finds a task: it gives the search up, and then, if tasks remain, wakes the next one as a
     *     producer would. So a burst wakes thread after thread, none of them by mistake. If there are several tasks, it
     *     does so before it claims one. The thread that it wakes may take its processor at once; a task that it had
     *     claimed would then wait with it.
     *   - It finds none: it goes on the stack and gives the search up in one atomic step, and then looks at the queue
     *     again.
     *   - It leaves (timed out, interrupted, an exception from a callback): it gives the search up and then, if there
     *     are tasks, wakes the next one.
     *
     * Why no task is stranded: Dekker's scheme, which PutWakesTake and PutWakesOneOfTwo attack. A producer claims a
     * position (volatile) and then reads the state; a thread parks by writing the state and then reads the ends of the
     * queue. In the one order of all volatile accesses either the producer sees the thread parked, or the thread sees
     * the position claimed; if claimed but not yet published, it waits for it. A producer that saw a searcher claimed
     * before that searcher gave up, so that the look after the giving-up covers its task. This is why every path that
     * gives up the search looks once more, and why a thread that was about to park and found a task wakes the next one
     * after taking it, like a searcher: producers may have relied on it.
     *
     * A wake-up is never lost, because it is a state and not a signal: being popped (under the lock) makes the thread
     * the searcher, whether it was parked, timing out or being interrupted; what it finds on its way out decides only
     * whether it takes a task or hands the search on.
     *
     * A thread that is on the stack runs no task, and one that is not will come back to the queue by itself. That a
     * task waits while all threads are busy is what queues are for; that it waits behind a long one while another
     * thread is parked is excluded by the rule.
     *
     * The lock is held for a few instructions, only around parking and waking.
     *
     * An Error leaves nothing half done. Each change of the stack begins with the one call that changes the state. The
     * links are stored afterwards, without a call. Only the unparking comes later, and it is tried twice. Whoever
     * gives the search up or announces a task tries twice as well: each of these steps may be repeated. The second
     * attempt stands in the same method as what has to follow, because an Error may also strike where a method is
     * called.
     */
    private static final AtomicIntegerFieldUpdater<IdleWorkers> STATE =
            AtomicIntegerFieldUpdater.newUpdater(IdleWorkers.class, "state");

    private static final int SEARCHING = 1;
    private static final int PARKED = 2;
    private static final int SPINS = 20;
    private static final int YIELDS = 5;

    /** Stands for a thread that keeps the room that it makes: see {@link QueueWorkers#makesRoomForItself}. */
    static final Seeker KEEPS_ROOM = new Seeker(null);

    private final WorkQueue queue;

    // Set by CAS: by threads that find the queue empty, and by producers that wake them. After a stale read the CAS
    // fails.
    private volatile int state;

    private @Nullable Seeker top; // guarded by lock

    IdleWorkers(WorkQueue queue) {
        this.queue = queue;
    }

    /** A thread that waits for a task. */
    static final class Seeker {
        private final @Nullable Thread thread;
        private boolean searching; // its own thread only: holds the search
        private boolean enlisted; // its own thread only: has pushed itself, and not yet found out whether it was popped
        private boolean onStack; // guarded by lock
        private volatile boolean popped; // written under the lock by the thread that popped it
        private @Nullable Seeker below; // guarded by lock
        private @Nullable Seeker above; // guarded by lock

        Seeker() {
            this(Thread.currentThread());
        }

        private Seeker(@Nullable Thread thread) {
            this.thread = thread;
        }
    }

    /** Called by a thread that has published a task. */
    void taskAdded() {
        if (needsWaking(state)) {
            wakeOne();
        }
    }

    /** Whether a thread that publishes a task now has to wake one. */
    boolean needsWaking() {
        return needsWaking(state);
    }

    private static boolean needsWaking(int state) {
        return state >= PARKED && (state & SEARCHING) == 0;
    }

    private void wakeOne() {
        while (needsWaking(state) && queue.hasTasks()) {
            Seeker seeker = pop();
            if (seeker != null) {
                try {
                    LockSupport.unpark(seeker.thread);
                } catch (Throwable ignored) { // from the second attempt it reaches the caller
                    LockSupport.unpark(seeker.thread);
                }
                return;
            }
        }
    }

    /** Waits for a task; null when the time is over. One method on purpose, like {@code WorkerRecorder.step}. */
    @Nullable
    Runnable await(@Nullable QueueWorker worker, boolean timed, long nanos) throws InterruptedException {
        long deadline = timed ? System.nanoTime() + nanos : 0;
        Seeker seeker = new Seeker();
        if (worker != null) {
            worker.idle();
        }
        try {
            for (; ; ) {
                if (seeker.searching || startSearch(seeker)) {
                    for (int i = 0; i < SPINS + YIELDS; i++) {
                        if (queue.hasTasks()) {
                            Runnable task = wakeNextAndDequeue(worker, seeker);
                            if (task != null) {
                                return task;
                            }
                        }
                        if (i < SPINS) {
                            Thread.onSpinWait();
                        } else if ((timed && deadline - System.nanoTime() <= 0) || !Yielding.SHARED.once()) {
                            break;
                        }
                    }
                }
                enlist(seeker);
                if (!queue.hasTasks() && !park(worker, seeker, timed, deadline)) {
                    delist(seeker);
                    return queue.dequeue(worker, seeker);
                }
                delist(seeker);
                Runnable task = wakeNextAndDequeue(worker, seeker);
                if (task != null) {
                    return task;
                }
            }
        } finally {
            // Neither holds for a thread that has a task: no call must come between it and its task.
            if (seeker.enlisted || seeker.searching) {
                try {
                    leave(seeker);
                } catch (Throwable ignored) { // from the second attempt it reaches the caller
                    leave(seeker);
                }
            }
        }
    }

    private void leave(Seeker seeker) {
        delist(seeker);
        taskFound(seeker);
    }

    /**
     * Called by a thread that waited, once it has found tasks or leaves without: it gives the search up and wakes the
     * next.
     */
    void taskFound(Seeker seeker) {
        if (seeker.searching) {
            STATE.getAndAdd(this, -SEARCHING);
            seeker.searching = false;
        }
        taskAdded();
    }

    boolean startSearch(Seeker seeker) {
        for (int s = state; (s & SEARCHING) == 0; s = state) {
            if (STATE.compareAndSet(this, s, s | SEARCHING)) {
                seeker.searching = true;
                return true;
            }
        }
        return false;
    }

    /** Takes a task. If there is a second one, another thread is woken before. */
    @Nullable
    Runnable wakeNextAndDequeue(@Nullable QueueWorker worker, Seeker seeker) {
        if (seeker.searching && queue.hasSeveralTasks()) {
            try {
                taskFound(seeker);
            } catch (Throwable ignored) { // from the second attempt it reaches the caller
                taskFound(seeker);
            }
        }
        return queue.dequeue(worker, seeker);
    }

    /** Parks until popped from the stack; false when the time is over first. */
    private boolean park(@Nullable QueueWorker worker, Seeker seeker, boolean timed, long deadline)
            throws InterruptedException {
        while (!seeker.popped) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            long left = timed ? deadline - System.nanoTime() : 0;
            if (timed && left <= 0) {
                return false;
            }
            if (worker != null) {
                worker.parking();
            }
            if (timed) {
                LockSupport.parkNanos(queue, left);
            } else {
                LockSupport.park(queue);
            }
        }
        return true;
    }

    /** Puts the thread on the stack and gives up the search. */
    void enlist(Seeker seeker) {
        int change = seeker.searching ? PARKED - SEARCHING : PARKED;
        lock();
        try {
            STATE.getAndAdd(this, change);
            // no call from here on
            Seeker below = top;
            seeker.below = below;
            if (below != null) {
                below.above = seeker;
            }
            top = seeker;
            seeker.onStack = true;
            seeker.searching = false;
            seeker.enlisted = true;
        } finally {
            locked = FREE;
        }
    }

    /** Takes the top off the stack and hands it the search; null if the stack is empty or a thread searches. */
    private @Nullable Seeker pop() {
        Seeker popped = null;
        lock();
        try {
            Seeker seeker = top;
            if (seeker != null && takeSearchForParked()) {
                // no call from here on
                Seeker below = seeker.below;
                top = below;
                if (below != null) {
                    below.above = null;
                }
                seeker.below = null;
                seeker.onStack = false;
                seeker.popped = true;
                popped = seeker;
            }
        } finally {
            locked = FREE;
        }
        return popped;
    }

    private boolean takeSearchForParked() {
        for (int s = state; needsWaking(s); s = state) {
            if (STATE.compareAndSet(this, s, s - PARKED + SEARCHING)) {
                return true;
            }
        }
        return false;
    }

    /** Takes the thread off the stack; when another did so first, the thread has been handed the search. */
    void delist(Seeker seeker) {
        if (!seeker.enlisted) {
            return;
        }
        if (!seeker.popped) {
            lock();
            try {
                if (seeker.onStack) {
                    STATE.getAndAdd(this, -PARKED);
                    // no call from here on
                    Seeker below = seeker.below;
                    Seeker above = seeker.above;
                    if (below != null) {
                        below.above = above;
                    }
                    if (above != null) {
                        above.below = below;
                    } else {
                        top = below;
                    }
                    seeker.below = null;
                    seeker.above = null;
                    seeker.onStack = false;
                }
            } finally {
                locked = FREE;
            }
        }
        seeker.searching = seeker.popped;
        seeker.popped = false;
        seeker.enlisted = false;
    }
}
