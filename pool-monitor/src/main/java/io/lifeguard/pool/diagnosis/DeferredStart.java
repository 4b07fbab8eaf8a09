package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.log.Guard;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Keeps actions for the global monitor while its start is put off, and runs them once it has started. Thread-safe.
 *
 * @param <T> the monitor
 */
final class DeferredStart<T> {

    /*
     * The fields started and putOff change under this lock only, so that a start and a delay cannot both win. The
     * queue is read without the lock: Dekker's scheme, which DeferredStartTest attacks. So defer() adds its action
     * first and looks at putOff again: if the start came in between, the thread that takes the action out of the queue
     * runs it, and only once. catchUp() has a lock of its own, because users' actions run under it. It runs the
     * actions even if it could not get that lock.
     */

    private static final long PATIENCE_SECONDS = 1; // for the lock: actions of users may hold it for long

    private final Queue<Consumer<? super T>> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock catchingUp = new ReentrantLock();
    private final Guard guard = new Guard();

    private volatile boolean started; // written under this lock, from false to true; a stale read takes the lock
    private volatile boolean putOff; // written under this lock; defer() reads it again after adding
    private volatile boolean
            caughtUp; // written under catchingUp, from false to true; a stale read polls an empty queue

    synchronized void putOff() {
        putOff = !started;
    }

    /** Ends the delay. Call this before asking for the monitor. */
    void now() {
        if (!started) {
            synchronized (this) {
                started = true;
                putOff = false;
            }
        }
    }

    boolean defer(Consumer<? super T> action) {
        if (!putOff) {
            return false;
        }
        waiting.add(action);
        return putOff || !waiting.remove(action); // started meanwhile: run by catchUp() or by the caller
    }

    /**
     * Runs the actions that have waited. If another thread is running them, waits for it, but not forever: that thread
     * may wait for a lock that this one holds.
     */
    void catchUp(T monitor) {
        if (caughtUp) {
            return;
        }
        boolean locked = false;
        try {
            locked = catchingUp.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
            doAll(monitor);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            doAll(monitor);
        } finally {
            if (locked) {
                caughtUp = true;
                catchingUp.unlock();
            }
        }
    }

    private void doAll(T monitor) {
        for (Consumer<? super T> next = waiting.poll(); next != null; next = waiting.poll()) {
            Consumer<? super T> action = next;
            guard.run(action, () -> action.accept(monitor));
        }
    }
}
