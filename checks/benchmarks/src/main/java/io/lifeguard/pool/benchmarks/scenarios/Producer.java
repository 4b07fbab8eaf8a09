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
    private static final double OUTSTANDING_MICROS = 80_000;

    private final Executor executor;
    private final Supplier<Runnable> tasks;
    private final boolean heldBackByQueue;
    private final int chunk;

    Producer(Executor executor, Supplier<Runnable> tasks, int queueCapacity) {
        this(executor, tasks, queueCapacity, CHUNK);
    }

    /**
     * Creates a producer.
     *
     * @param chunk a multiple of {@link #BATCH}; without a bound, at most twice as many tasks are outstanding
     */
    Producer(Executor executor, Supplier<Runnable> tasks, int queueCapacity, int chunk) {
        this.executor = executor;
        this.tasks = tasks;
        this.chunk = chunk;
        this.heldBackByQueue = queueCapacity != Rival.UNBOUNDED;
    }

    /** The largest chunk of which all producers together have at most 80 ms of work outstanding. */
    static int chunk(double taskMicros, int producers) {
        double most = OUTSTANDING_MICROS / 2 / Math.max(0.1, taskMicros) / producers;
        return Math.max(BATCH, (int) (Math.min(CHUNK, most) / BATCH) * BATCH);
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
            if (!heldBackByQueue && submitted % chunk == 0) {
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
