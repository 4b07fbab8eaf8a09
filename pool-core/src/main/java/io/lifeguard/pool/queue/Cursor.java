package io.lifeguard.pool.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Walks through a queue from slot to slot. Not used on the hot path. Not thread-safe: each belongs to
 * one thread. Writing is allowed to the thread that has frozen the queue.
 */
abstract class Cursor {
    static final VarHandle ITEM = MethodHandles.arrayElementVarHandle(Object[].class);

    @Nullable
    Object[] items;

    long[] stamps;
    int index;

    Cursor(@Nullable Object[] items, long[] stamps, int index) {
        this.items = items;
        this.stamps = stamps;
        this.index = index;
    }

    /** Moves to the next position. */
    abstract void next();

    @Nullable
    Runnable item() {
        return (Runnable) ITEM.getAcquire(items, index);
    }

    /** The item of a claimed position, once its producer has published it. */
    Runnable published() {
        for (int pauses = 0; ; pauses = Pause.once(pauses)) {
            Runnable item = item();
            if (item != null) {
                return item;
            }
        }
    }

    long stamp() {
        return stamps[index];
    }

    void set(Runnable item, long stamp) {
        stamps[index] = stamp;
        ITEM.setRelease(items, index, item);
    }

    void clear() {
        ITEM.setRelease(items, index, null);
    }
}
