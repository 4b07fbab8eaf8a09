package io.lifeguard.pool;

import java.lang.ref.WeakReference;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Measures the queue wait of raw tasks in a queue that is not ours and whose slots have no room for a time, on an unbiased
 * sample: a task is chosen when it is submitted, by chance, with a probability that depends only on how many chosen tasks
 * wait already, and counts for the reciprocal of that. Thread-safe and lock-free; its memory is fixed.
 *
 * <p>The queue is never asked for its length, which some queues can only tell by counting. Up to 16 waiting tasks are all
 * chosen; then one in 4, 16, 64 and so on, so that the table fills ever more slowly and, with room for 256, not at all.
 *
 * <p>Tasks are found again by identity. If the same object waits in the queue several times at once, the first to start
 * takes the time of the chosen one, so its wait is a lower bound.
 */
final class WaitProbe {

    private static final int SLOTS = 256;
    private static final int REACH = 16;
    private static final int ALL_CHOSEN = 16;

    /** A null slot is free. Written by CAS only. An entry whose task is gone is free too. */
    private final AtomicReferenceArray<@Nullable Sample> slots = new AtomicReferenceArray<>(SLOTS);

    /** Slots in use; spares workers the search while nothing is sampled. A stale read loses one sample. */
    private final AtomicInteger inUse = new AtomicInteger();

    /** Chooses the task or not, before it is put into the queue. */
    void submitted(Runnable task) {
        int weight = weight(inUse.get());
        if (weight > 1 && ThreadLocalRandom.current().nextInt(weight) != 0) {
            return;
        }
        Sample sample = new Sample(task, System.nanoTime(), weight);
        int home = home(task);
        for (int i = 0; i < REACH; i++) {
            int slot = (home + i) & (SLOTS - 1);
            Sample there = slots.get(slot);
            if ((there == null || there.get() == null) && slots.compareAndSet(slot, there, sample)) {
                if (there == null) {
                    inUse.incrementAndGet();
                }
                return;
            }
        }
    }

    /** The sample of this task, if it was chosen; it is taken out. */
    @Nullable
    Sample take(Runnable task) {
        if (inUse.get() == 0) {
            return null;
        }
        int home = home(task);
        for (int i = 0; i < REACH; i++) {
            int slot = (home + i) & (SLOTS - 1);
            Sample there = slots.get(slot);
            if (there != null && there.refersTo(task) && slots.compareAndSet(slot, there, null)) {
                inUse.decrementAndGet();
                return there;
            }
        }
        return null;
    }

    /** Forgets the latest submission of this task, if it was chosen: the queue did not take it. */
    void withdraw(Runnable task) {
        Sample latest = null;
        int at = 0;
        int home = home(task);
        for (int i = 0; i < REACH && inUse.get() > 0; i++) {
            int slot = (home + i) & (SLOTS - 1);
            Sample there = slots.get(slot);
            if (there != null
                    && there.refersTo(task)
                    && (latest == null || there.enqueuedNanos - latest.enqueuedNanos > 0)) {
                latest = there;
                at = slot;
            }
        }
        if (latest != null && slots.compareAndSet(at, latest, null)) {
            inUse.decrementAndGet();
        }
    }

    /** Four times as many for each {@link #ALL_CHOSEN} samples that wait: 1, 4, 16, …, at most 2^30. */
    private static int weight(int waiting) {
        return 1 << Math.min(30, 2 * (waiting / ALL_CHOSEN));
    }

    private static int home(Runnable task) {
        int hash = System.identityHashCode(task);
        return (hash ^ (hash >>> 8)) & (SLOTS - 1);
    }

    /** A chosen task, held weakly since it may be removed from the queue behind our back. Immutable. */
    static final class Sample extends WeakReference<@Nullable Runnable> {
        private final long enqueuedNanos;
        private final int weight;

        Sample(Runnable task, long enqueuedNanos, int weight) {
            super(task);
            this.enqueuedNanos = enqueuedNanos;
            this.weight = weight;
        }

        long enqueuedNanos() {
            return enqueuedNanos;
        }

        int weight() {
            return weight;
        }
    }
}
