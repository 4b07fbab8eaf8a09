package io.lifeguard.pool.measure;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What it costs to read the time, and to record one task, on this machine. Immutable; calibrated by those who ask for an
 * overhead, never by a worker.
 *
 * <p>Code that the virtual machine has not compiled yet is slower by orders of magnitude, for workers as for the calibration.
 * So it is repeated whenever ten times as many tasks have been recorded, until there are enough for everything to be
 * compiled: a handful of times in the life of a process, 4 ms each.
 *
 * @param timeReadNanos of one {@link System#nanoTime()}
 * @param recordNanos of one {@link WorkerRecorder#begin} and {@link WorkerRecorder#end}
 * @param records how many had been recorded when it was calibrated
 */
record RecordingCost(double timeReadNanos, double recordNanos, long records) {

    private static final long BUDGET_NANOS = 1_000_000;
    private static final long ENOUGH_RECORDS = 1_000_000;

    // written by any reader of a pool; a stale read repeats a calibration
    private static volatile @Nullable RecordingCost latest;

    /** The cost as calibrated last, and now again if it is time. */
    static RecordingCost after(long records) {
        RecordingCost known = latest;
        if (known == null || (known.records < ENOUGH_RECORDS && records / 10 >= known.records)) {
            RecordingCost fresh = calibrated(Math.max(1, records));
            if (known != null) {
                fresh = fresh.atMost(known);
                CpuClock.recalibrate();
            }
            known = fresh;
            latest = known;
        }
        return known;
    }

    private RecordingCost atMost(RecordingCost other) {
        return new RecordingCost(
                Math.min(timeReadNanos, other.timeReadNanos), Math.min(recordNanos, other.recordNanos), records);
    }

    private static RecordingCost calibrated(long records) {
        WorkerRecorder recorder = new WorkerRecorder(new KindTable(), CpuClock.none(), new SplittableRandom(0));
        long[] now = {0};
        double perRecord = Calibration.cheapest(
                () -> {
                    long begin = now[0];
                    recorder.begin(begin, begin - 5_000, RecordingCost.class);
                    now[0] = begin + 1_000;
                    recorder.end(now[0], false);
                    return begin;
                },
                BUDGET_NANOS);
        return new RecordingCost(Calibration.cheapest(System::nanoTime, BUDGET_NANOS), perRecord, records);
    }
}
