package io.lifeguard.pool.diagnosis;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** What is to be done with the global monitor once it has started, while its start is put off. Thread-safe. */
final class DeferredStart {

    private static final long PATIENCE_SECONDS = 1;

    private final Queue<Consumer<? super PoolMonitor>> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock catchingUp = new ReentrantLock();
    private final Guard guard = new Guard();

    private volatile boolean started; // written under this lock, from false to true
    private volatile boolean putOff; // written under this lock; who reads it too late looks again
    private volatile boolean caughtUp; // from false to true; a stale read looks once more

    synchronized void putOff() {
        putOff = !started;
    }

    /** To be called before the monitor is asked for. */
    void now() {
        if (!started) {
            synchronized (this) {
                started = true;
                putOff = false;
            }
        }
    }

    /** Whether the start is put off, and the action will be called then. */
    boolean defer(Consumer<? super PoolMonitor> action) {
        if (!putOff) {
            return false;
        }
        waiting.add(action);
        return putOff || !waiting.remove(action); // has started meanwhile: done there, or here
    }

    /**
     * Does what has waited. Who finds another thread at it waits for that, but not forever: that one may wait for a
     * lock of this one's.
     */
    void catchUp(PoolMonitor monitor) {
        if (caughtUp) {
            return;
        }
        boolean locked = false;
        try {
            locked = catchingUp.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
            doAll(monitor);
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
            doAll(monitor);
        } finally {
            if (locked) {
                caughtUp = true;
                catchingUp.unlock();
            }
        }
    }

    private void doAll(PoolMonitor monitor) {
        for (Consumer<? super PoolMonitor> next = waiting.poll(); next != null; next = waiting.poll()) {
            Consumer<? super PoolMonitor> action = next;
            guard.run(action, () -> action.accept(monitor));
        }
    }
}
