package io.lifeguard.pool.benchmarks.scenarios;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A task that reads its thread's CPU clock at its own first and last instruction.
 *
 * <p>Reading costs about half a microsecond, which is part of the task for the pool that runs it. So it reads twice at
 * first: the difference is one reading's cost, here and now. Between the first and the third reading lie the work, one
 * whole reading and two halves; the two halves outside make one more, which is added. The sum is left in the task, whose
 * memory is at hand: a common account would cost a microsecond that the task itself cannot see.
 */
final class BracketedTask implements Runnable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long NOT_YET = -1;

    private final int steps;
    private volatile long cpuNanos = NOT_YET; // single writer: the worker that runs it

    private BracketedTask(int steps) {
        this.steps = steps;
    }

    @Override
    public void run() {
        long first = THREADS.getCurrentThreadCpuTime();
        long second = THREADS.getCurrentThreadCpuTime();
        Spin.spin(steps);
        long third = THREADS.getCurrentThreadCpuTime();
        cpuNanos = third - first + (second - first);
    }

    /** What the tasks themselves say of their CPU time. Not thread-safe: for the submitter. */
    static final class Account {
        private static final long GLANCE_NANOS = 1_000_000;

        private final List<BracketedTask> tasks = new ArrayList<>();

        BracketedTask newTask(int steps) {
            BracketedTask task = new BracketedTask(steps);
            tasks.add(task);
            return task;
        }

        /** The sum over all tasks, once they have ended. */
        long cpuNanos() {
            long sum = 0;
            for (BracketedTask task : tasks) {
                while (task.cpuNanos == NOT_YET) {
                    LockSupport.parkNanos(GLANCE_NANOS);
                }
                sum += task.cpuNanos;
            }
            return sum;
        }
    }
}
