package io.lifeguard.pool.benchmarks.scenarios;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.rivals.RivalPool;
import io.lifeguard.pool.benchmarks.rivals.Rivals;
import io.lifeguard.pool.benchmarks.scenarios.BracketedTask.Account;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * Compares the CPU time that a pool reports for its tasks with the truth, which is always the operating system's figure
 * for single threads.
 *
 * <p>In a backlog the workers always have a task. The truth is then the whole CPU time of their threads according to
 * {@code /proc/self/task/<tid>/schedstat}, read while they sleep before and after. It includes what the pool does
 * between two tasks, and so does the figure that the pool reports.
 *
 * <p>When workers idle between tasks, that sum also includes searching, parking and waking, which belong to no task.
 * Then the tasks read their thread's clock themselves, see {@link BracketedTask}, and the truth is the sum of these
 * readings. It includes nothing of the pool, so the way into and out of the task counts as the pool's error. The sum of
 * the threads is then an upper bound, and the report quotes the share of it that the pool reported.
 *
 * <p>A pool that also reports the CPU time of idle workers is compared with that sum in every case, because tasks and
 * idle time together are everything that the threads burnt.
 */
record CpuAccuracy(String name, String description, Load kind) implements Scenario {
    private static final int WORKERS = 2;
    private static final int QUEUE_CAPACITY = 1_024;
    private static final double BACKLOG_MICROS = 10;
    private static final int BURST = 50;
    private static final long WAKING_NANOS = 50_000;

    /** How the tasks arrive. */
    enum Load {
        BACKLOG,
        MIXED,
        SPARSE
    }

    static CpuAccuracy of(Load kind) {
        return switch (kind) {
            case BACKLOG ->
                new CpuAccuracy(
                        "cpu-backlog",
                        "reported CPU time; 10 µs tasks, the queue never empty; truth: the threads'",
                        kind);
            case MIXED ->
                new CpuAccuracy(
                        "cpu-mixed", "reported CPU time; 50 tasks of 20 µs to 2 ms, then 0 to 50 ms of nothing", kind);
            case SPARSE ->
                new CpuAccuracy("cpu-sparse", "reported CPU time; one task of 20 to 500 µs every 0.5 to 1.5 ms", kind);
        };
    }

    @Override
    public List<Metric> metrics() {
        return List.of(Metric.CPU_ERROR, Metric.CPU_TOTAL_ERROR, Metric.CPU_SHARE);
    }

    @Override
    public boolean admits(Rival rival) {
        return rival.name().equals(Rivals.OURS) || rival.name().equals(Rivals.NAIVE);
    }

    @Override
    public Map<Metric, Double> measure(Rival rival, Setup setup, LoadMeter load) {
        if (!WorkerThreads.areVisible()) {
            throw new IllegalStateException("this system does not tell the CPU time of single threads");
        }
        try (RivalPool pool = rival.start(WORKERS, QUEUE_CAPACITY)) {
            Executor executor = pool.executor();
            WorkerThreads threads = WorkerThreads.find(executor, WORKERS);
            warmUp(executor, setup);

            load.start();
            long threadsBefore = threads.cpuNanosAtRest();
            long reportedBefore = pool.cpuNanos();
            long idleBefore = pool.idleCpuNanos();
            long bracketed = work(executor, setup, new SplittableRandom(setup.seed()));
            double ofThreads = threads.cpuNanosAtRest() - threadsBefore;
            double reported = pool.cpuNanos() - reportedBefore;
            double idle = pool.idleCpuNanos() - idleBefore;
            load.stop();

            double truth = kind == Load.BACKLOG ? ofThreads : bracketed;
            return Map.of(
                    Metric.CPU_ERROR,
                    100 * (reported / truth - 1),
                    Metric.CPU_TOTAL_ERROR,
                    100 * ((reported + idle) / ofThreads - 1),
                    Metric.CPU_SHARE,
                    100 * reported / ofThreads);
        }
    }

    /**
     * Warms up by a backlog, and then by many tasks that each wake a worker, because that path must be compiled too.
     */
    private static void warmUp(Executor executor, Setup setup) {
        long nanos = setup.warmUp().toNanos();
        new Producer(executor, Tasks.of(1, setup), QUEUE_CAPACITY).run(nanos, Long.MAX_VALUE);
        Account account = new Account();
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            executor.execute(account.newTask(setup.steps(1)));
            LockSupport.parkNanos(WAKING_NANOS);
        }
        account.cpuNanos();
    }

    /** Works for this time, and returns the CPU time that the tasks measured themselves, 0 for a backlog. */
    private long work(Executor executor, Setup setup, SplittableRandom random) {
        long nanos = setup.measured().toNanos();
        if (kind == Load.BACKLOG) {
            new Producer(executor, Tasks.of(BACKLOG_MICROS, setup), QUEUE_CAPACITY).run(nanos, Long.MAX_VALUE);
            return 0;
        }
        Account account = new Account();
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            boolean burst = kind == Load.MIXED;
            int tasks = burst ? BURST : 1;
            for (int i = 0; i < tasks; i++) {
                double micros = logUniform(random, 20, burst ? 2_000 : 500);
                executor.execute(account.newTask(setup.steps(micros)));
            }
            LockSupport.parkNanos(burst ? random.nextLong(50_000_000) : random.nextLong(500_000, 1_500_000));
        }
        return account.cpuNanos();
    }

    private static double logUniform(SplittableRandom random, double least, double most) {
        return least * Math.pow(most / least, random.nextDouble());
    }
}
