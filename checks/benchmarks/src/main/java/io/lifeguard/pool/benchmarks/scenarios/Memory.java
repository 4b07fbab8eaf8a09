package io.lifeguard.pool.benchmarks.scenarios;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.rivals.RivalPool;
import io.lifeguard.pool.benchmarks.rivals.Rivals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The heap that a pool retains beyond the stock pool's, after many tasks of many classes.
 *
 * <p>The heap is measured after full collections of the serial collector: once before some equal pools are created, and
 * once after they have worked. The difference has everything that a pool keeps alive, wherever it keeps it,
 * thread-locals included. Pools of 2 and of 10 workers tell apart what is per worker and what is per pool. The stock
 * pool is measured in the same JVM and subtracted. Other load on the machine does not change the result, so it is not
 * watched.
 */
final class Memory implements Scenario {
    // the naive subclass would need many minutes, and keeps only four sums
    private static final Set<String> MEASURING =
            Set.of(Rivals.OURS, Rivals.MICROMETER, Rivals.DROPWIZARD, Rivals.DYNAMIC_TP);
    private static final int QUEUE_CAPACITY = 1_024;
    private static final int FEW = 2;
    private static final int MANY = 10;
    private static final int POOLS = 4;
    private static final long REHEARSAL_TASKS = 20_000;
    private static final int ROUNDS_OF_KINDS = 40;
    private static final long SLOWEST_NANOS_PER_TASK = 10_000;
    private static final double BYTES_PER_KIB = 1_024;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String description() {
        return "heap retained beyond the stock pool's after very many tasks, 256 classes of task among them";
    }

    @Override
    public List<Metric> metrics() {
        return List.of(Metric.MEMORY_PER_WORKER, Metric.MEMORY_PER_POOL);
    }

    @Override
    public boolean admits(Rival rival) {
        return MEASURING.contains(rival.name());
    }

    @Override
    public int mostRounds() {
        return 3;
    }

    @Override
    public List<String> jvmArguments() {
        // compacts at every collection, and clears soft references;
        // the monitor's history grows with time, not with tasks
        return List.of(
                "-XX:+UseSerialGC",
                "-XX:MarkSweepAlwaysCompactCount=1",
                "-XX:SoftRefLRUPolicyMSPerMB=0",
                "-Dlifeguard.monitor=off");
    }

    @Override
    public Duration limit(Setup setup) {
        return Duration.ofMinutes(1).plusNanos(setup.memoryTasks() * SLOWEST_NANOS_PER_TASK);
    }

    @Override
    public Map<Metric, Double> measure(Rival rival, Setup setup, LoadMeter load) {
        Rival stock = Rivals.named(Rivals.BASELINE).orElseThrow();
        Supplier<Runnable> tasks = Tasks.of(0, setup);
        List<Runnable> kinds = TaskKinds.all();
        for (Rival either : List.of(stock, rival)) {
            retained(either, FEW, kinds, tasks, REHEARSAL_TASKS);
        }
        double few = retained(rival, FEW, kinds, tasks, setup.memoryTasks() / 2)
                - retained(stock, FEW, kinds, tasks, REHEARSAL_TASKS);
        double many = retained(rival, MANY, kinds, tasks, setup.memoryTasks() / 2)
                - retained(stock, MANY, kinds, tasks, REHEARSAL_TASKS);
        double perWorker = (many - few) / (MANY - FEW);
        return Map.of(
                Metric.MEMORY_PER_WORKER, perWorker / BYTES_PER_KIB,
                Metric.MEMORY_PER_POOL, (few - FEW * perWorker) / BYTES_PER_KIB);
    }

    private static double retained(
            Rival rival, int workers, List<Runnable> kinds, Supplier<Runnable> tasks, long tasksInAll) {
        long before = Heap.settled();
        List<RivalPool> pools = new ArrayList<>();
        try {
            for (int i = 0; i < POOLS; i++) {
                RivalPool pool = rival.start(workers, QUEUE_CAPACITY);
                pools.add(pool);
                work(pool, kinds, tasks, tasksInAll / POOLS);
            }
            return (double) (Heap.settled() - before) / POOLS;
        } finally {
            pools.forEach(RivalPool::close);
        }
    }

    private static void work(RivalPool pool, List<Runnable> kinds, Supplier<Runnable> tasks, long count) {
        for (int i = 0; i < ROUNDS_OF_KINDS; i++) {
            kinds.forEach(pool.executor()::execute);
        }
        new Producer(pool.executor(), tasks, QUEUE_CAPACITY).run(Long.MAX_VALUE, count);
    }
}
