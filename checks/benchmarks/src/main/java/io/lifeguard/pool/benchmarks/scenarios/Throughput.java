package io.lifeguard.pool.benchmarks.scenarios;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.rivals.RivalPool;
import io.lifeguard.pool.benchmarks.rivals.Rivals;
import io.lifeguard.pool.benchmarks.scenarios.Producer.Stretch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * One producer that submits as fast as it can to some workers.
 *
 * @param workers threads of the pool
 * @param queueCapacity capacity of its queue, or {@link Rival#UNBOUNDED}
 * @param taskMicros how long a task computes
 * @param first whether it measures the second second of a JVM's work, while the compilers are still busy
 */
record Throughput(String name, String description, int workers, int queueCapacity, double taskMicros, boolean first)
        implements Scenario {
    private static final int MEASURED_STRETCHES = 3;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    static Throughput of(String name, int workers, int queueCapacity, double taskMicros) {
        String size = taskMicros == 0 ? "empty" : "%.0f µs".formatted(taskMicros);
        String queue = queueCapacity == Rival.UNBOUNDED ? "no bound" : "a queue of %,d".formatted(queueCapacity);
        return new Throughput(
                name,
                "one producer, %d workers, %s, tasks: %s".formatted(workers, queue, size),
                workers,
                queueCapacity,
                taskMicros,
                false);
    }

    /**
     * {@return the same in the first seconds} One second of warm-up and one second of measurement, whatever the
     * compilers do: what short programs and young services experience.
     */
    Throughput inFirstSeconds() {
        return new Throughput(
                "first-" + name, description + ", in the first seconds", workers, queueCapacity, taskMicros, true);
    }

    @Override
    public List<Metric> metrics() {
        return first
                ? List.of(Metric.THROUGHPUT, Metric.CPU_PER_TASK)
                : List.of(Metric.THROUGHPUT, Metric.CPU_PER_TASK, Metric.ALLOCATION, Metric.SWITCHES);
    }

    @Override
    public boolean admits(Rival rival) {
        // the compiler would remove an empty loop
        return isCeiling(rival) ? queueCapacity != Rival.UNBOUNDED && taskMicros > 0 : rival.supports(queueCapacity);
    }

    @Override
    public Map<Metric, Double> measure(Rival rival, Setup setup, LoadMeter load) {
        Supplier<Runnable> tasks = Tasks.of(taskMicros, setup);
        if (isCeiling(rival)) {
            Work loops = nanos -> BareLoops.run(workers, tasks.get(), nanos);
            return measure(loops, 0, setup, load);
        }
        try (RivalPool pool = rival.start(workers, queueCapacity)) {
            Producer producer = new Producer(pool.executor(), tasks, queueCapacity);
            double bytes = setup.freshTasks() ? Tasks.bytesEach(tasks) : 0;
            return measure(nanos -> producer.run(nanos, Long.MAX_VALUE), bytes, setup, load);
        }
    }

    private Map<Metric, Double> measure(Work work, double bytesOfTask, Setup setup, LoadMeter load) {
        if (first) {
            work.run(SECOND);
        } else {
            WarmUp.ofThisJvm().run(work::run, setup.warmUp());
        }
        load.start();
        ProcessGauge before = ProcessGauge.atStart();
        Stretch stretch = first ? work.run(SECOND) : repeat(work, setup.measured());
        ProcessGauge used = ProcessGauge.atEnd().since(before);
        load.stop();
        double tasks = stretch.tasks();
        if (first) {
            return Map.of(
                    Metric.THROUGHPUT, tasks / stretch.nanos() * 1e6, Metric.CPU_PER_TASK, used.cpuNanos() / tasks);
        }
        return Map.of(
                Metric.THROUGHPUT,
                tasks / stretch.nanos() * 1e6,
                Metric.CPU_PER_TASK,
                used.cpuNanos() / tasks,
                Metric.ALLOCATION,
                used.allocatedBytes() / tasks - bytesOfTask,
                Metric.SWITCHES,
                used.contextSwitches() / tasks * 1e3);
    }

    private static Stretch repeat(Work work, Duration time) {
        Stretch sum = Stretch.NONE;
        for (int i = 0; i < MEASURED_STRETCHES; i++) {
            sum = sum.plus(work.run(time.toNanos() / MEASURED_STRETCHES));
        }
        return sum;
    }

    private static boolean isCeiling(Rival rival) {
        return rival.name().equals(Rivals.CEILING);
    }

    /** Works for this time, and returns the number of tasks. */
    @FunctionalInterface
    private interface Work {
        Stretch run(long nanos);
    }
}
