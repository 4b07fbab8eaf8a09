package io.lifeguard.pool.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * On what a worker's CPU time was spent: its tasks, and the idleness between them. One writer; any thread may read the sums.
 */
final class CpuAccounting {

    /*
     * "base" is the clock's value up to which CPU time is booked. Each read takes its cost of CPU, part of it before and part of it
     * after the value is taken; two successive reads have one whole cost in between, so each read moves base on by its cost.
     *
     * Idleness that was not bracketed by reads is booked by estimate, which moves base on too. The next read measures from the
     * true clock again, so errors do not pile up, and as they have mean zero, neither do they in the sum. The difference that a
     * read shows may then be negative: it is carried on, not dropped, since dropping would be a bias. If the difference is far
     * larger than all the wall time of the tasks, the surplus was idleness of an uncommonly costly kind; if it is so negative
     * that idleness can have cost next to nothing, it was of an uncommonly cheap one.
     */

    private static final int OUTLIER = 4;
    private static final long NO_OUTLIER_NANOS = 5_000;
    private static final VarHandle IDLE_NANOS;

    static {
        try {
            IDLE_NANOS = MethodHandles.lookup().findVarHandle(CpuAccounting.class, "idleNanos", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CostedClock clock;
    private final Histogram wall;
    private final Histogram cpu;
    private final TaskSampler sampler;

    // single writer: the worker; readers may lag by one idle period
    private long idleNanos;

    // the rest is touched by the worker only
    private long base;
    private long estimated; // idleness booked by estimate since the last read
    private boolean baseIsEstimated;
    private long carry;
    private long readAt;
    private long wallAtRead;

    CpuAccounting(CostedClock clock, Histogram wall, Histogram cpu, TaskSampler sampler) {
        this.clock = clock;
        this.wall = wall;
        this.cpu = cpu;
        this.sampler = sampler;
    }

    /** CPU time burnt between tasks. Any thread. */
    long idleNanos() {
        return (long) IDLE_NANOS.getOpaque(this);
    }

    /** Reads the clock; negative when it knows no more. */
    long readClock() {
        return clock.read();
    }

    /** The CPU time since the last border, given what the clock shows. */
    long since(long clockNanos) {
        return clockNanos - base;
    }

    /** Begins anew at what the clock has just shown. */
    void restart(long now) {
        base = clock.base();
        baseIsEstimated = false;
        estimated = 0;
        readAt = now;
        wallAtRead = wall.totalNanos();
    }

    /** The CPU time of tasks since the last border, given what the clock shows. */
    long ofTasksSince(long clockNanos) {
        if (baseIsEstimated) {
            long surplus = since(clockNanos) - unbookedWall();
            long deficit = -since(clockNanos);
            if (surplus > NO_OUTLIER_NANOS + OUTLIER * estimated) {
                estimateIdle(surplus);
            } else if (deficit > estimated - estimated / OUTLIER) {
                estimateIdle(-deficit);
            }
        }
        return since(clockNanos);
    }

    /** Books what was burnt since the last border: by one long task, and by short ones which lasted {@code shortWall}. */
    void bookTasks(long now, long clockNanos, long longTask, long shortWall) {
        long burnt = ofTasksSince(clockNanos);
        long sum = burnt + carry;
        carry = Math.min(0, sum);
        cpu.addTotal(Math.max(0, sum));
        sampler.learn(burnt - longTask, shortWall);
        restart(now);
    }

    /** Reads the clock at a border and books the tasks before it, unless that was done already. */
    void bookTasks(long now) {
        if (!clock.isKnown() || (readAt == now && !baseIsEstimated)) {
            return;
        }
        long clockNanos = readClock();
        if (clockNanos >= 0) {
            bookTasks(now, clockNanos, 0, unbookedWall());
        }
    }

    /** Books idleness of which both ends were seen by the clock. */
    void bookIdle(long now, long clockNanos) {
        IDLE_NANOS.setOpaque(this, idleNanos + since(clockNanos));
        restart(now);
    }

    /** Books idleness of this estimated CPU time. */
    void estimateIdle(long nanos) {
        base += nanos;
        estimated += nanos;
        baseIsEstimated = true;
        IDLE_NANOS.setOpaque(this, idleNanos + nanos);
    }

    /** The wall time of all tasks that have ended. */
    long taskWall() {
        return wall.totalNanos();
    }

    /** The wall time of tasks that have ended since the last read. */
    long unbookedWall() {
        return wall.totalNanos() - wallAtRead;
    }

    boolean hasUnbookedTasks() {
        return unbookedWall() != 0;
    }

    /** Whether the clock has not been seen since what was booked last. */
    boolean isEstimated() {
        return baseIsEstimated;
    }

    /** The wall time since the last read. */
    long sinceRead(long now) {
        return now - readAt;
    }

    /** When what follows a border begins: a read of the clock there belongs neither to what ends nor to what begins. */
    long afterRead(long now) {
        return readAt == now ? now + clock.lasted() : now;
    }
}
