package io.lifeguard.pool;

import java.lang.ref.WeakReference;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Measures the queue wait of raw tasks in a queue that is not ours and whose slots have no room for a time, on an unbiased sample:
 * a task is chosen when it is submitted, by chance alone, with a probability of about 16 ÷ queue length, and counts for the
 * reciprocal of that. Thread-safe and lock-free; its memory is fixed.
 *
 * <p>Tasks are found again by identity. If the same object waits in the queue several times at once, the first to start takes the
 * time of the chosen one, so its wait is a lower bound.
 */
final class WaitProbe {

    private static final int SLOTS = 256;
    private static final int REACH = 16;
    private static final int MOST_EXPECTED = 16;

    /** A null slot is free. Written by CAS only. An entry whose task is gone is free too. */
    private final AtomicReferenceArray<@Nullable Sample> slots = new AtomicReferenceArray<>(SLOTS);

    /** Slots in use; spares workers the search while nothing is sampled. A stale read loses one sample. */
    private final AtomicInteger inUse = new AtomicInteger();

    /** Chooses the task or not, before it is put into a queue of the given length. */
    void submitted(Runnable task, int queued) {
        int weight = Math.max(1, queued / MOST_EXPECTED);
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
