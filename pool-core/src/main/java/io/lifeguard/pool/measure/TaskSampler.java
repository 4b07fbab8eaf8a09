package io.lifeguard.pool.measure;

import java.util.SplittableRandom;

/**
 * Chooses the short tasks whose CPU time is measured one by one. Each chosen task counts for the tasks that it stands
 * for. Not thread-safe: owned by a worker.
 */
final class TaskSampler {

    /*
     * Stratified sampling. Tasks are taken in blocks; in each block one task, at a position drawn before the block
     * begins, is measured, and stands for the whole block. Size and position depend on what ran before the block only,
     * so every task of a block is chosen with the same probability 1/size, whatever it is, and counting the chosen one
     * "size" times is unbiased (Horvitz and Thompson, 1952), for all tasks and for each kind. Choosing by time instead
     * ("the task that runs now", "the task after each millisecond") would favour the neighbours of long tasks.
     *
     * A task that turns out long is measured anyway and counts once, whether chosen or not; the sample then speaks for
     * the short tasks only, which leaves it unbiased for them.
     *
     * Two reads around a task do not see the way to the next task, and cost more than a read in a loop, because the
     * caches are cold. The sums of CpuAccounting do not have that error. So the mean difference is learnt and
     * subtracted. Without it a kind of tasks of 0.5 µs shows a third of its CPU time.
     */

    private static final int LARGEST_BLOCK = 4_096;
    private static final int MEMORY = 8_192;
    private static final int ENOUGH = 64;

    private final Histogram histogram;
    private final KindCounts kinds;
    private final SplittableRandom random;
    private final long blockNanos; // how much wall time one sample may stand for

    // all touched by the worker only

    /** Tasks to let pass before {@link #turn} is needed again; the caller counts it down. */
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
