package io.lifeguard.pool.benchmarks.scenarios;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Submits as fast as the pool accepts. One thread only.
 *
 * <p>A bounded queue makes the producer wait by itself. With an unbounded queue at most two chunks of 4,096 tasks are
 * outstanding. A marker follows each chunk, and a chunk is submitted only when the marker of the last but one has run.
 * So memory stays small, the workers always have tasks, and the cost of waiting is spread over 4,096 tasks.
 */
final class Producer {
    private static final int BATCH = 64;
    private static final int CHUNK = 4_096;

    private final Executor executor;
    private final Supplier<Runnable> tasks;
    private final boolean heldBackByQueue;

    Producer(Executor executor, Supplier<Runnable> tasks, int queueCapacity) {
        this.executor = executor;
        this.tasks = tasks;
        this.heldBackByQueue = queueCapacity != Rival.UNBOUNDED;
    }

    /**
     * Submits until the time or the number of tasks is reached, then waits until the last task has run. The queue is
     * empty before and after, so tasks ÷ time is exact.
     */
    Stretch run(long nanos, long most) {
        Marker previous = Marker.passed();
        long submitted = 0;
        long start = System.nanoTime();
        while (submitted < most && System.nanoTime() - start < nanos) {
            submitBatch();
            submitted += BATCH;
            if (!heldBackByQueue && submitted % CHUNK == 0) {
                Marker behind = submitMarker();
                previous.await();
                previous = behind;
            }
        }
        submitMarker().await();
        return new Stretch(submitted, System.nanoTime() - start);
    }

    private void submitBatch() {
        for (int i = 0; i < BATCH; i++) {
            executor.execute(tasks.get());
        }
    }

    private Marker submitMarker() {
        Marker marker = new Marker(false);
        executor.execute(marker);
        return marker;
    }

    /** A number of tasks and the time they took. */
    record Stretch(long tasks, long nanos) {
        static final Stretch NONE = new Stretch(0, 0);

        Stretch plus(Stretch other) {
            return new Stretch(tasks + other.tasks, nanos + other.nanos);
        }
    }

    /** Tells the producer that all tasks before the marker have been started. */
    private static final class Marker implements Runnable {
        private final Thread producer = Thread.currentThread();
        // written once, by a worker; the producer that reads a stale value is unparked after the write
        private volatile boolean passed;

        Marker(boolean passed) {
            this.passed = passed;
        }

        static Marker passed() {
            return new Marker(true);
        }

        @Override
        public void run() {
            passed = true;
            LockSupport.unpark(producer);
        }

        void await() {
            while (!passed) {
                LockSupport.park(this);
            }
        }
    }
}
