package io.lifeguard.pool.benchmarks.scenarios;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Submits some tasks at once, and measures the time until the last has started or ended. Used by one thread. */
final class Volley {
    private static final long GLANCE_NANOS = 100_000;

    private final Executor executor;
    private final int tasks;
    private final int steps;
    private final Runnable task;

    // tasks of this volley that have not started or ended yet; reset by the producer when none is left
    private final AtomicInteger outstanding = new AtomicInteger();

    private long firedNanos;
    // 0 until the last task has started or ended; written by its worker
    private volatile long reachedNanos;

    Volley(Executor executor, int tasks, int steps, boolean untilStart) {
        this.executor = executor;
        this.tasks = tasks;
        this.steps = steps;
        this.task = untilStart ? this::start : this::work;
    }

    void fire() {
        outstanding.set(tasks);
        reachedNanos = 0;
        firedNanos = System.nanoTime();
        for (int i = 0; i < tasks; i++) {
            executor.execute(task);
        }
    }

    /** Time from the first submission to the end. Waits for the end, which is usually long past. */
    long nanos() {
        long reached = reachedNanos;
        while (reached == 0) {
            LockSupport.parkNanos(GLANCE_NANOS);
            reached = reachedNanos;
        }
        return reached - firedNanos;
    }

    private void start() {
        arrive(System.nanoTime());
        Spin.spin(steps);
    }

    private void work() {
        Spin.spin(steps);
        arrive(System.nanoTime());
    }

    /**
     * Reads the clock before it counts. So the last task to count has also read the clock last, unless it was preempted
     * between.
     */
    private void arrive(long now) {
        if (outstanding.decrementAndGet() == 0) {
            reachedNanos = now;
        }
    }
}
