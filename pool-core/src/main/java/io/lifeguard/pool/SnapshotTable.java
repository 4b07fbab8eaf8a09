package io.lifeguard.pool;

import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.Units;
import java.util.List;
import java.util.TreeMap;

/** Writes a snapshot as a table or as one line of text. Not thread-safe; used once. */
final class SnapshotTable {

    private static final int KINDS_SHOWN = 5;

    private final PoolSnapshot snapshot;
    private final StringBuilder out = new StringBuilder(1_024);

    SnapshotTable(PoolSnapshot snapshot) {
        this.snapshot = snapshot;
    }

    static String line(PoolSnapshot s) {
        return Units.format(
                "%s [size %d, active %d, queued %d, submitted %s, completed %s, failed %d, rejected %d, caller-runs %d,"
                        + " queue wait %s, service time %s, CPU time %s]",
                LogText.clean(s.name()),
                s.size(),
                s.active(),
                s.queued(),
                count(s, Long.toString(s.submitted())),
                count(s, Long.toString(s.completed())),
                s.failed(),
                s.rejected(),
                s.callerRuns(),
                mean(s.queueWait()),
                mean(s.serviceTime()),
                mean(s.cpuTime()));
    }

    private static String count(PoolSnapshot snapshot, String number) {
        return snapshot.countsTasks() ? number : "unknown";
    }

    String render() {
        heading();
        distributions();
        saturation();
        kinds();
        append(
                "  measuring cost %s per task, %s in all%s%n",
                Units.time(snapshot.overhead().perTask()),
                Units.time(snapshot.overhead().total()),
                snapshot.overhead().idleCpuTime().isZero()
                        ? ""
                        : "; idle workers burnt "
                                + Units.time(snapshot.overhead().idleCpuTime()) + " of CPU time");
        return out.toString();
    }

    private void heading() {
        append("pool %s%n", LogText.clean(snapshot.name()));
        append(
                "  workers %d%s (%d active)   queued %d%s   submitted %s   completed %s   failed %,d   rejected"
                        + " %,d%n",
                snapshot.size(),
                mostWorkers(),
                snapshot.active(),
                snapshot.queued(),
                capacity(),
                count(snapshot, Units.format("%,d", snapshot.submitted())),
                count(snapshot, Units.format("%,d", snapshot.completed())),
                snapshot.failed(),
                snapshot.rejected());
    }

    private String mostWorkers() {
        int most = snapshot.limits().maximumSize();
        return most == Integer.MAX_VALUE ? "" : " of " + most;
    }

    private String capacity() {
        long capacity = (long) snapshot.queued() + snapshot.limits().queueRemaining();
        return capacity >= Integer.MAX_VALUE ? "" : " of " + capacity;
    }

    private void distributions() {
        append("  %-16s %12s %10s %10s %10s %10s %10s%n", "", "count", "mean", "p50", "p99", "max", "total");
        row("queue wait", snapshot.queueWait());
        row("service time", snapshot.serviceTime());
        row("CPU time", snapshot.cpuTime());
        row("blocked submit", snapshot.blockedSubmit());
        row("caller-runs", snapshot.callerRunTime());
    }

    private void row(String label, Distribution d) {
        if (!d.isKnown()) {
            append("  %-16s %12s%n", label, "unknown");
        } else if (d.count() == 0) {
            append("  %-16s %12s%n", label, "none");
        } else {
            append(
                    "  %-16s %,12d %10s %10s %10s %10s %10s%s%n",
                    label,
                    d.count(),
                    mean(d),
                    Units.time(d.percentile(0.5)),
                    Units.time(d.percentile(0.99)),
                    Units.time(d.max()),
                    d.isMeanKnown() ? Units.time(d.total()) : ">292 years",
                    d.accuracy() == Distribution.Accuracy.SAMPLED ? "  (sampled)" : "");
        }
    }

    private void saturation() {
        PoolSnapshot.Saturation saturation = snapshot.saturation();
        for (PoolSnapshot.Caller caller : saturation.callers()) {
            append(
                    "  caller-runs by thread %s: %s for %s, while %.1f of %s idle%n",
                    LogText.clean(caller.thread()),
                    Counted.of(caller.runs(), "task"),
                    Units.time(caller.time()),
                    caller.idleWorkers(),
                    Counted.of(snapshot.limits().maximumSize(), "worker was", "workers were"));
        }
        if (saturation.workerRuns() > 0) {
            append(
                    "  run at once by workers (their pool was full, or waited for theirs): %s for %s%n",
                    Counted.of(saturation.workerRuns(), "task"), Units.time(saturation.workerRunTime()));
        }
        if (!saturation.rejections().isEmpty()) {
            append("  rejected by reason: %s%n", new TreeMap<>(saturation.rejections()));
        }
    }

    private void kinds() {
        List<PoolSnapshot.TaskKind> kinds = snapshot.kinds();
        for (PoolSnapshot.TaskKind kind : kinds.subList(0, Math.min(KINDS_SHOWN, kinds.size()))) {
            append(
                    "  kind %s: %s, wall %s, CPU %s, queue wait %s%n",
                    LogText.clean(kind.name()),
                    Counted.of(kind.count(), "task"),
                    Units.time(kind.wall()),
                    snapshot.cpuTime().isKnown() ? Units.time(kind.cpu()) : "unknown",
                    Units.time(kind.queueWait()));
        }
        if (kinds.size() > KINDS_SHOWN) {
            append("  … and %s%n", Counted.of(kinds.size() - KINDS_SHOWN, "more kind"));
        }
    }

    private static String mean(Distribution d) {
        return d.isMeanKnown() ? Units.time(d.mean()) : "unknown";
    }

    private void append(String format, Object... arguments) {
        out.append(Units.format(format, arguments));
    }
}
