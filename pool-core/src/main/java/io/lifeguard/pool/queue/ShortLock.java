package io.lifeguard.pool.queue;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A lock that is held for a few instructions at most. Not reentrant. Its owner extends it, so that the release is a
 * plain statement: {@code locked = FREE}.
 */
/*
 * A StackOverflowError may strike at any call, and an OutOfMemoryError at any allocation. A ReentrantLock allocates
 * when it is contended, and its release is a call. If that call failed, the lock would be held forever. Here nothing is
 * allocated, and the release is the store of a field, which cannot fail.
 *
 * Whoever changes the guarded state does all calls first, and the stores afterwards. So an error finds either all of
 * a change or nothing of it.
 */
abstract class ShortLock {

    static final int FREE = 0;
    private static final int HELD = 1;

    // No VarHandle: the JIT inlines four methods for each of its calls, and a lock is taken in many places.
    private static final AtomicIntegerFieldUpdater<ShortLock> LOCKED =
            AtomicIntegerFieldUpdater.newUpdater(ShortLock.class, "locked");

    /** Written by the holder, and by the thread that becomes the holder. A stale read makes the CAS fail. */
    volatile int locked;

    final boolean tryLock() {
        return locked == FREE && LOCKED.compareAndSet(this, FREE, HELD);
    }

    final void lock() {
        for (int pauses = 0; !tryLock(); ) {
            pauses = Pause.once(pauses); // the holder has lost its processor, or will be done in a moment
        }
    }
}
