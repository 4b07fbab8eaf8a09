package io.lifeguard.pool.measure;

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
        RecordingCost cost = RecordingCost.after(records);
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
