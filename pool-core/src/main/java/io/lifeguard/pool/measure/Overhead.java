package io.lifeguard.pool.measure;

/**
 * What measuring itself has cost: an estimate from counts and calibrated costs. Immutable.
 *
 * <p>The costs are those of compiled code, see {@link CostCalibration}: the time reads of submitters and workers, the records of
 * tasks with their queue wait, wall time and kind, and the reads of CPU clocks. Not included is what a pool does anyway, and that caches
 * are colder for what was written.
 *
 * @param cpuClockReads how often a CPU clock was read
 * @param timeReads how often the time was read, by workers and by submitters
 * @param records tasks recorded
 * @param totalNanos what all this cost together
 */
public record Overhead(long cpuClockReads, long timeReads, long records, long totalNanos) {

    static Overhead of(RecordingCost cost, CpuClock clock, long cpuClockReads, long timeReads, long records) {
        double nanos = (double) cpuClockReads * clock.costNanos()
                + timeReads * cost.timeReadNanos()
                + records * cost.recordNanos();
        return new Overhead(cpuClockReads, timeReads, records, Math.round(nanos));
    }

    /** The mean cost per task, 0 before the first. */
    public double perTaskNanos() {
        return records == 0 ? 0 : (double) totalNanos / records;
    }
}
