package io.lifeguard.pool.benchmarks.rivals;

import io.lifeguard.pool.benchmarks.rivals.RivalPool.Times;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * A simple measuring pool. Thread-safe. It has a wrapper per task, three readings of the clock, two of the CPU clock,
 * and adders for the sums.
 */
final class NaiveThreadPoolExecutor extends ThreadPoolExecutor {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final LongAdder completed = new LongAdder();
    private final LongAdder waitNanos = new LongAdder();
    private final LongAdder wallNanos = new LongAdder();
    private final LongAdder cpuNanos = new LongAdder();

    NaiveThreadPoolExecutor(int workers, int queueCapacity) {
        super(workers, workers, 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(queueCapacity), new PutWhenFull());
    }

    @Override
    public void execute(Runnable task) {
        super.execute(new Measured(task, System.nanoTime()));
    }

    Times times() {
        return new Times(cpuNanos.sum(), 0, waitNanos.sum(), wallNanos.sum());
    }

    private final class Measured implements Runnable {
        private final Runnable task;
        private final long submitted;

        Measured(Runnable task, long submitted) {
            this.task = task;
            this.submitted = submitted;
        }

        @Override
        public void run() {
            long started = System.nanoTime();
            long cpuBefore = THREADS.getCurrentThreadCpuTime();
            try {
                task.run();
            } finally {
                cpuNanos.add(THREADS.getCurrentThreadCpuTime() - cpuBefore);
                wallNanos.add(System.nanoTime() - started);
                waitNanos.add(started - submitted);
                completed.increment();
            }
        }
    }
}
