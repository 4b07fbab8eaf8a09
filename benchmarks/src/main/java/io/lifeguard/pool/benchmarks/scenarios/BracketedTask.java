package io.lifeguard.pool.benchmarks.scenarios;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A task that reads its thread's CPU clock at its own first and last instruction.
 *
 * <p>Reading costs about half a microsecond, which is part of the task for the pool that runs it. So it reads twice at
 * first: the difference is one reading's cost, here and now. Between the first and the third reading lie the work, one
 * whole reading and two halves; the two halves outside make one more, which is added.
 */
final class BracketedTask implements Runnable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int steps;
    private final Account account;

    BracketedTask(int steps, Account account) {
        this.steps = steps;
        this.account = account;
    }

    @Override
    public void run() {
        long first = THREADS.getCurrentThreadCpuTime();
        long second = THREADS.getCurrentThreadCpuTime();
        Spin.spin(steps);
        long third = THREADS.getCurrentThreadCpuTime();
        account.cpuNanos.add(third - first + (second - first));
        account.ended.increment();
    }

    /** What the tasks themselves say of their CPU time. Thread-safe. */
    static final class Account {
        private static final long GLANCE_NANOS = 1_000_000;

        private final LongAdder cpuNanos = new LongAdder();
        private final LongAdder ended = new LongAdder();

        /** The sum, once so many tasks have ended. */
        long cpuNanosOf(long tasks) {
            while (ended.sum() < tasks) {
                LockSupport.parkNanos(GLANCE_NANOS);
            }
            return cpuNanos.sum();
        }
    }
}
