package io.lifeguard.pool;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of an executor that have a thread of their own. Thread-safe.
 *
 * <p>Adding one allocates nothing, unless there are more than ever before. A {@code ConcurrentHashMap} allocates 32
 * bytes for each.
 */
/*
 * Tables of slots, each table twice as large as the one before. A task takes a free slot by CAS, remembers its place,
 * and clears the slot when it has ended. It tries a few slots of a table, and those of the next one where they are
 * taken. It begins with the smallest table in which a slot was free lately, so that after a burst the first tables
 * suffice again. The numbers of threads, which follow each other, say with which slot it begins: threads that start
 * together use the same cache line.
 *
 * Visitors skip a large table that a burst has left empty. A visitor that finds out marks the table as suspected before
 * it looks at the slots. A submitter that has added a task clears the marks of its table. So either the visitor sees the
 * task, or the submitter sees the mark. If the visitor has seen no task and the mark is still there, it marks the table
 * as empty, in one step. Only then do other visitors skip it. One visitor at a time does this: otherwise one could take
 * the mark of another for its own, which a submitter has cleared.
 */
final class OwnThreads {

    /** A task that has a thread of its own. */
    interface Task extends Runnable {

        Thread thread();

        /** {@return when the run began, by the monotonic clock; 0 before it has} A stale read may be 0. */
        long startNanos();

        /** Remembers the place at which it is kept. */
        void keptAt(int place);

        /** {@return where it is kept} */
        int place();
    }

    private static final int FIRST = 64; // slots

    /** In a table that is three quarters full, one task in ten goes on to the next table. */
    private static final int TRIES = 8;

    private static final int TABLE_BITS = 5; // of a place

    /**
     * One free slot in so many leads back to a smaller table: a thread that tries a full one reads its slots in vain.
     */
    private static final int DOWN = 32;

    private static final int MOST_TABLES = 20; // the last one has 33 million slots

    private static final int EMPTY = Integer.SIZE; // where the second bits of a table's marks begin

    // Each element is set once, under the lock of this object; after a stale read null is read again under the lock.
    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable Task>> tables =
            new AtomicReferenceArray<>(MOST_TABLES);

    // Table to try, written by any thread. A stale read tries a table that is full, or too large a one.
    private int first;

    // A place that was taken when it was last asked whether there are tasks, by any thread: otherwise the last ones of
    // many tasks would search all slots. After a stale read all slots are searched.
    private int last;

    // Two bits for each table: suspected and EMPTY. Set by the visitor that holds the lock below, cleared by any thread
    // that adds or finds a task. All accesses are volatile, see above.
    private final AtomicLong marks = new AtomicLong();
    private final ReentrantLock marking = new ReentrantLock();

    OwnThreads() {
        tables.set(0, new AtomicReferenceArray<>(FIRST));
    }

    /**
     * Adds a task.
     *
     * @throws RejectedExecutionException if tens of millions have not ended
     */
    void add(Task task) {
        int start = (int) task.thread().getId();
        int begin = first;
        for (int number = begin; number < MOST_TABLES; number++) {
            AtomicReferenceArray<@Nullable Task> table = table(number);
            for (int i = 0; i < TRIES; i++) {
                int slot = (start + i) & (table.length() - 1);
                if (table.getOpaque(slot) == null) {
                    task.keptAt(slot << TABLE_BITS | number);
                    if (table.compareAndSet(slot, null, task)) {
                        if ((marks.get() & suspected(number)) != 0) {
                            clearMarks(number);
                        }
                        if (number != begin) {
                            first = number;
                        }
                        return;
                    }
                }
            }
        }
        throw new RejectedExecutionException("no room for another thread among tens of millions");
    }

    private AtomicReferenceArray<@Nullable Task> table(int number) {
        AtomicReferenceArray<@Nullable Task> known = tables.get(number);
        return known == null ? make(number) : known;
    }

    private synchronized AtomicReferenceArray<@Nullable Task> make(int number) {
        AtomicReferenceArray<@Nullable Task> known = tables.get(number);
        if (known == null) {
            known = new AtomicReferenceArray<>(FIRST << number);
            tables.set(number, known);
        }
        return known;
    }

    /**
     * Removes a task that was added. Other threads may see it for a moment longer: a store that they see at once would
     * wait until this CPU has the slot, which another CPU wrote last.
     */
    void remove(Task task) {
        int number = task.place() & ((1 << TABLE_BITS) - 1);
        table(number).setRelease(task.place() >>> TABLE_BITS, null);
        if (number < first && (task.place() >>> TABLE_BITS) % DOWN == 0) {
            first = number;
        }
    }

    /**
     * Visits tasks that are there all the time, and maybe some that come or go meanwhile. The smallest table comes
     * first.
     *
     * @param visitor returns whether to go on
     */
    void forEach(Predicate<Task> visitor) {
        int known = inUse();
        for (int number = 0; number < known; number++) {
            AtomicReferenceArray<@Nullable Task> table = table(number);
            for (int slot = 0; slot < table.length(); slot++) {
                if (!visit(table, slot, visitor)) {
                    return;
                }
            }
        }
    }

    private static long suspected(int number) {
        return 1L << number;
    }

    private void clearMarks(int number) {
        long both = suspected(number) | suspected(number) << EMPTY;
        marks.getAndUpdate(bits -> bits & ~both);
    }

    /**
     * {@return the number of the largest table that may have a task, plus 1} Marks those beyond. Costs little where the
     * largest tables are full or are known to be empty.
     */
    int inUse() {
        int known = 1;
        while (known < MOST_TABLES && tables.get(known) != null) {
            known++;
        }
        while (known > 1 && (isMarkedEmpty(known - 1) || markIfEmpty(known - 1))) {
            known--;
        }
        return known;
    }

    private boolean isMarkedEmpty(int number) {
        return (marks.get() & suspected(number) << EMPTY) != 0;
    }

    /** Returns whether the table was marked as empty: not if it has a task, nor if another visitor marks one. */
    private boolean markIfEmpty(int number) {
        if (!marking.tryLock()) {
            return false;
        }
        try {
            long mark = suspected(number);
            marks.getAndUpdate(bits -> bits | mark);
            if (hasTask(table(number))) {
                clearMarks(number);
                return false;
            }
            return (marks.getAndUpdate(bits -> bits | (bits & mark) << EMPTY) & mark) != 0;
        } finally {
            marking.unlock();
        }
    }

    private static boolean hasTask(AtomicReferenceArray<@Nullable Task> table) {
        for (int slot = 0; slot < table.length(); slot++) {
            if (table.get(slot) != null) {
                return true;
            }
        }
        return false;
    }

    /**
     * Visits as {@link #forEach}, in another order each time. So those that come first are a fair sample, where the
     * smallest tables hold the oldest tasks.
     *
     * @param visitor returns whether to go on
     */
    void sample(Predicate<Task> visitor) {
        int known = inUse();
        int all = FIRST << known; // the tables together have FIRST slots fewer
        int step = ThreadLocalRandom.current().nextInt() | 1; // odd, so that each slot comes once
        int at = ThreadLocalRandom.current().nextInt();
        for (int i = 0; i < all; i++, at += step) {
            int place = at & (all - 1);
            int number = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(place / FIRST + 1);
            if (number < known && !visit(table(number), place - FIRST * ((1 << number) - 1), visitor)) {
                return;
            }
        }
    }

    private static boolean visit(AtomicReferenceArray<@Nullable Task> table, int slot, Predicate<Task> visitor) {
        Task task = table.get(slot);
        return task == null || visitor.test(task);
    }

    /** {@return whether no task is there} A task that is being removed may still count, see {@link #remove}. */
    boolean isEmpty() {
        int known = last;
        if (table(known & ((1 << TABLE_BITS) - 1)).get(known >>> TABLE_BITS) != null) {
            return false;
        }
        boolean[] isEmpty = {true};
        forEach(task -> {
            last = task.place();
            isEmpty[0] = false;
            return false;
        });
        return isEmpty[0];
    }
}
