package io.lifeguard.pool.queue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads and changes a queue between its ends: searches, removals, drains and snapshots. Thread-safe. */
final class QueueEdits {
    /*
     * One thread at a time (the lock) freezes the head: no consumer can claim it, so the positions from the head to the
     * tail as it was read then stay, and belong to that thread once their producers have published them. Producers go
     * on at the tail, untouched. Consumers that meet the frozen head wait for the lock.
     *
     * An element in the middle is removed by moving every element before it one position towards the tail, and the
     * head with them. Both ends stay monotone, the room is given back at once, and each stamp travels with its task.
     * The slots given up are cleared before the new head is published, which is what producers rely on.
     * It all happens at one instant, that of the head's thaw.
     *
     *   removals   how many times elements were moved; guarded by the lock. While it is unchanged, an element that a
     *              snapshot saw at a position is at that position, or gone. When it changed, the element is looked for
     *              by its identity and stamp, among what is there: elements never overtake each other.
     *
     * No code of users runs while the queue is frozen (equals and predicates get a snapshot, taken before), with one
     * exception: the add() of the collection that drainTo fills, as in the JDK's queues, so that an element it refuses
     * stays here. If that add() takes from this very queue, it gets an exception instead of a deadlock.
     */
    private final WorkQueue queue;
    private final Positions positions;
    private final ReentrantLock lock = new ReentrantLock();
    private long removals;

    QueueEdits(WorkQueue queue) {
        this.queue = queue;
        this.positions = queue.positions;
    }

    /** Waits until the queue is not frozen. */
    @SuppressWarnings("LockNotBeforeTry") // between the two nothing happens
    void awaitThaw() {
        refuseReentry();
        lock.lock();
        lock.unlock();
    }

    private void refuseReentry() {
        if (lock.isHeldByCurrentThread()) {
            throw new IllegalStateException("the collection that a queue is drained to must not take from that queue");
        }
    }

    private long freeze() {
        StackReserve.ensure(); // an Error after the lock would leave the queue frozen
        refuseReentry();
        lock.lock();
        return positions.freeze();
    }

    private void thaw(long head) {
        try {
            positions.thaw(head);
        } catch (Throwable ignored) { // from the second attempt it reaches the caller
            positions.thaw(head);
        } finally {
            lock.unlock();
        }
    }

    QueueIterator snapshot() {
        if (queue.isEmpty()) {
            return new QueueIterator(this, new Runnable[0], new long[0], 0, -1);
        }
        // First those beyond the capacity: one that moves in between is then met twice, and left out once.
        List<Runnable> beyond = new ArrayList<>();
        List<Long> beyondStamps = new ArrayList<>();
        if (queue.producers.excess() > 0) {
            queue.producers.collectExcess(beyond, beyondStamps);
        }
        long head = freeze();
        try {
            int length = Math.toIntExact(positions.tail() - head);
            Runnable[] items = new Runnable[length];
            long[] stamps = new long[length];
            Cursor cursor = queue.cursor(head);
            for (int i = 0, run; i < length; i += run, cursor.skip(run)) {
                run = cursor.run(length - i);
                cursor.distanceTo(null, run); // waits until all are published
                System.arraycopy(cursor.items, cursor.index, items, i, run);
                System.arraycopy(cursor.stamps, cursor.index, stamps, i, run);
            }
            QueueIterator proper = new QueueIterator(this, items, stamps, head, removals);
            return beyond.isEmpty() ? proper : withExcess(proper, beyond, beyondStamps);
        } finally {
            thaw(head);
        }
    }

    private QueueIterator withExcess(QueueIterator proper, List<Runnable> beyond, List<Long> beyondStamps) {
        int length = proper.items.length;
        Runnable[] items = Arrays.copyOf(proper.items, length + beyond.size());
        long[] stamps = Arrays.copyOf(proper.stamps, items.length);
        Set<Runnable> known = identities(Arrays.stream(proper.items), length); // so that this takes linear time
        for (int i = 0; i < beyond.size(); i++) {
            Runnable item = beyond.get(i);
            long stamp = beyondStamps.get(i);
            if (!known.contains(item) || proper.indexOf(item, stamp, 0) < 0) {
                items[length] = item;
                stamps[length++] = stamp;
            }
        }
        // A position follows from the index for those in the queue proper only, so each is looked for by its identity.
        return new QueueIterator(this, Arrays.copyOf(items, length), Arrays.copyOf(stamps, length), proper.base, -1);
    }

    private static Set<Runnable> identities(Stream<Runnable> tasks, int count) {
        Set<Runnable> identities = Collections.newSetFromMap(new IdentityHashMap<>(count));
        tasks.forEach(identities::add);
        return identities;
    }

    boolean contains(Object wanted) {
        if (queue.isEmpty()) {
            return false;
        }
        if (queue.producers.excess() > 0 || !comparesByIdentity(wanted)) {
            for (Runnable item : snapshot().items) {
                if (wanted.equals(item)) {
                    return true;
                }
            }
            return false;
        }
        long head = freeze();
        try {
            return find(wanted, head, positions.tail()) >= 0;
        } finally {
            thaw(head);
        }
    }

    /** Removes the first element that equals this. */
    boolean remove(Object wanted) {
        if (queue.isEmpty()) {
            return false;
        }
        if (!comparesByIdentity(wanted)) {
            return removeEqual(wanted);
        }
        // First those beyond the capacity: a task moves from there into the queue proper, and never back.
        if (queue.producers.removeExcess(task -> task == wanted) != null) {
            return true;
        }
        long head = freeze();
        long position = -1;
        try {
            position = find(wanted, head, positions.tail());
            if (position >= 0) {
                takeOut(head, position);
            }
        } finally {
            thaw(position >= 0 ? head + 1 : head);
        }
        return removed(position >= 0);
    }

    /**
     * Returns false only after a look that met no equal element. Removes the first equal element, because the elements
     * before it in the queue were before it in the snapshot, too.
     */
    private boolean removeEqual(Object wanted) {
        for (; ; ) {
            QueueIterator snapshot = snapshot();
            boolean matched = false;
            for (int i = 0; i < snapshot.items.length; i++) {
                if (wanted.equals(snapshot.items[i])) {
                    matched = true;
                    if (remove(snapshot, i)) {
                        return true;
                    }
                }
            }
            if (!matched) {
                return false;
            }
        }
    }

    boolean remove(QueueIterator snapshot, int index) {
        Runnable wanted = snapshot.items[index];
        if (queue.producers.removeExcess(task -> task == wanted) != null) {
            return true;
        }
        long head = freeze();
        long position = -1;
        try {
            position = locate(snapshot, index, head, positions.tail());
            if (position >= 0) {
                boolean current = removals == snapshot.removals;
                takeOut(head, position);
                if (current) {
                    // Elements behind this one have not moved, and an iterator never goes back.
                    snapshot.removals = removals;
                }
            }
        } finally {
            thaw(position >= 0 ? head + 1 : head);
        }
        return removed(position >= 0);
    }

    private long locate(QueueIterator snapshot, int index, long head, long tail) {
        if (removals == snapshot.removals) {
            long position = snapshot.base + index;
            return position >= head ? position : -1;
        }
        Cursor cursor = queue.cursor(head);
        for (long position = head; position < tail; position++, cursor.next()) {
            if (cursor.published() == snapshot.items[index] && cursor.stamp() == snapshot.stamps[index]) {
                return position;
            }
        }
        return -1;
    }

    private long find(Object wanted, long head, long tail) {
        if (head == tail) {
            return -1;
        }
        Cursor cursor = queue.cursor(head);
        int run;
        for (long position = head; position < tail; position += run, cursor.skip(run)) {
            run = cursor.run(tail - position);
            int distance = cursor.distanceTo(wanted, run);
            if (distance >= 0) {
                return position + distance;
            }
        }
        return -1;
    }

    /**
     * Moves all from the head up to the position by one, over the element there; the head's slot becomes free. The
     * caller has seen all of them published. Plain writes suffice: others read these slots only after the thaw.
     */
    private void takeOut(long head, long position) {
        Cursor cursor = queue.cursor(head);
        Object item = null;
        long stamp = 0;
        int run;
        for (long p = head; p <= position; p += run, cursor.skip(run)) {
            run = cursor.run(position + 1 - p);
            int first = cursor.index;
            int last = first + run - 1;
            Object lastItem = cursor.items[last];
            long lastStamp = cursor.stamps[last];
            System.arraycopy(cursor.items, first, cursor.items, first + 1, run - 1);
            System.arraycopy(cursor.stamps, first, cursor.stamps, first + 1, run - 1);
            cursor.items[first] = item;
            cursor.stamps[first] = stamp;
            item = lastItem;
            stamp = lastStamp;
        }
        removals++;
    }

    /** Removes all elements that satisfy the predicate, in one step. */
    boolean removeIf(Predicate<? super Runnable> predicate) {
        QueueIterator snapshot = snapshot();
        BitSet unwanted = new BitSet(snapshot.items.length);
        for (int i = 0; i < snapshot.items.length; i++) {
            if (predicate.test(snapshot.items[i])) {
                unwanted.set(i);
            }
        }
        if (unwanted.isEmpty()) {
            return false;
        }
        // First those beyond the capacity: a task moves from there into the queue proper, and never back.
        boolean anyBeyond = queue.producers.excess() > 0
                && queue.producers.removeExcess(
                        identities(unwanted.stream().mapToObj(i -> snapshot.items[i]), unwanted.cardinality()));
        long head = freeze();
        long rest = head;
        try {
            rest = compact(snapshot, unwanted, head, positions.tail());
        } finally {
            thaw(rest);
        }
        return removed(rest > head) || anyBeyond;
    }

    /** Moves the wanted elements towards the tail, over the others; returns the new head. */
    private long compact(QueueIterator snapshot, BitSet unwanted, long head, long tail) {
        int length = Math.toIntExact(tail - head);
        Runnable[] items = new Runnable[length];
        long[] stamps = new long[length];
        int kept = 0;
        int end = 0; // of what has to be rewritten: behind the last unwanted element
        int dropped = 0;
        int next = removals == snapshot.removals ? (int) Math.min(head - snapshot.base, snapshot.items.length) : 0;
        Cursor reader = queue.cursor(head);
        for (int i = 0; i < length; i++, reader.next()) {
            Runnable item = reader.published();
            long stamp = reader.stamp();
            next = snapshot.indexOf(item, stamp, next);
            if (next < 0) {
                break; // enqueued after the snapshot, like all behind it
            }
            if (unwanted.get(next++)) {
                dropped++;
                end = i + 1;
            } else {
                items[kept] = item;
                stamps[kept++] = stamp;
            }
        }
        Cursor writer = queue.cursor(head);
        for (int i = 0; i < end; i++, writer.next()) {
            if (i < dropped) {
                writer.clear();
            } else {
                writer.set(items[i - dropped], stamps[i - dropped]);
            }
        }
        removals++;
        return head + dropped;
    }

    void clear() {
        while (queue.producers.removeExcess(task -> true) != null) {
            // one by one
        }
        long head = freeze();
        long position = head;
        try {
            long tail = positions.tail();
            Cursor cursor = queue.cursor(head);
            for (; position < tail; position++, cursor.next()) {
                cursor.published();
                cursor.clear();
            }
        } finally {
            thaw(position);
        }
        removed(position > head);
    }

    int drainTo(Collection<? super Runnable> sink, int limit) {
        int drained = 0;
        do {
            drained += drainProper(sink, limit - drained); // what was beyond the capacity moves up
        } while (drained < limit && queue.producers.excess() > 0 && !positions.isEmpty());
        // A thread may be about to move the rest. It must not come too late for a pool that was stopped.
        for (Runnable task; drained < limit && (task = queue.producers.removeExcess(any -> true)) != null; drained++) {
            sink.add(task);
        }
        return drained;
    }

    private int drainProper(Collection<? super Runnable> sink, int limit) {
        long head = freeze();
        long position = head;
        try {
            long end = Math.min(positions.tail(), head + limit);
            Cursor cursor = queue.cursor(head);
            for (; position < end; position++, cursor.next()) {
                sink.add(cursor.published());
                cursor.clear();
            }
        } finally {
            thaw(position);
            removed(position > head);
        }
        return (int) (position - head);
    }

    @Nullable
    Runnable replaceOldest(Runnable task) {
        if (queue.offer(task)) {
            return null;
        }
        Runnable oldest = null;
        long head = freeze();
        try {
            // While the head is frozen, no producer can claim a position of a full queue. So the tail stays, too.
            if (!queue.hasRoom(1, head)) {
                Cursor cursor = queue.cursor(head);
                Runnable item = cursor.published();
                cursor.clear(); // a ring may need this very slot
                try {
                    queue.append(task, System.nanoTime(), queue.capacity + 1);
                    oldest = item;
                } finally {
                    if (oldest == null) {
                        cursor.set(item, cursor.stamp()); // no memory for a segment
                    }
                }
            }
        } finally {
            thaw(oldest == null ? head : head + 1);
        }
        if (oldest == null) {
            queue.exceed(task); // the room that there is belongs to producers that wait
        } else {
            queue.idle.taskAdded();
        }
        return oldest;
    }

    private boolean removed(boolean any) {
        if (any) {
            queue.producers.roomMade();
        }
        return any;
    }

    /** Whether equals() of this object is Object's: then the search needs no code of users, and no snapshot. */
    private static boolean comparesByIdentity(Object wanted) {
        try {
            return wanted.getClass().getMethod("equals", Object.class).getDeclaringClass() == Object.class;
        } catch (NoSuchMethodException | LinkageError ignored) {
            return false; // a signature with an absent class: ask its equals()
        }
    }
}
