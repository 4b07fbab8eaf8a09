package io.lifeguard.pool.benchmarks.scenarios;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.rivals.RivalPool;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Submits some tasks at once to a pool whose workers all sleep, again and again, with a random pause of 1 to 2.5 ms
 * between. The producer sleeps in the pause, because on a small machine a spinning producer would take a processor that
 * a worker needs. Before that the code is warmed up at full load.
 *
 * @param kind what a sample is: the time from the first submission to the start of the task, or to the end of the last
 *     task
 * @param tasks how many tasks are submitted at once
 * @param taskMicros how long each computes
 * @param neighbours who else wants the CPUs
 */
record FromIdle(
        String name, String description, Kind kind, int workers, int tasks, double taskMicros, Neighbours neighbours)
        implements Scenario {
    private static final int QUEUE_CAPACITY = 1_024;
    private static final long SHORTEST_PAUSE_NANOS = 1_000_000;
    private static final long LONGEST_PAUSE_NANOS = 2_500_000;
    private static final int REHEARSALS = 100;

    /** The time that is measured. */
    enum Kind {
        START(Metric.WAKE_UP_P50, Metric.WAKE_UP_P99),
        MAKESPAN(Metric.MAKESPAN_P50, Metric.MAKESPAN_P99);

        private final Metric median;
        private final Metric tail;

        Kind(Metric median, Metric tail) {
            this.median = median;
            this.tail = tail;
        }
    }

    static FromIdle wakeUp() {
        return new FromIdle(
                "wake-up", "one empty task for 4 idle workers: execute to start", Kind.START, 4, 1, 0, Neighbours.NONE);
    }

    /** {@return the same on a busy machine} */
    FromIdle beside(Neighbours others) {
        return new FromIdle(
                "beside-%s-%s".formatted(others.name(), name),
                "%s, beside %s".formatted(description, others.description()),
                kind,
                workers,
                tasks,
                taskMicros,
                others);
    }

    static FromIdle burst() {
        return new FromIdle(
                "burst",
                "8 tasks of 20 µs for 4 idle workers: first execute to last end",
                Kind.MAKESPAN,
                4,
                8,
                20,
                Neighbours.NONE);
    }

    @Override
    public List<Metric> metrics() {
        return List.of(kind.median, kind.tail);
    }

    @Override
    public boolean admits(Rival rival) {
        return rival.supports(QUEUE_CAPACITY) && rival.isPool();
    }

    @Override
    public boolean isIn(String family) {
        return isOnDemand() && family.equals("beside-latency");
    }

    @Override
    public boolean isOnDemand() {
        return neighbours != Neighbours.NONE;
    }

    @Override
    public Map<Metric, Double> measure(Rival rival, Setup setup, LoadMeter load) {
        try (BusyThreads busy = BusyThreads.start(neighbours.threads());
                RivalPool pool = rival.start(workers, QUEUE_CAPACITY)) {
            Producer producer = new Producer(pool.executor(), Tasks.of(1, setup), QUEUE_CAPACITY);
            WarmUp.ofThisJvm().run(nanos -> producer.run(nanos, Long.MAX_VALUE), setup.warmUp());
            Volley volley = new Volley(pool.executor(), tasks, setup.steps(taskMicros), kind == Kind.START);
            SplittableRandom random = new SplittableRandom(setup.seed());
            for (int i = 0; i < REHEARSALS; i++) {
                fire(volley, random);
            }
            Samples samples = new Samples();
            load.start();
            long start = System.nanoTime();
            while (System.nanoTime() - start < setup.measured().toNanos()) {
                samples.add(fire(volley, random));
            }
            load.stop();
            return Map.of(
                    kind.median, samples.percentileMicros(0.5),
                    kind.tail, samples.percentileMicros(0.99));
        }
    }

    private static long fire(Volley volley, SplittableRandom random) {
        volley.fire();
        LockSupport.parkNanos(random.nextLong(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS));
        return volley.nanos();
    }
}
