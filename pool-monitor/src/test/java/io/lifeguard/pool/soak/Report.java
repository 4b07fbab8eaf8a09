package io.lifeguard.pool.soak;

import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.Map;

/** What a soak has seen, in numbers. Not thread-safe. */
final class Report {

    private final Map<Shape, Tally> tallies = new EnumMap<>(Shape.class);
    private final Map<Shape, Long> nanos = new EnumMap<>(Shape.class);
    private final Tally total = new Tally();
    private final long startNanos = System.nanoTime();
    private final long startCpuNanos = cpuNanos();
    private final Map<Shape, Long> cpu = new EnumMap<>(Shape.class);
    private long cpuSeen = startCpuNanos;
    private int pools;
    private int nudges;
    private long threads;
    private long faults;

    void add(Generation generation, Tally tally) {
        total.add(tally);
        tallies.computeIfAbsent(generation.shape(), shape -> new Tally()).add(tally);
        pools++;
        nudges += generation.nudges();
        threads += generation.threads().made();
        faults += generation.threads().faults();
    }

    /** So much time went into a round of this shape. */
    void add(Shape shape, long roundNanos) {
        nanos.merge(shape, roundNanos, Long::sum);
        long cpuNow = cpuNanos();
        cpu.merge(shape, cpuNow - cpuSeen, Long::sum);
        cpuSeen = cpuNow;
    }

    /** CPU time of the process: what the rate would be on an idle machine. */
    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    long tasks() {
        return total.tasks;
    }

    long accountedFor() {
        return total.accountedFor();
    }

    @Override
    public String toString() {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        StringBuilder text = new StringBuilder();
        text.append(String.format("%s; accounted for: %,d%n", total, total.accountedFor()));
        text.append(String.format(
                "%,d pools, %,d threads, %,d failures of thread factories, after which queued tasks had to be"
                        + " given a worker"
                        + " %,d times; %.1f s, %,.0f tasks/s; CPU %.1f s, %.1f µs/task%n",
                pools,
                threads,
                faults,
                nudges,
                seconds,
                total.tasks / seconds,
                (cpuNanos() - startCpuNanos) / 1e9,
                (cpuNanos() - startCpuNanos) / 1e3 / total.tasks));
        nanos.forEach((shape, time) -> {
            Tally tally = tallies.get(shape);
            text.append(String.format(
                    "  %-20s %,12d tasks %,12.0f tasks/s, CPU %5.1f µs/task, %,d by worker, %,d inline, %,d rejected%n",
                    shape,
                    tally.tasks,
                    tally.tasks / (time / 1e9),
                    cpu.get(shape) / 1e3 / tally.tasks,
                    tally.ran,
                    tally.ranInline,
                    tally.rejected));
        });
        return text.toString();
    }
}
