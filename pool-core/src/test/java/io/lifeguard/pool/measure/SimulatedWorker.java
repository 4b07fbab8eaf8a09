package io.lifeguard.pool.measure;

import java.util.SplittableRandom;

/**
 * A worker in simulated time. Wall time and CPU time are two numbers. Tasks, spinning, parking, and the recorder's own
 * reads of the clock increase them. So the truth is known to the nanosecond.
 */
final class SimulatedWorker {

    /** The cost of a read as it was calibrated in a loop. */
    static final long KNOWN_COST = 450;

    /** The true cost of a read right after another one. */
    private static final long LEAST_COST = 450;

    /** The most that cold caches add to it. */
    private static final long COLD_COST = 250;

    private static final long BETWEEN_TASKS = 40;

    final PoolRecorder pool;
    final WorkerRecorder recorder;
    final SplittableRandom random;

    private long wall = 1_000_000;
    private long cpu = 70_000;
    private long wallAfterRead;
    private boolean searching;
    private boolean fresh = true;

    /** Whether others use the machine. A search may then be preempted, and a park may be very expensive. */
    boolean isDisturbed;

    /** The true CPU time by kind, including the way from one task of a backlog to the next. */
    long[] trueCpu = new long[4];

    long trueIdleCpu;
    long tasks;

    SimulatedWorker(long seed) {
        random = new SplittableRandom(seed);
        CpuClock clock = CpuClock.of(this::readCpuClock, KNOWN_COST);
        pool = new PoolRecorder(clock, () -> wall, new SplittableRandom(~seed));
        recorder = pool.newWorker();
    }

    private long readCpuClock() {
        boolean warm = wall == wallAfterRead;
        long cost = LEAST_COST + COLD_COST / 2 + (warm ? 0 : random.nextLong(COLD_COST));
        long before = cost * 2 / 5;
        spend(before);
        long value = cpu;
        spend(cost - before);
        wallAfterRead = wall;
        return value;
    }

    private void spend(long nanos) {
        wall += nanos;
        cpu += nanos;
    }

    /** Runs a task that computes, and then waits. The next task follows at once or after {@link #pause}. */
    void run(int kind, long computes, long waits) {
        long now = wall;
        if (fresh || searching) {
            spend(25); // reads the time once more than a chained border does
        } else if (!recorder.leave(now)) {
            recorder.end(now, false);
        }
        recorder.begin(now, now - 5_000, "kind-" + kind);
        searching = false;
        fresh = false;
        tasks++;
        spend(computes + BETWEEN_TASKS);
        wall += waits;
        trueCpu[kind] += computes + BETWEEN_TASKS;
    }

    /** There is no task for a while. The worker searches, using this share of a CPU, and then parks. */
    void pause(long nanos, long longestSearch, double searchShare) {
        long now = wall;
        recorder.end(now, false);
        recorder.idle(now);
        searching = true;
        long searched = Math.min(nanos, longestSearch);
        long burnt = Math.round(searched * searchShare);
        wall += searched;
        cpu += burnt;
        trueIdleCpu += burnt;
        if (isDisturbed && random.nextInt(200) == 0) {
            wall += 4_000_000;
        }
        if (nanos > longestSearch) {
            recorder.parking(wall);
            long parking = 3_000 + (long) random.nextDouble(4_000) + (random.nextInt(20) == 0 ? 20_000 : 0);
            if (isDisturbed && random.nextInt(300) == 0) {
                parking += 2_000_000;
            }
            spend(parking);
            wall += nanos - longestSearch;
            trueIdleCpu += parking;
        }
    }

    /**
     * There is no task for a while, in a queue that does not report. The worker searches, or parks if it takes longer.
     */
    void rest(long nanos) {
        long now = wall;
        recorder.end(now, false);
        recorder.rest(now);
        searching = true;
        if (nanos < 1_000) {
            spend(nanos);
            trueIdleCpu += nanos;
        } else {
            long parking = 3_000 + (long) random.nextDouble(4_000);
            spend(parking);
            wall += nanos;
            trueIdleCpu += parking;
        }
    }

    /** A random number of an exponential distribution with this mean. */
    long exponential(double mean) {
        return Math.round(-mean * Math.log(1 - random.nextDouble()));
    }

    PoolReading close() {
        if (!searching) {
            recorder.end(wall, false);
        }
        recorder.close(wall);
        pool.retire(recorder);
        return pool.read();
    }

    long trueTotal() {
        long sum = 0;
        for (long nanos : trueCpu) {
            sum += nanos;
        }
        return sum;
    }
}
