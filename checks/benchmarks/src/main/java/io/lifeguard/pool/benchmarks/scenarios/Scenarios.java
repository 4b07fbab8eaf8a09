package io.lifeguard.pool.benchmarks.scenarios;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.scenarios.CpuAccuracy.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The list of all scenarios. */
public final class Scenarios {
    private static final int CAPACITY = 1_024;

    private static final List<Scenario> ALONE = List.of(
            Throughput.of("bounded-empty", 2, CAPACITY, 0),
            Throughput.of("bounded-1us", 2, CAPACITY, 1),
            Throughput.of("bounded-10us", 2, CAPACITY, 10),
            Throughput.of("bounded-100us", 2, CAPACITY, 100),
            Throughput.of("workers16-1us", 16, CAPACITY, 1),
            Throughput.of("unbounded-empty", 2, Rival.UNBOUNDED, 0),
            Throughput.of("unbounded-1us", 2, Rival.UNBOUNDED, 1),
            Throughput.of("unbounded-10us", 2, Rival.UNBOUNDED, 10),
            Throughput.of("unbounded-100us", 2, Rival.UNBOUNDED, 100),
            Throughput.of("bounded-empty", 2, CAPACITY, 0).inFirstSeconds(),
            Throughput.of("bounded-1us", 2, CAPACITY, 1).inFirstSeconds(),
            Throughput.of("bounded-10us", 2, CAPACITY, 10).inFirstSeconds(),
            Throughput.of("workers16-1us", 16, CAPACITY, 1).inFirstSeconds(),
            Throughput.of("unbounded-1us", 2, Rival.UNBOUNDED, 1).inFirstSeconds(),
            Throughput.of("unbounded-10us", 2, Rival.UNBOUNDED, 10).inFirstSeconds(),
            FromIdle.burst(),
            FromIdle.wakeUp(),
            CpuAccuracy.of(Load.BACKLOG),
            CpuAccuracy.of(Load.MIXED),
            CpuAccuracy.of(Load.SPARSE),
            new Memory());
    private static final List<Scenario> ALL = Stream.of(ALONE, Beside.all(), besideNeighbours())
            .flatMap(List::stream)
            .toList();

    private Scenarios() {}

    private static List<Scenario> besideNeighbours() {
        List<Scenario> all = new ArrayList<>();
        for (Neighbours neighbours : Neighbours.ALL) {
            all.add(FromIdle.wakeUp().beside(neighbours));
            all.add(new BlockedSubmit(neighbours));
            for (Load load : Load.values()) {
                all.add(CpuAccuracy.of(load).beside(neighbours));
            }
        }
        return all;
    }

    public static List<Scenario> all() {
        return ALL;
    }

    public static Optional<Scenario> named(String name) {
        return ALL.stream().filter(scenario -> scenario.name().equals(name)).findFirst();
    }
}
