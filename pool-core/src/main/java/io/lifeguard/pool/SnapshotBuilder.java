package io.lifeguard.pool;

import io.lifeguard.pool.Distribution.Accuracy;
import io.lifeguard.pool.PoolSnapshot.Failures;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.PoolSnapshot.Overhead;
import io.lifeguard.pool.PoolSnapshot.Saturation;
import io.lifeguard.pool.PoolSnapshot.TaskKind;
import io.lifeguard.pool.measure.PoolReading;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Puts what was read from a pool's recorders into the form that users see. Not thread-safe; used once. */
final class SnapshotBuilder {

    private static final String NO_CPU_CLOCK = "the CPU time of this pool is unknown: its threads have no CPU clock"
            + " (virtual threads, or a system or JVM that does not measure the CPU time of threads), or of its few tasks none was"
            + " chosen for the sample yet";

    private final String name;
    private final PoolReading reading;
    private long cpuNanos;
    private int size;
    private int active;
    private Limits limits = new Limits(0, 0, 0);
    private int queued;
    private Duration oldestQueued = Duration.ZERO;
    private long submitted;
    private long completed;
    private Accuracy queueWaitAccuracy = Accuracy.EXACT;
    private Saturation saturation = new Saturation(0, 0, Duration.ZERO, Map.of(), List.of(), List.of());
    private Failures failures = Failures.NONE;

    SnapshotBuilder(String name, PoolReading reading) {
        this.name = name;
        this.reading = reading;
        this.cpuNanos = reading.cpu().totalNanos();
    }

    /** The CPU time in sum is that of the sampled tasks only, and is scaled up to all. */
    SnapshotBuilder cpuTotalIsSampled() {
        cpuNanos = Math.round(reading.cpu().meanNanos() * reading.completed());
        return this;
    }

    SnapshotBuilder size(int workers, int busyWorkers, Limits mayGrowTo) {
        size = workers;
        active = busyWorkers;
        limits = mayGrowTo;
        return this;
    }

    SnapshotBuilder tasks(int inQueue, Duration oldest, long accepted, long ended) {
        queued = inQueue;
        oldestQueued = oldest;
        submitted = accepted;
        completed = ended;
        return this;
    }

    SnapshotBuilder queueWaitIs(Accuracy accuracy) {
        queueWaitAccuracy = accuracy;
        return this;
    }

    SnapshotBuilder saturation(Saturation whenFull) {
        saturation = whenFull;
        return this;
    }

    SnapshotBuilder failures(Failures notSeen) {
        failures = notSeen;
        return this;
    }

    PoolSnapshot build(long eventsDropped) {
        return new PoolSnapshot(
                name,
                size,
                active,
                queued,
                submitted,
                completed,
                reading.failed(),
                saturation.rejected(),
                reading.callerRun().count(),
                new TallyDistribution(reading.queueWait(), queueWaitAccuracy),
                new TallyDistribution(reading.service(), Accuracy.EXACT),
                cpuTime(),
                new TallyDistribution(reading.blockedSubmit(), Accuracy.EXACT),
                new TallyDistribution(reading.callerRun(), Accuracy.EXACT),
                overhead(),
                limits,
                saturation,
                failures,
                kinds(),
                Duration.ofNanos(Math.max(0, reading.idleNanos())),
                oldestQueued,
                eventsDropped,
                System.nanoTime());
    }

    private Distribution cpuTime() {
        return reading.cpuKnown()
                ? new TallyDistribution(reading.cpu(), reading.completed(), cpuNanos, Accuracy.SAMPLED)
                : new UnknownDistribution(NO_CPU_CLOCK);
    }

    private Overhead overhead() {
        long nanos = reading.overhead().totalNanos();
        long idleCpuNanos = reading.cpuKnown() ? Math.max(0, reading.idleCpuNanos()) : 0;
        return new Overhead(
                Duration.ofNanos(nanos),
                Duration.ofNanos(nanos / Math.max(1, reading.completed())),
                Duration.ofNanos(idleCpuNanos));
    }

    private List<TaskKind> kinds() {
        return reading.kinds().stream()
                .map(kind -> new TaskKind(
                        kind.kind(),
                        kind.count(),
                        Duration.ofNanos(kind.wallNanos()),
                        Duration.ofNanos(Math.max(0, kind.cpuNanos())),
                        Duration.ofNanos(kind.waitNanos())))
                .sorted(Comparator.comparing(TaskKind::wall).reversed())
                .toList();
    }
}
