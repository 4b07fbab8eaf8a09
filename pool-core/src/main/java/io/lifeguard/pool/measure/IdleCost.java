package io.lifeguard.pool.measure;

import java.util.SplittableRandom;

/**
 * What a worker's idleness costs in CPU time: spinning in search of work, then parking and being woken. Learnt from a
 * random sample of the worker's own idle periods, so that the others need no clock. Not thread-safe: owned by a worker.
 *
 * <p>What a park costs varies wildly on a busy machine. So the more work there is between two idle periods, the larger the
 * sample: every period where two reads of the clock are under one percent of that work. Whether a period is sampled
 * depends on chance and on the past, never on the period itself, so the estimates are unbiased for the others; except that
 * outliers, whose time a hypervisor may have taken, are cut: one of them in the sample would be taken for many outside of it.
 */
final class IdleCost {

    private static final int ALWAYS_SAMPLED = 4;
    private static final double LEAST_OF_SEARCHES = 1.0 / 32;
    private static final double LEAST_OF_PARKINGS = 1.0 / 16;
    private static final double LEAST_OF_RESTS = 1.0 / 256; // one follows every task, backlog or not
    private static final double WORK_COSTS = 200;
    private static final double OUTLIER = 4;
    private static final double SLOWEST_GAIN = 1.0 / 32;
    private static final double WORK_GAIN = 1.0 / 16;

    private final SplittableRandom random;

    // all touched by the worker only
    private int searches;
    private double searchCpu;
    private double searchWall;
    private int parkings;
    private double parkingCpu;
    private long rests;
    private double work;

    IdleCost(SplittableRandom random) {
        this.random = random;
    }

    /** The worker becomes idle after so much work, wall time of tasks, and a read of the clock costs so much. */
    void afterWork(long wallNanos, long readNanos) {
        double share = wallNanos / (WORK_COSTS * Math.max(1, readNanos));
        work += WORK_GAIN * (Math.min(1, share) - work);
    }

    boolean samplesSearch() {
        return searches < ALWAYS_SAMPLED || isChosen(LEAST_OF_SEARCHES);
    }

    boolean samplesParking() {
        return parkings < ALWAYS_SAMPLED || isChosen(LEAST_OF_PARKINGS);
    }

    boolean samplesRest() {
        return rests++ < ALWAYS_SAMPLED || isChosen(LEAST_OF_RESTS);
    }

    private boolean isChosen(double least) {
        return random.nextDouble() < Math.max(least, work);
    }

    /** Learns from a search: CPU over wall, because a search that yields to others burns less than it lasts. */
    void learnSearch(long cpuNanos, long wallNanos) {
        double gain = Math.max(1.0 / ++searches, SLOWEST_GAIN);
        double cut =
                searches <= ALWAYS_SAMPLED || wallNanos <= OUTLIER * searchWall ? 1 : OUTLIER * searchWall / wallNanos;
        searchCpu += gain * (cut * cpuNanos - searchCpu);
        searchWall += gain * (cut * wallNanos - searchWall);
    }

    void learnParking(long cpuNanos) {
        boolean isOutlier = ++parkings > ALWAYS_SAMPLED && cpuNanos > OUTLIER * parkingCpu;
        double nanos = isOutlier ? OUTLIER * parkingCpu : cpuNanos;
        parkingCpu += Math.max(1.0 / parkings, SLOWEST_GAIN) * (nanos - parkingCpu);
    }

    /** The CPU time that a search of this length costs. */
    long ofSearch(long wallNanos) {
        return searchWall <= 0 ? 0 : Math.round(searchCpu * Math.min(OUTLIER, wallNanos / searchWall));
    }

    /** The CPU time that parking and waking cost. */
    long ofParking() {
        return Math.round(parkingCpu);
    }
}
