package io.lifeguard.pool.measure;

import java.util.SplittableRandom;

/**
 * What measuring itself has cost: an estimate from counts and calibrated costs. Immutable.
 *
 * @param cpuClockReads how often a CPU clock was read
 * @param timeReads how often the time was read, by workers and by submitters
 * @param records tasks recorded
 * @param totalNanos what all this cost together
 */
public record Overhead(long cpuClockReads, long timeReads, long records, long totalNanos) {

    static Overhead of(CpuClock clock, long cpuClockReads, long timeReads, long records) {
        double nanos =
                (double) cpuClockReads * clock.costNanos() + timeReads * Costs.TIME_READ + records * Costs.RECORD;
        return new Overhead(cpuClockReads, timeReads, records, Math.round(nanos));
    }

    /** The mean cost per task, 0 before the first. */
    public double perTaskNanos() {
        return records == 0 ? 0 : (double) totalNanos / records;
    }

    /** Holder: calibrates when an overhead is asked for first, on the reader's thread. */
    private static final class Costs {
        static final double TIME_READ = Calibration.cheapest(System::nanoTime);
        static final double RECORD = costOfRecord();

        private static double costOfRecord() {
            WorkerRecorder recorder = new WorkerRecorder(new KindTable(), CpuClock.none(), new SplittableRandom(0));
            long[] now = {0};
            return Calibration.cheapest(() -> {
                long begin = now[0];
                recorder.begin(begin, begin - 5_000, Overhead.class);
                now[0] = begin + 1_000;
                recorder.end(now[0], false);
                return begin;
            });
        }
    }
}
