package io.lifeguard.pool.queue;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** Iterates over what a queue held at one instant. Not thread-safe. */
final class QueueIterator implements Iterator<Runnable> {
    final Runnable[] items;
    final long[] stamps;
    final long base; // the position of the first item then
    long removals; // QueueEdits's count at which base + index is an item's position

    private final QueueEdits edits;
    private int next;
    private int removable = -1;

    QueueIterator(QueueEdits edits, Runnable[] items, long[] stamps, long base, long removals) {
        this.edits = edits;
        this.items = items;
        this.stamps = stamps;
        this.base = base;
        this.removals = removals;
    }

    /** The first index, from this one on, of the element with this identity and stamp; -1 when there is none. */
    int indexOf(Runnable item, long stamp, int from) {
        for (int i = from; i < items.length; i++) {
            if (items[i] == item && stamps[i] == stamp) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public boolean hasNext() {
        return next < items.length;
    }

    @Override
    public Runnable next() {
        if (next == items.length) {
            throw new NoSuchElementException();
        }
        removable = next++;
        return items[removable];
    }

    /** Removes the very element that was returned last, if the queue still holds it. */
    @Override
    public void remove() {
        if (removable < 0) {
            throw new IllegalStateException("remove() must follow next(), once");
        }
        int index = removable;
        removable = -1;
        edits.remove(this, index);
    }
}
