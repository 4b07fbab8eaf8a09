package io.lifeguard.pool.benchmarks.scenarios;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * A task that reads its thread's CPU clock at its own first and last instruction.
 *
 * <p>A reading costs about half a microsecond, which the pool counts as part of the task. So the task reads twice at
 * its start: the difference is the current cost of one reading. Between the first and the third reading lie the work,
 * one whole reading and two halves. The two halves outside make one more reading, which is added. The sum is stored in
 * the task itself, because a shared counter would cost a microsecond that the task cannot see.
 */
final class BracketedTask implements Runnable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private final int steps;
    private final long submitted = System.nanoTime();
    // single writer: the worker that runs it, before it sets ended
    private long started;
    private long finished;
    private long cpuNanos;
    private volatile boolean ended;

    private BracketedTask(int steps) {
        this.steps = steps;
    }

    @Override
    public void run() {
        started = System.nanoTime();
        long first = THREADS.getCurrentThreadCpuTime();
        long second = THREADS.getCurrentThreadCpuTime();
        Spin.spin(steps);
        long third = THREADS.getCurrentThreadCpuTime();
        cpuNanos = third - first + (second - first);
        finished = System.nanoTime();
        ended = true;
    }

    /** Sums up the times that tasks measured themselves. Not thread-safe: used by the submitter only. */
    static final class Account {
        private static final long GLANCE_NANOS = 1_000_000;

        private final List<BracketedTask> tasks = new ArrayList<>();

        void submit(Executor executor, int steps) {
            BracketedTask task = new BracketedTask(steps);
            tasks.add(task);
            executor.execute(task);
        }

        /** Returns once all tasks have ended. Only then the sums are right. */
        void awaitAll() {
            for (BracketedTask task : tasks) {
                while (!task.ended) {
                    LockSupport.parkNanos(GLANCE_NANOS);
                }
            }
        }

        long cpuNanos() {
            return tasks.stream().mapToLong(task -> task.cpuNanos).sum();
        }

        long queueWaitNanos() {
            return tasks.stream()
                    .mapToLong(task -> task.started - task.submitted)
                    .sum();
        }

        long serviceNanos() {
            return tasks.stream()
                    .mapToLong(task -> task.finished - task.started)
                    .sum();
        }
    }
}
