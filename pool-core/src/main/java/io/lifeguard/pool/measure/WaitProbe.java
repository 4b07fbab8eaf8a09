package io.lifeguard.pool.measure;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Measures the queue wait of an unbiased sample of raw tasks, in a queue that cannot carry the time at which a task was
 * enqueued. Thread-safe and lock-free; its memory is fixed.
 */
/*
 * A task is chosen by chance when it is submitted. The probability depends only on the number of chosen tasks that wait
 * already. A chosen task counts for the reciprocal of the probability. While fewer than 16 chosen tasks wait, every
 * task is chosen; then one in 4, 16, 64 and so on. So the table fills ever more slowly and, with room for 256, is never
 * full. The length of the queue would not do, because some queues have to count their tasks to know it. A task that a
 * user takes out of the queue counts as waiting until it is collected and another task is chosen.
 *
 * Tasks are found again by identity. If the same object waits in the queue several times at once, the first run takes
 * the time of the chosen submission. The measured wait is then a lower bound.
 */
public final class WaitProbe {

    private static final int SLOTS = 256;
    private static final int REACH = 16;
    private static final int ALL_CHOSEN = 16;

    // A slot is free if it is null or its task was collected. Written by submitters and workers, by CAS; a stale read
    // makes the CAS fail.
    private final AtomicReferenceArray<@Nullable Sample> slots = new AtomicReferenceArray<>(SLOTS);

    // Slots in use, so that workers search only while a sampled task waits. Written after a slot; a stale read loses
    // one sample.
    private final AtomicInteger inUse = new AtomicInteger();

    // Samples whose task was collected. Polled only by a submitter that makes a sample while many are waiting, or that
    // puts it in the place of such a one.
    private final ReferenceQueue<@Nullable Runnable> collected = new ReferenceQueue<>();

    /** Chooses the task or not, before it is put into the queue. */
    public void submitted(Runnable task) {
        int weight = weight(inUse.get());
        if (weight > 1) {
            if (ThreadLocalRandom.current().nextInt(weight) != 0) {
                return;
            }
            freeCollected(); // the weight is that of before: the choice must not depend on what is chosen
        }
        Sample sample = new Sample(task, System.nanoTime(), weight, collected);
        int home = home(task);
        for (int i = 0; i < REACH; i++) {
            int slot = (home + i) & (SLOTS - 1);
            Sample there = slots.get(slot);
            if ((there == null || there.get() == null) && slots.compareAndSet(slot, there, sample)) {
                if (there == null) {
                    inUse.incrementAndGet();
                } else {
                    freeCollected(); // otherwise they would pile up while few are waiting
                }
                return;
            }
        }
    }

    /** Frees the slots of tasks that users took out of the queue, and that were collected. */
    private void freeCollected() {
        for (Reference<?> gone = collected.poll(); gone != null; gone = collected.poll()) {
            Sample sample = (Sample) gone;
            for (int slot = 0; slot < SLOTS; slot++) {
                if (slots.get(slot) == sample && slots.compareAndSet(slot, sample, null)) {
                    inUse.decrementAndGet();
                }
            }
        }
    }

    /** Takes out the sample of this task; null if the task was not chosen. */
    @Nullable
    public Sample take(Runnable task) {
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

    /** Forgets the latest submission of this task, if that was chosen, because the queue did not take the task. */
    public void withdraw(Runnable task) {
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

    /** Four times as much for each {@link #ALL_CHOSEN} samples that wait: 1, 4, 16, …, at most 2^30. */
    private static int weight(int waiting) {
        return 1 << Math.min(30, 2 * (waiting / ALL_CHOSEN));
    }

    private static int home(Runnable task) {
        int hash = System.identityHashCode(task);
        return (hash ^ (hash >>> 8)) & (SLOTS - 1);
    }

    /**
     * A chosen task. Held weakly, because a user may remove it from the queue without the pool's knowledge. Immutable.
     */
    public static final class Sample extends WeakReference<@Nullable Runnable> {
        public final long enqueuedNanos;
        public final int weight;

        Sample(Runnable task, long enqueuedNanos, int weight, ReferenceQueue<? super @Nullable Runnable> collected) {
            super(task, collected);
            this.enqueuedNanos = enqueuedNanos;
            this.weight = weight;
        }
    }
}
