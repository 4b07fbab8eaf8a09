package io.lifeguard.pool.measure;

import io.lifeguard.pool.os.Unknown;
import java.util.SplittableRandom;

/**
 * Measures the CPU time of one worker's tasks, and reads the thread's CPU clock rarely. Single writer: the worker; any
 * thread may read the sums in {@link #accounting}.
 */
final class CpuMeter {
    /*
     * Reading the clock costs as much as a small task. So the clock is read at the border between two tasks, once
     * enough wall time has passed since the last read. The difference belongs to the tasks in between. The sum of such
     * differences is exact however rarely the clock is read, and whichever borders were chosen. See CpuAccounting.
     *
     * Between two tasks a worker may search (spin) and park. IdleMeter measures how much CPU time that takes.
     *
     * The CPU time of a single task is known in two cases:
     *   - The task is long. The clock is read at its end. The CPU time of the short tasks since the last read is
     *     estimated from their wall time, and subtracted.
     *   - TaskSampler has chosen the task. The clock is read at its beginning and at its end.
     * The cost of a read at a border is not part of the next task's wall time.
     */

    /** What {@link #end} returns when it has not read the clock. */
    static final long NOT_READ = Long.MIN_VALUE;

    private static final long CHUNK_READS = 400;
    private static final long LEAST_CHUNK_NANOS = 200_000;
    private static final long LONG_TASK_READS = 100; // so that a read takes less than 1 % of the task
    private static final long LEAST_LONG_TASK_NANOS = 50_000;

    final CpuAccounting accounting;
    final IdleMeter idle;

    private final Histogram cpu;
    private final Histogram wall;
    private final KindCounts kinds;
    final TaskSampler sampler; // its turn: see WorkerRecorder.step
    private final long longTaskNanos;
    private final long chunkNanos;

    // touched by the worker only
    private long deadline;
    private boolean sampled;

    CpuMeter(CpuClock clock, Histogram wall, Histogram cpu, KindCounts kinds, SplittableRandom random) {
        this.wall = wall;
        this.cpu = cpu;
        this.kinds = kinds;
        this.longTaskNanos = Math.max(LEAST_LONG_TASK_NANOS, LONG_TASK_READS * clock.costNanos());
        this.chunkNanos = Math.max(LEAST_CHUNK_NANOS, CHUNK_READS * clock.costNanos());
        this.sampler = new TaskSampler(cpu, kinds, random, 2 * chunkNanos);
        this.accounting = new CpuAccounting(clock, wall, cpu, sampler);
        this.idle = new IdleMeter(accounting, wall, random, longTaskNanos);
    }

    /**
     * A task begins for which the sampler's turn has come, or which ends an idle period. Only for the worker.
     *
     * @param begunBefore how many tasks began before this one
     */
    void prepare(long now, long begunBefore) {
        idle.wake(now);
        sampled = sampler.toGo < 0 && sampler.turn(begunBefore, wall.totalNanos());
        if (sampled) {
            accounting.bookTasks(now);
        }
        deadline = sampled ? now : accounting.readAt() + chunkNanos;
    }

    /** Whether {@link #end} reads the clock. Only for the worker. */
    boolean isReadAfter(long now, long wallNanos) {
        return now - deadline >= 0 || wallNanos >= longTaskNanos;
    }

    /**
     * A task has just ended. Reads the clock if it is time, before the caller takes more CPU time. Only for the worker.
     *
     * @return the value to pass to {@link #ended}, or {@link #NOT_READ}
     */
    long end(long now, long wallNanos) {
        return isReadAfter(now, wallNanos) ? accounting.readClock() : NOT_READ;
    }

    /**
     * The clock was read at the end of a task, which the wall-time histogram holds already. Only for the worker.
     *
     * @return the CPU time of the task; {@link Unknown#NUMBER} if only that of several tasks together is known
     */
    long ended(long now, long wallNanos, int kind, long clockNanos) {
        boolean isSample = sampled;
        sampled = false;
        deadline = now + chunkNanos;
        if (clockNanos < 0) {
            if (accounting.isLate()) {
                CpuClock.wanted(wall.totalNanos()); // at no other read: where it acts first, all callers are recompiled
            }
            accounting.bookedWall();
            return Unknown.NUMBER;
        }
        long shortWall = Math.max(0, accounting.unbookedWall() - wallNanos);
        long own = accounting.ofTasksSince(clockNanos);
        if (shortWall > 0) {
            own = Math.min(wallNanos, own - Math.round(sampler.cpuShare() * shortWall));
        }
        own = Math.max(0, own);
        if (wallNanos >= longTaskNanos) {
            cpu.count(own, 1);
            kinds.addCpu(kind, own);
            sampler.skipLong();
            accounting.bookTasks(now, clockNanos, own, shortWall);
            return own;
        }
        if (isSample) {
            sampler.take(own, kind);
        }
        accounting.bookTasks(now, clockNanos, 0, accounting.unbookedWall());
        return isSample ? own : Unknown.NUMBER;
    }

    /** The task that was begun last is not to be measured. Only for the worker. */
    void abandon(long now) {
        sampled = false;
        accounting.bookTasks(now);
        idle.rest(now);
    }

    /** The worker ends. Only for the worker. */
    void close(long now, long begun) {
        accounting.readBeforeTheEnd();
        idle.wake(now);
        accounting.bookTasks(now);
        sampler.close(begun);
    }
}
