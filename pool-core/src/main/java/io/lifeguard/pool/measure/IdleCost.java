package io.lifeguard.pool.measure;

import java.util.SplittableRandom;

/**
 * What a worker's idleness costs in CPU time: spinning in search of work, then parking and being woken. Learnt from a
 * random sample of the worker's own idle periods, so that the others need no clock. Not thread-safe: owned by a worker.
 *
 * <p>Whether a period is sampled depends on chance and on how many were sampled before, never on the period itself, so
 * the estimates are unbiased for the others.
 */
final class IdleCost {

    private static final int ALWAYS_SAMPLED = 4;
    private static final int ONE_SEARCH_IN = 32;
    private static final int ONE_PARKING_IN = 16;
    private static final int ONE_REST_IN = 256; // one follows every task, backlog or not
    private static final double SLOWEST_GAIN = 1.0 / 32;

    private final SplittableRandom random;

    // all touched by the worker only
    private int searches;
    private double searchCpu;
    private double searchWall;
    private int parkings;
    private long rests;
    private double parkingCpu;

    IdleCost(SplittableRandom random) {
        this.random = random;
    }

    boolean samplesSearch() {
        return searches < ALWAYS_SAMPLED || random.nextInt(ONE_SEARCH_IN) == 0;
    }

    boolean samplesParking() {
        return parkings < ALWAYS_SAMPLED || random.nextInt(ONE_PARKING_IN) == 0;
    }

    boolean samplesRest() {
        return rests++ < ALWAYS_SAMPLED || random.nextInt(ONE_REST_IN) == 0;
    }

    /** Learns from a search: CPU over wall, because a search that yields to others burns less than it lasts. */
    void learnSearch(long cpuNanos, long wallNanos) {
        double gain = Math.max(1.0 / ++searches, SLOWEST_GAIN);
        searchCpu += gain * (cpuNanos - searchCpu);
        searchWall += gain * (wallNanos - searchWall);
    }

    void learnParking(long cpuNanos) {
        parkingCpu += Math.max(1.0 / ++parkings, SLOWEST_GAIN) * (cpuNanos - parkingCpu);
    }

    /** The CPU time that a search of this length costs. */
    long ofSearch(long wallNanos) {
        return searchWall <= 0 ? 0 : Math.round(searchCpu / searchWall * wallNanos);
    }

    /** The CPU time that parking and waking cost. */
    long ofParking() {
        return Math.round(parkingCpu);
    }
}
