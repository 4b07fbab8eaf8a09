package io.lifeguard.pool.measure;

import java.util.SplittableRandom;

/**
 * Chooses the short tasks whose CPU time is measured one by one, and counts each for those it stands for. Not thread-safe:
 * owned by a worker.
 */
final class TaskSampler {

    /*
     * Stratified sampling. Tasks are taken in blocks; in each block one task, at a position drawn before the block begins, is
     * measured, and stands for the whole block. Size and position depend on what ran before the block only, so every task of
     * a block is chosen with the same probability 1/size, whatever it is, and counting the chosen one "size" times is unbiased
     * (Horvitz and Thompson, 1952), for all tasks and for each kind. Choosing by time instead ("the task that runs now",
     * "the task after each millisecond") would favour the neighbours of long tasks.
     *
     * A task that turns out long is measured anyway and counts once, whether chosen or not; the sample then speaks for the
     * short tasks only, which leaves it unbiased for them.
     *
     * What a bracket of two reads costs beyond the known cost (cold caches) would be booked on every sampled task, many times
     * over. The telescoped sums do not suffer from that, so the difference between both is learnt and subtracted: shrunk
     * towards zero as far as it may be mere chance (its standard error against a tenth of a microsecond).
     */

    private static final int LARGEST_BLOCK = 4_096;
    private static final int MEMORY = 1_024;
    private static final double PLAUSIBLE_EXCESS_NANOS = 100;

    private final Histogram histogram;
    private final KindCounts kinds;
    private final SplittableRandom random;

    // all touched by the worker only

    /** Tasks to let pass before {@link #turn} is needed again; the caller counts it down. */
    long toGo;

    /** How much wall time one sample may stand for; set by the caller. */
    long blockNanos;

    private boolean sampleIsAhead;
    private int size;
    private long begunBefore;
    private long wallBefore;
    private int longTasks;
    private int sampledKind = -1;
    private long sampledNanos;
    private boolean taken;

    private double summedCpu;
    private double summedWall;
    private double sampledCpu;
    private double sampledWeight;
    private double sum;
    private double sumOfSquares;
    private int samples;
    private long carry;

    TaskSampler(Histogram histogram, KindCounts kinds, SplittableRandom random) {
        this.histogram = histogram;
        this.kinds = kinds;
        this.random = random;
    }

    /**
     * Called before a task when {@link #toGo} has run out: whether this task is to be measured.
     *
     * @param begun tasks begun before this one
     * @param wallNanos how long they lasted together
     */
    boolean turn(long begun, long wallNanos) {
        if (sampleIsAhead) {
            sampleIsAhead = false;
            toGo = size - (begun - begunBefore) - 1;
            return true;
        }
        if (taken) {
            assign(size);
        }
        size = nextSize(begun, wallNanos);
        begunBefore = begun;
        wallBefore = wallNanos;
        longTasks = 0;
        int position = random.nextInt(size);
        sampleIsAhead = position > 0;
        toGo = sampleIsAhead ? position - 1 : size - 1;
        return !sampleIsAhead;
    }

    private int nextSize(long begun, long wallNanos) {
        if (begun == begunBefore) {
            return 1;
        }
        long meanWall = Math.max(1, (wallNanos - wallBefore) / (begun - begunBefore));
        return (int) Math.max(1, Math.min(Math.min(LARGEST_BLOCK, 2L * size), blockNanos / meanWall));
    }

    /** Takes the CPU time of the chosen task, which was short. */
    void take(long cpuNanos, int kind) {
        sampledNanos = cpuNanos;
        sampledKind = kind;
        taken = true;
    }

    void skipLong() {
        longTasks++;
    }

    /** Learns what short tasks took together, whether chosen or not. */
    void learn(long cpuNanos, long wallNanos) {
        summedCpu += cpuNanos;
        summedWall += wallNanos;
    }

    /** The share of their wall time that short tasks spend computing. */
    double cpuShare() {
        return summedWall <= 0 ? 1 : Math.max(0, Math.min(1, summedCpu / summedWall));
    }

    /** The worker ends inside a block: its tasks count with the value of the sample at hand. */
    void close(long begun) {
        long rest = begun - begunBefore - longTasks;
        if (rest > 0 && sampledKind >= 0) {
            assign(rest);
        }
    }

    private void assign(long weight) {
        taken = false;
        remember(weight);
        long nanos = sampledNanos - excess(weight) + carry;
        carry = Math.min(0, nanos);
        nanos = Math.max(0, nanos);
        histogram.count(nanos, weight);
        kinds.addCpu(sampledKind, nanos * weight);
    }

    private void remember(long weight) {
        sampledCpu += (double) sampledNanos * weight;
        sampledWeight += weight;
        sum += sampledNanos;
        sumOfSquares += (double) sampledNanos * sampledNanos;
        if (++samples == MEMORY) {
            samples /= 2;
            sampledCpu /= 2;
            sampledWeight /= 2;
            sum /= 2;
            sumOfSquares /= 2;
            summedCpu /= 2;
            summedWall /= 2;
        }
    }

    private long excess(long weight) {
        if (samples < 2) {
            return 0;
        }
        double excess = (sampledCpu - summedCpu) / sampledWeight;
        double mean = sum / samples;
        // the variance of a mean, and the last block, of which the sums may hold different parts
        double chance = Math.max(0, sumOfSquares / samples - mean * mean) / samples
                + Math.pow(mean * weight / sampledWeight, 2);
        double plausible = PLAUSIBLE_EXCESS_NANOS * PLAUSIBLE_EXCESS_NANOS;
        return Math.round(excess * plausible / (plausible + chance));
    }
}
