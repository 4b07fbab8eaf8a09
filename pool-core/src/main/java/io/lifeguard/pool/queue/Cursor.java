package io.lifeguard.pool.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Walks through a queue from slot to slot. Not used on the hot path. Not thread-safe: each belongs to one thread.
 * Writing is allowed to the thread that has frozen the queue.
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

    abstract void next();

    /** How many positions from this one on, at most {@code limit}, lie side by side in the arrays. */
    final int run(long limit) {
        return (int) Math.min(limit, items.length - index);
    }

    final void skip(int positions) {
        index += positions - 1;
        next();
    }

    /** The distance to the first of so many claimed positions that holds this very object; -1 if there is none. */
    final int distanceTo(@Nullable Object wanted, int run) {
        for (int i = 0; i < run; i++) {
            Object item = items[index + i];
            if (item == null) {
                item = published(index + i);
            }
            if (item == wanted) {
                VarHandle.acquireFence(); // the stamps of the items that were seen can be read now
                return i;
            }
        }
        VarHandle.acquireFence();
        return -1;
    }

    @Nullable
    Runnable item() {
        return (Runnable) ITEM.getAcquire(items, index);
    }

    /** The item of a claimed position, once its producer has published it. */
    Runnable published() {
        return published(index);
    }

    private Runnable published(int at) {
        for (int pauses = 0; ; pauses = Pause.once(pauses)) {
            Runnable item = (Runnable) ITEM.getAcquire(items, at);
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
