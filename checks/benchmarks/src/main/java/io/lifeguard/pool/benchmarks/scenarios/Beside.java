package io.lifeguard.pool.benchmarks.scenarios;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.rivals.RivalPool;
import io.lifeguard.pool.benchmarks.scenarios.Producer.Stretch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One cell of the table of busy machines: a pool at full load, beside neighbours that want the CPUs too.
 *
 * @param neighbours who wants them
 * @param load what the pool does
 * @param first whether it measures a JVM one second old, which is then a fork of its own
 */
public record Beside(Neighbours neighbours, Load load, boolean first) implements Scenario {
    private static final int CAPACITY = 1_024;
    private static final Duration FIRST_WARM_UP = Duration.ofSeconds(1);
    private static final Duration FIRST_MEASURED = Duration.ofMillis(500);
    private static final Duration REHEARSED = Duration.ofMillis(60);
    private static final Duration WARM_UP = Duration.ofMillis(80);
    private static final Duration MEASURED = Duration.ofMillis(200);
    private static final Duration OLD_ENOUGH = Duration.ofSeconds(3);

    /**
     * The load of a pool.
     *
     * @param queueCapacity capacity of its queue, or {@link Rival#UNBOUNDED}
     */
    public record Load(int queueCapacity, double taskMicros, int workers, int producers) {
        public String name() {
            return "%s-%s-%dw-%dp".formatted(queue(), task().replace(" µs", "us"), workers, producers);
        }

        String queue() {
            return queueCapacity == Rival.UNBOUNDED ? "unbounded" : "bounded";
        }

        String task() {
            return taskMicros == 0 ? "empty" : "%.0f µs".formatted(taskMicros);
        }

        public String description() {
            return "%s, %s, %d workers, %s"
                    .formatted(queue(), task(), workers, producers == 1 ? "1 producer" : producers + " producers");
        }
    }

    /** The loads, in the order of the table. */
    public static List<Load> loads() {
        List<Load> loads = new ArrayList<>();
        for (int capacity : List.of(CAPACITY, Rival.UNBOUNDED)) {
            for (double micros : List.of(0.0, 1.0, 10.0, 100.0)) {
                for (int workers : List.of(2, 16, 64)) {
                    for (int producers : List.of(1, 8)) {
                        loads.add(new Load(capacity, micros, workers, producers));
                    }
                }
            }
        }
        return loads;
    }

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        for (boolean first : List.of(true, false)) {
            for (Neighbours neighbours : Neighbours.ALL) {
                loads().forEach(load -> all.add(new Beside(neighbours, load, first)));
            }
        }
        return all;
    }

    @Override
    public String name() {
        return "beside-%s-%s%s".formatted(neighbours.name(), load.name(), first ? "-first" : "");
    }

    @Override
    public String description() {
        return "%s, beside %s%s"
                .formatted(load.description(), neighbours.description(), first ? ", in the first seconds" : "");
    }

    /** A young JVM can measure only one cell. An older one measures all that differ in tasks, workers and producers. */
    @Override
    public String fork() {
        return first ? name() : "beside-%s-%s".formatted(neighbours.name(), load.queue());
    }

    /** The loads of the first seconds need a fork each. So the short table has those that differ most. */
    @Override
    public boolean isIn(String family) {
        boolean plain = load.workers == 2 && load.producers == 1;
        boolean crowded = neighbours == Neighbours.FOUR_PROCESSES
                && load.taskMicros == 1
                && (load.workers == 16 && load.producers == 1 || load.workers == 64 && load.producers == 8);
        return family.equals("beside") && (!first || plain || crowded);
    }

    @Override
    public boolean isQuick() {
        boolean bounded = load.queueCapacity != Rival.UNBOUNDED;
        return first
                && neighbours == Neighbours.FOUR_PROCESSES
                && load.producers == 1
                && (load.workers == 2 && load.taskMicros <= 1 && (bounded || load.taskMicros == 1)
                        || load.workers == 16 && load.taskMicros == 1 && bounded);
    }

    @Override
    public boolean isOnDemand() {
        return true;
    }

    @Override
    public List<Metric> metrics() {
        return List.of(Metric.THROUGHPUT);
    }

    @Override
    public boolean admits(Rival rival) {
        return rival.supports(load.queueCapacity) && rival.isPool();
    }

    @Override
    public Duration rehearsal() {
        return first ? Duration.ZERO : OLD_ENOUGH;
    }

    @Override
    public void rehearse(Rival rival, Setup setup) {
        measure(rival, setup, Duration.ZERO, REHEARSED);
    }

    @Override
    public Map<Metric, Double> measure(Rival rival, Setup setup, LoadMeter meter) {
        Stretch stretch =
                first ? measure(rival, setup, FIRST_WARM_UP, FIRST_MEASURED) : measure(rival, setup, WARM_UP, MEASURED);
        return Map.of(Metric.THROUGHPUT, (double) stretch.tasks() / stretch.nanos() * 1e6);
    }

    private Stretch measure(Rival rival, Setup setup, Duration warmUp, Duration measured) {
        try (BusyThreads busy = BusyThreads.start(neighbours.threads());
                RivalPool pool = rival.start(load.workers, load.queueCapacity)) {
            Producers producers = new Producers(
                    load.producers,
                    () -> new Producer(
                            pool.executor(),
                            Tasks.of(load.taskMicros, setup),
                            load.queueCapacity,
                            Producer.chunk(load.taskMicros, load.producers)));
            if (!warmUp.isZero()) {
                producers.run(warmUp.toNanos());
            }
            return producers.run(measured.toNanos());
        }
    }
}
