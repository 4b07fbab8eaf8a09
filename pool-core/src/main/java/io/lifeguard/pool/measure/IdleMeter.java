package io.lifeguard.pool.measure;

import io.lifeguard.pool.os.Unknown;
import java.util.SplittableRandom;

/**
 * Measures the CPU time of a worker's idle periods: spinning in search of a task, parking, and being woken. Not
 * thread-safe: owned by a worker.
 */
final class IdleMeter {
    /*
     * A random sample of the idle periods is measured by two reads of the CPU clock. The others are booked at the mean
     * of the sample. The more work precedes a period, the likelier it is to be measured. It is always measured if two
     * reads take under one percent of that work. Only chance and the past decide whether a period is measured, never
     * the period itself.
     *
     * A period that costs four times the mean or more is an outlier, whose time a hypervisor may have taken. Its cost
     * is booked in full, but cut before the mean learns from it. Of the first four periods only the cheapest counts.
     */

    /** What the worker does. At least the given share of the periods is measured. */
    private enum Phase {
        NEW(0),
        BUSY(0),
        SEARCHING(1.0 / 32),
        PARKED(1.0 / 16),
        RESTING(1.0 / 256); // follows every task, even if the next task waits already

        final double leastShare;

        Phase(double leastShare) {
            this.leastShare = leastShare;
        }
    }

    private static final int WORK_MEMORY = 16;

    /** A shorter rest was a search, a longer one was a park. */
    private static final long LONG_REST_NANOS = 20_000;

    private final CpuAccounting accounting;
    private final Histogram taskWall;
    private final SplittableRandom random;
    private final long longTaskNanos;
    private final MeanCost searchCost = new MeanCost();
    private final MeanCost parkCost = new MeanCost();

    // touched by the worker only
    private Phase phase = Phase.NEW;
    private long since; // when the phase began
    private boolean measured; // whether the phase is measured
    private long wallBefore; // the wall time of all tasks before the last idle period
    private double chance; // the probability that the next idle period is measured

    IdleMeter(CpuAccounting accounting, Histogram taskWall, SplittableRandom random, long longTaskNanos) {
        this.accounting = accounting;
        this.taskWall = taskWall;
        this.random = random;
        this.longTaskNanos = longTaskNanos;
    }

    boolean isBusy() {
        return phase == Phase.BUSY;
    }

    /** The worker looks for a task. Repeated calls change nothing. */
    void search(long now) {
        leaveBusyFor(Phase.SEARCHING, now);
    }

    /** The worker is not observed until its next task. Meanwhile it may search, or park, or neither. */
    void rest(long now) {
        leaveBusyFor(Phase.RESTING, now);
    }

    private void leaveBusyFor(Phase next, long now) {
        if (phase == Phase.BUSY) {
            long wall = taskWall.totalNanos();
            double share = Math.min(1, (wall - wallBefore) / (double) longTaskNanos);
            chance += (share - chance) / WORK_MEMORY;
            wallBefore = wall;
            enter(next, now, searchCost, 2 * longTaskNanos);
        }
    }

    /** The worker has found no task and parks. Repeated calls change nothing. */
    void park(long now) {
        if (phase == Phase.SEARCHING) {
            leave(searchCost, now, now - since);
            // a park costs several reads anyway; after this one a snapshot of an idle pool shows all its CPU time
            enter(Phase.PARKED, now, parkCost, longTaskNanos / 4);
        }
    }

    /** The worker has a task, or ends. */
    void wake(long now) {
        long lasted = now - since;
        // no switch: it would need a class of its own, which a worker that ends may be unable to load
        if (phase == Phase.NEW) {
            accounting.start(now);
        } else if (phase == Phase.PARKED || (phase == Phase.RESTING && lasted >= LONG_REST_NANOS)) {
            leave(parkCost, now, 1);
        } else if (phase != Phase.BUSY) {
            leave(searchCost, now, lasted);
        }
        phase = Phase.BUSY;
    }

    /** Begins a phase. Books the tasks before it if the clock was not read for {@code worthReading} nanoseconds. */
    private void enter(Phase entered, long now, MeanCost cost, long worthReading) {
        phase = entered;
        measured = cost.isNew() || random.nextDouble() < Math.max(entered.leastShare, chance);
        if (measured || (accounting.unbookedWall() > 0 && now - accounting.readAt() >= worthReading)) {
            accounting.bookTasks(now);
        }
        since = accounting.afterRead(now);
    }

    private void leave(MeanCost cost, long now, long length) {
        long clockNanos = measured ? accounting.readClock() : Unknown.NUMBER;
        if (clockNanos >= 0) {
            cost.learn(accounting.since(clockNanos), Math.max(0, length));
            accounting.bookMeasuredIdle(now, clockNanos);
        } else {
            accounting.bookEstimatedIdle(cost.of(Math.max(0, length)));
        }
    }

    /**
     * The mean CPU time and the mean length of a phase. A search that yields the CPU burns less than it lasts. The cost
     * of a park does not depend on its duration, so all parks have the length 1.
     */
    private static final class MeanCost {
        private static final int FIRST = 4;
        private static final double SLOWEST_GAIN = 1.0 / 32;
        private static final double OUTLIER = 4;
        private static final double NO_OUTLIER_NANOS = 5_000;

        private int samples;
        private double cpu;
        private double length;

        boolean isNew() {
            return samples < FIRST;
        }

        void learn(long cpuNanos, long lasted) {
            if (isNew()) {
                // the very first period loads classes, and costs a thousand times more than the others
                if (samples == 0 || cpuNanos < cpu) {
                    cpu = cpuNanos;
                    length = lasted;
                }
                samples++;
                return;
            }
            double cut = Math.min(cut(cpuNanos, cpu), cut(lasted, length));
            double gain = Math.max(1.0 / ++samples, SLOWEST_GAIN);
            cpu += gain * (cut * cpuNanos - cpu);
            length += gain * (cut * lasted - length);
        }

        private static double cut(long sample, double mean) {
            return Math.min(1, Math.max(NO_OUTLIER_NANOS, OUTLIER * mean) / Math.max(1, sample));
        }

        long of(long lasted) {
            return length <= 0 ? 0 : Math.round(cpu * Math.min(OUTLIER, lasted / length));
        }
    }
}
