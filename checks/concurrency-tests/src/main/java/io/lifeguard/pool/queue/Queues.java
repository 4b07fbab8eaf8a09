package io.lifeguard.pool.queue;

import io.lifeguard.pool.queue.WorkQueue.Admission;
import java.io.Serializable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Creates the queues of the tests: at random a ring or a chain of segments, so small that positions meet. */
final class Queues {
    /** Longer than a wake-up takes on the busiest machine. A thread that waits so long was forgotten. */
    static final long FOREVER_NANOS = 20_000_000_000L;

    private Queues() {}

    static WorkQueue ofCapacity(int capacity) {
        return ThreadLocalRandom.current().nextBoolean() ? WorkQueue.bounded(capacity) : new SegmentQueue(capacity, 1);
    }

    static WorkQueue holding(Runnable task) {
        WorkQueue queue = ofCapacity(1);
        queue.add(task);
        return queue;
    }

    static Admission admit(WorkQueue queue, Runnable task, long nanos) {
        return admit(queue, task, nanos, queue.releases());
    }

    static Admission admit(WorkQueue queue, Runnable task, long nanos, long releases) {
        try {
            return queue.admit(task, nanos, releases);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // no test interrupts this
        }
    }

    static @Nullable Runnable poll(WorkQueue queue, long nanos) {
        try {
            return queue.poll(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // no test interrupts this
        }
    }

    /**
     * Whether a parked consumer was handed the search for the tasks in the queue. If so, no other thread can take it.
     */
    static String whoKnowsOfTasks(WorkQueue queue) {
        if (queue.isEmpty()) {
            return "no tasks";
        }
        return queue.idle.startSearch(new IdleWorkers.Seeker()) ? "no consumer" : "woken";
    }

    /** A task that differs from others only by its name. */
    record Task(String name) implements Runnable, Serializable {
        @Override
        public void run() {}

        @Override
        public String toString() {
            return name;
        }
    }
}
