package io.lifeguard.pool.benchmarks.scenarios;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.rivals.RivalPool;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * How long a submitter waits when the queue is full. A sample is a call of {@code execute} that took much longer than
 * one that finds room. A pool that lets several tasks in at once blocks less often, and longer.
 */
record BlockedSubmit(Neighbours neighbours) implements Scenario {
    private static final int WORKERS = 2;
    private static final int QUEUE_CAPACITY = 1_024;
    private static final double TASK_MICROS = 100;
    /** A call that finds room takes below a microsecond, and one that parks takes at least a wake-up, 10 µs. */
    private static final long BLOCKED_NANOS = 10_000;

    @Override
    public String name() {
        return "beside-%s-blocked-submit".formatted(neighbours.name());
    }

    @Override
    public String description() {
        return "one producer, 2 workers, a full queue of 1,024, tasks of 100 µs, beside " + neighbours.description();
    }

    @Override
    public boolean isIn(String family) {
        return family.equals("beside-latency");
    }

    @Override
    public boolean isOnDemand() {
        return true;
    }

    @Override
    public List<Metric> metrics() {
        return List.of(Metric.BLOCKED_P50, Metric.BLOCKED_P99);
    }

    @Override
    public boolean admits(Rival rival) {
        return rival.supports(QUEUE_CAPACITY) && rival.isPool();
    }

    @Override
    public Map<Metric, Double> measure(Rival rival, Setup setup, LoadMeter load) {
        try (BusyThreads busy = BusyThreads.start(neighbours.threads());
                RivalPool pool = rival.start(WORKERS, QUEUE_CAPACITY)) {
            Supplier<Runnable> tasks = Tasks.of(TASK_MICROS, setup);
            submit(pool.executor(), tasks, setup.warmUp().toNanos());
            load.start();
            Samples samples = submit(pool.executor(), tasks, setup.measured().toNanos());
            load.stop();
            return Map.of(
                    Metric.BLOCKED_P50, samples.percentileMicros(0.5),
                    Metric.BLOCKED_P99, samples.percentileMicros(0.99));
        }
    }

    private static Samples submit(Executor executor, Supplier<Runnable> tasks, long nanos) {
        Samples samples = new Samples();
        long start = System.nanoTime();
        long before = start;
        while (before - start < nanos) {
            executor.execute(tasks.get());
            long after = System.nanoTime();
            if (after - before >= BLOCKED_NANOS) {
                samples.add(after - before);
            }
            before = after;
        }
        return samples;
    }
}
