package io.lifeguard.pool.measure;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * The cost of measuring a pool: counts multiplied by calibrated costs. Immutable.
 *
 * <p>The costs are those of compiled code, in a JVM's first half minute the usual ones. They cover the time reads of
 * submitters and workers, the records of tasks with their queue wait, wall time and kind, and the reads of CPU clocks.
 * They do not cover the work of a plain pool, nor the cache misses that the recorders' writes cause elsewhere.
 *
 * @param totalNanos the cost of all these together
 */
public record Overhead(long cpuClockReads, long timeReads, long records, long totalNanos) {

    /** What both cost on most systems, in nanoseconds. */
    private static final double USUAL_TIME_READ = 25;

    private static final double USUAL_RECORD = 40;

    static Overhead of(CpuClock clock, long cpuClockReads, long timeReads, long records) {
        return of(clock, cpuClockReads, timeReads, records, CpuClock.isYoung());
    }

    static Overhead of(CpuClock clock, long cpuClockReads, long timeReads, long records, boolean isYoung) {
        double timeRead = USUAL_TIME_READ;
        double record = USUAL_RECORD;
        if (!isYoung) { // otherwise there is no compiled code to calibrate
            clock.calibrate();
            timeRead = OfThisMachine.TIME_READ.nanos(CpuClock.CALIBRATION_NANOS);
            record = OfThisMachine.RECORD.nanos(CpuClock.CALIBRATION_NANOS);
        }
        double nanos = (double) cpuClockReads * clock.costNanos() + timeReads * timeRead + records * record;
        return new Overhead(cpuClockReads, timeReads, records, Math.round(nanos));
    }

    /** The mean cost per task in nanoseconds, 0 before the first task. */
    public double perTaskNanos() {
        return records == 0 ? 0 : (double) totalNanos / records;
    }

    /** Holder: made on first use. */
    private static final class OfThisMachine {
        static final Calibration TIME_READ = new Calibration(System::nanoTime);
        static final Calibration RECORD = new Calibration(new TaskRecording());
    }

    /** Records a task of 1 µs that waited for 5 µs, with a recorder of its own. Called by one thread at a time. */
    private static final class TaskRecording implements LongSupplier {
        private final WorkerRecorder recorder =
                new WorkerRecorder(new KindTable(), CpuClock.none(), new SplittableRandom(0));
        private long now;

        @Override
        public long getAsLong() {
            recorder.begin(now, now - 5_000, TaskRecording.class);
            now += 1_000;
            recorder.end(now, false);
            return now;
        }
    }
}
