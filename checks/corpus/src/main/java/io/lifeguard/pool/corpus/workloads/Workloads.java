package io.lifeguard.pool.corpus.workloads;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The list of all workloads. Stateless. */
public final class Workloads {

    /** The ids of the catalogue of findings, in its order. */
    public static final List<String> IDS = List.of(
            "dispatcher-runs-tasks",
            "cpu-saturated",
            "blocked-on-io",
            "downstream-saturated",
            "lock-contention",
            "starved-by-own-tasks",
            "stuck-task",
            "event-loop-blocked",
            "queue-growing",
            "high-system-cpu",
            "cpu-throttled",
            "oversized",
            "max-size-unreachable",
            "failures-unseen",
            "pool-leaked",
            "schedule-late",
            "waits-on-another-pool",
            "common-pool-blocked",
            "stands-still");

    private static final List<Workload> ALL = Stream.of(
                    DispatcherWorkloads.all(),
                    CpuWorkloads.all(),
                    WaitingWorkloads.all(),
                    LockWorkloads.all(),
                    StuckWorkloads.all(),
                    StandstillWorkloads.all(),
                    LockStandstills.all(),
                    ResultStandstills.all(),
                    SignalStandstills.all(),
                    LoadWorkloads.all(),
                    LifeWorkloads.all(),
                    OtherPoolWorkloads.all())
            .flatMap(List::stream)
            .toList();

    private Workloads() {}

    /** All workloads, in the order in which they run. */
    public static List<Workload> all() {
        return ALL;
    }

    /** The workload of that name. */
    public static Optional<Workload> named(String name) {
        return ALL.stream().filter(workload -> workload.name().equals(name)).findFirst();
    }
}
