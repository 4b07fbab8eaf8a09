package io.lifeguard.pool.measure;

import java.util.SplittableRandom;

/**
 * Chooses the short tasks whose CPU time is measured one by one. A chosen task stands for several tasks. Not
 * thread-safe: owned by a worker.
 */
final class TaskSampler {

    /*
     * Stratified sampling. Tasks are taken in blocks. In each block one task is measured, at a position drawn before
     * the block begins, and stands for the whole block. Size and position depend only on what ran before the block. So
     * every task of a block is chosen with the same probability 1/size. Counting the chosen one "size" times is
     * therefore unbiased (Horvitz and Thompson, 1952), for all tasks and for each kind. Choosing by time instead ("the
     * task that runs now", "the task after each millisecond") would favour the neighbours of long tasks.
     *
     * A task that turns out to be long is measured anyway and counts once, whether chosen or not. The sample then
     * stands for the short tasks only, and is unbiased for them.
     *
     * Two reads around a task do not see the way to the next task. They also cost more than reads in a loop, because
     * the caches are cold. The sums of CpuAccounting do not have that error. So the mean difference is learnt and
     * subtracted. Without that, a kind of tasks of 0.5 µs shows a third of its CPU time.
     */

    private static final int LARGEST_BLOCK = 4_096;
    private static final int MEMORY = 8_192;
    private static final int ENOUGH = 64;

    private final Histogram histogram;
    private final KindCounts kinds;
    private final SplittableRandom random;
    private final long blockNanos; // how much wall time one sample may stand for

    // all fields below are touched by the worker only

    /** The number of tasks before the next call of {@link #turn}. The caller counts it down. */
    long toGo;

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
    private int samples;

    TaskSampler(Histogram histogram, KindCounts kinds, SplittableRandom random, long blockNanos) {
        this.histogram = histogram;
        this.kinds = kinds;
        this.random = random;
        this.blockNanos = blockNanos;
    }

    /** Decides whether the next task is measured. Called when {@link #toGo} has run out. */
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

    /** Takes the CPU time of the chosen task, if it was short. */
    void take(long cpuNanos, int kind) {
        sampledNanos = cpuNanos;
        sampledKind = kind;
        taken = true;
    }

    void skipLong() {
        longTasks++;
    }

    /** Learns the times of all short tasks since the last call, whether chosen or not. */
    void learn(long cpuNanos, long wallNanos) {
        summedCpu += cpuNanos;
        summedWall += wallNanos;
    }

    /** The CPU time of short tasks as a share of their wall time. */
    double cpuShare() {
        return summedWall <= 0 ? 1 : Math.max(0, Math.min(1, summedCpu / summedWall));
    }

    /** The worker ends inside a block. The tasks of that block count with the value of the last sample. */
    void close(long begun) {
        long rest = begun - begunBefore - longTasks;
        if (rest > 0 && sampledKind >= 0) {
            assign(rest);
        }
    }

    private void assign(long weight) {
        taken = false;
        sampledCpu += (double) sampledNanos * weight;
        sampledWeight += weight;
        if (++samples == MEMORY) {
            samples /= 2;
            sampledCpu /= 2;
            sampledWeight /= 2;
            summedCpu /= 2;
            summedWall /= 2;
        }
        long nanos = Math.max(0, sampledNanos - excess());
        histogram.count(nanos, weight);
        kinds.addCpu(sampledKind, nanos * weight);
    }

    /** How much more CPU time a sampled task shows than a short task takes on average. */
    private long excess() {
        return samples < ENOUGH ? 0 : Math.round((sampledCpu - summedCpu) / sampledWeight);
    }
}
