package io.lifeguard.pool.benchmarks.scenarios;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.rivals.RivalPool;
import io.lifeguard.pool.benchmarks.rivals.RivalPool.Times;
import io.lifeguard.pool.benchmarks.rivals.Rivals;
import io.lifeguard.pool.benchmarks.scenarios.BracketedTask.Account;
import java.util.EnumMap;
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
 * <p>These tasks also read the clock at their submission, at their first and at their last instruction. Queue wait and
 * service time are compared with the sums of that. In a backlog the pool's own way between two tasks would count as an
 * error of 10 µs tasks.
 *
 * <p>A pool that also reports the CPU time of idle workers is compared with that sum in every case, because tasks and
 * idle time together are everything that the threads burnt.
 */
record CpuAccuracy(String name, String description, Load kind, Neighbours neighbours) implements Scenario {
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
                        kind,
                        Neighbours.NONE);
            case MIXED ->
                new CpuAccuracy(
                        "cpu-mixed",
                        "reported CPU time; 50 tasks of 20 µs to 2 ms, then 0 to 50 ms of nothing",
                        kind,
                        Neighbours.NONE);
            case SPARSE ->
                new CpuAccuracy(
                        "cpu-sparse",
                        "reported CPU time; one task of 20 to 500 µs every 0.5 to 1.5 ms",
                        kind,
                        Neighbours.NONE);
        };
    }

    /** {@return the same on a busy machine} */
    CpuAccuracy beside(Neighbours others) {
        return new CpuAccuracy(
                "beside-%s-%s".formatted(others.name(), name),
                "%s, beside %s".formatted(description, others.description()),
                kind,
                others);
    }

    @Override
    public boolean isIn(String family) {
        return isOnDemand() && family.equals("beside-accuracy");
    }

    @Override
    public boolean isOnDemand() {
        return neighbours != Neighbours.NONE;
    }

    @Override
    public List<Metric> metrics() {
        return kind == Load.BACKLOG
                ? List.of(Metric.CPU_ERROR, Metric.CPU_TOTAL_ERROR, Metric.CPU_SHARE)
                : List.of(
                        Metric.CPU_ERROR,
                        Metric.CPU_TOTAL_ERROR,
                        Metric.CPU_SHARE,
                        Metric.QUEUE_WAIT_ERROR,
                        Metric.SERVICE_TIME_ERROR);
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
        try (BusyThreads busy = BusyThreads.start(neighbours.threads());
                RivalPool pool = rival.start(WORKERS, QUEUE_CAPACITY)) {
            Executor executor = pool.executor();
            WorkerThreads threads = WorkerThreads.find(executor, WORKERS);
            warmUp(executor, setup);

            load.start();
            long threadsBefore = threads.cpuNanosAtRest();
            Times before = pool.times();
            Account account = work(executor, setup, new SplittableRandom(setup.seed()));
            account.awaitAll();
            double ofThreads = threads.cpuNanosAtRest() - threadsBefore;
            Times reported = pool.times().since(before);
            load.stop();

            double truth = kind == Load.BACKLOG ? ofThreads : account.cpuNanos();
            Map<Metric, Double> values = new EnumMap<>(Metric.class);
            values.put(Metric.CPU_ERROR, percentOff(reported.cpuNanos(), truth));
            values.put(Metric.CPU_TOTAL_ERROR, percentOff(reported.cpuNanos() + reported.idleCpuNanos(), ofThreads));
            values.put(Metric.CPU_SHARE, 100 * reported.cpuNanos() / ofThreads);
            if (kind != Load.BACKLOG) {
                values.put(Metric.QUEUE_WAIT_ERROR, percentOff(reported.queueWaitNanos(), account.queueWaitNanos()));
                values.put(Metric.SERVICE_TIME_ERROR, percentOff(reported.serviceNanos(), account.serviceNanos()));
            }
            return values;
        }
    }

    private static double percentOff(double reported, double truth) {
        return 100 * (reported / truth - 1);
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
            account.submit(executor, setup.steps(1));
            LockSupport.parkNanos(WAKING_NANOS);
        }
        account.awaitAll();
    }

    /** Works for this time, and returns the tasks that measured themselves: none of a backlog. */
    private Account work(Executor executor, Setup setup, SplittableRandom random) {
        long nanos = setup.measured().toNanos();
        Account account = new Account();
        if (kind == Load.BACKLOG) {
            new Producer(executor, Tasks.of(BACKLOG_MICROS, setup), QUEUE_CAPACITY).run(nanos, Long.MAX_VALUE);
            return account;
        }
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            boolean burst = kind == Load.MIXED;
            int tasks = burst ? BURST : 1;
            for (int i = 0; i < tasks; i++) {
                double micros = logUniform(random, 20, burst ? 2_000 : 500);
                account.submit(executor, setup.steps(micros));
            }
            LockSupport.parkNanos(burst ? random.nextLong(50_000_000) : random.nextLong(500_000, 1_500_000));
        }
        return account;
    }

    private static double logUniform(SplittableRandom random, double least, double most) {
        return least * Math.pow(most / least, random.nextDouble());
    }
}
