package io.lifeguard.pool.measure;

import io.lifeguard.pool.os.ThreadCpuTime;
import io.lifeguard.pool.os.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** The sum of several workers' recorders. Not thread-safe. */
final class RecorderTotals {

    final HistogramSnapshot.Sum queueWait = new HistogramSnapshot.Sum();
    final HistogramSnapshot.Sum service = new HistogramSnapshot.Sum();
    final HistogramSnapshot.Sum cpu = new HistogramSnapshot.Sum();
    final long[] kinds = new long[KindTable.CAPACITY * KindCounts.WIDTH];
    long begun;
    long failed;
    long idleNanos = Saturating.add(0, 0); // loads the class now: a worker may end after its class loader was closed
    long idleCpuNanos;
    long cpuClockReads;
    boolean cpuKnown = true;

    /** Adds a worker. The order of the reads matters, see {@link WorkerRecorder}. */
    void add(WorkerRecorder worker, LongSupplier ticker) {
        idleNanos = Saturating.add(idleNanos, worker.idleNanosTotal(ticker));
        failed += worker.failed();
        worker.kinds.addTo(kinds);
        addCpu(worker);
        service.add(worker.service);
        queueWait.add(worker.queueWait);
        begun += worker.begun();
        idleCpuNanos += worker.meter.accounting.idleNanos();
        cpuClockReads += worker.meter.accounting.reads();
        cpuKnown &= worker.meter.accounting.isKnown();
    }

    /** The CPU time of a worker that has not read its clock yet, because the clock was not loaded, is read here. */
    private void addCpu(WorkerRecorder worker) {
        long read = worker.meter.accounting.isUnread() && worker.begun() > 0 ? ThreadCpuTime.of(worker.threadId()) : 0;
        long before = cpu.totalNanos();
        cpu.add(worker.cpu);
        cpu.addTotal(Math.max(0, read - (cpu.totalNanos() - before))); // it may have read its clock just now
        cpuKnown &= read >= 0;
    }

    void add(RecorderTotals other) {
        failed += other.failed;
        for (int i = 0; i < kinds.length; i++) {
            kinds[i] = Saturating.add(kinds[i], other.kinds[i]);
        }
        cpu.add(other.cpu);
        service.add(other.service);
        queueWait.add(other.queueWait);
        begun += other.begun;
        idleNanos = Saturating.add(idleNanos, other.idleNanos);
        idleCpuNanos += other.idleCpuNanos;
        cpuClockReads += other.cpuClockReads;
        cpuKnown &= other.cpuKnown;
    }

    PoolReading reading(
            KindTable kindTable,
            CpuClock clock,
            boolean cpuIsKnown,
            HistogramSnapshot blockedSubmit,
            HistogramSnapshot callerRun) {
        HistogramSnapshot services = service.snapshot();
        HistogramSnapshot waits = queueWait.snapshot();
        return new PoolReading(
                begun,
                services.count(),
                failed,
                waits,
                services,
                cpu.snapshot(),
                cpuIsKnown,
                blockedSubmit,
                callerRun,
                idleNanos,
                idleCpuNanos,
                kinds(kindTable.names(), cpuIsKnown),
                Overhead.of(clock, cpuClockReads, begun + waits.count(), begun));
    }

    private List<KindReading> kinds(String[] names, boolean cpuIsKnown) {
        List<KindReading> readings = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            int at = i * KindCounts.WIDTH;
            long count = kinds[at + KindCounts.COUNT];
            if (count > 0) {
                long cpuNanos = cpuIsKnown ? kinds[at + KindCounts.CPU] : Unknown.NUMBER;
                readings.add(new KindReading(
                        names[i], count, kinds[at + KindCounts.WALL], cpuNanos, kinds[at + KindCounts.WAIT]));
            }
        }
        return List.copyOf(readings);
    }
}
