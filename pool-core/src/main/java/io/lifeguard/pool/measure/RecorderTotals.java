package io.lifeguard.pool.measure;

/**
 * The sum of several workers' recorders. Not thread-safe.
 */
final class RecorderTotals {

    final HistogramSnapshot.Sum queueWait = new HistogramSnapshot.Sum();
    final HistogramSnapshot.Sum service = new HistogramSnapshot.Sum();
    final HistogramSnapshot.Sum cpu = new HistogramSnapshot.Sum();
    final long[] kinds = new long[KindTable.CAPACITY * KindCounts.WIDTH];
    long begun;
    long failed;
    long idleNanos;
    long idleCpuNanos;
    long cpuClockReads;
    boolean cpuKnown = true;

    /** Adds a worker, in the order that {@link WorkerRecorder} asks of readers. */
    void add(WorkerRecorder worker, long idle) {
        failed += worker.failed();
        worker.kinds().addTo(kinds);
        cpu.add(worker.cpu());
        service.add(worker.service());
        queueWait.add(worker.queueWait());
        begun += worker.begun();
        idleNanos += idle;
        idleCpuNanos += worker.cpuAccounting().idleNanos();
        cpuClockReads += worker.cpuAccounting().reads();
        cpuKnown &= worker.cpuAccounting().isKnown();
    }

    void add(RecorderTotals other) {
        failed += other.failed;
        for (int i = 0; i < kinds.length; i++) {
            kinds[i] += other.kinds[i];
        }
        cpu.add(other.cpu);
        service.add(other.service);
        queueWait.add(other.queueWait);
        begun += other.begun;
        idleNanos += other.idleNanos;
        idleCpuNanos += other.idleCpuNanos;
        cpuClockReads += other.cpuClockReads;
        cpuKnown &= other.cpuKnown;
    }
}
