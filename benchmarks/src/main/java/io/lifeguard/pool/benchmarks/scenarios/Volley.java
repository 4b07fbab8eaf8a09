package io.lifeguard.pool.benchmarks.scenarios;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Some tasks submitted at once, and the time until the last has started or ended. Fired by one thread. */
final class Volley {
    private static final long GLANCE_NANOS = 100_000;

    private final Executor executor;
    private final int tasks;
    private final int steps;
    private final Runnable task;

    // tasks of this volley that have not got there: reset by the producer when none is left
    private final AtomicInteger outstanding = new AtomicInteger();

    private long firedNanos;
    // 0 until the last task got there; written by its worker
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

    /** From the first submission to the end; waits for it, though it is long past as a rule. */
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

    /** The clock is read before the count: the last to count is the last to have read it, but for a preemption between. */
    private void arrive(long now) {
        if (outstanding.decrementAndGet() == 0) {
            reachedNanos = now;
        }
    }
}
