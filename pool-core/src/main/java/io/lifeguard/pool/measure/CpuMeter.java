package io.lifeguard.pool.measure;

import java.util.SplittableRandom;

/**
 * Measures the CPU time of one worker's tasks while reading its clock rarely. One writer; any thread may read the sums.
 */
final class CpuMeter {

    /*
     * Reading the clock costs as much as many a task. So it is read at the border between two tasks, once enough wall time has
     * passed since the last read, and the difference belongs to the tasks in between. Differences of one clock telescope: their
     * sum is exact however rarely it is read, and does not depend on which borders were chosen. See CpuAccounting.
     *
     * Between two tasks a worker may search (spin) and park. That CPU time is no task's: IdleMeter brackets a random sample of
     * such periods by two reads, and books the others by what it has learnt.
     *
     * The time of a single task is known
     *   - when it is long: then it is read at its end, and at its begin if its kind was long before; otherwise what the short
     *     tasks before it took since the last read is estimated from their wall time;
     *   - when TaskSampler has chosen it: read at begin and end.
     * What a read at a border costs is taken off the following task's wall time.
     */

    /** What {@link #end} answers when it has not read the clock. */
    static final long NOT_READ = Long.MIN_VALUE;

    private static final long CHUNK_COSTS = 400;
    private static final long LEAST_CHUNK_NANOS = 200_000;
    private static final long LONG_TASK_COSTS = 100; // the read is under 1 % of the task
    private static final long LEAST_LONG_TASK_NANOS = 50_000;
    private static final long FOREVER = Long.MAX_VALUE / 2;

    private final CostedClock clock;
    private final Histogram cpu;
    private final Histogram wall;
    private final KindCounts kinds;
    private final TaskSampler sampler;
    private final CpuAccounting books;
    private final IdleMeter idle;
    private final boolean[] longKinds = new boolean[KindTable.CAPACITY];

    // all touched by the worker only
    private boolean started;
    private long longTaskNanos;
    private long deadline;
    private boolean sampled;

    CpuMeter(CpuClock clock, Histogram wall, Histogram cpu, KindCounts kinds, SplittableRandom random) {
        this.clock = new CostedClock(clock);
        this.wall = wall;
        this.cpu = cpu;
        this.kinds = kinds;
        this.sampler = new TaskSampler(cpu, kinds, random);
        this.books = new CpuAccounting(this.clock, wall, cpu, sampler);
        this.idle = new IdleMeter(this.clock, books, new IdleCost(random));
    }

    /**
     * A task begins. Only for the owner.
     *
     * @param begunBefore how many tasks began before it
     * @return when its run begins: a little after {@code now} if the clock was read at this border
     */
    long begin(long now, int kind, long begunBefore) {
        if (--sampler.toGo < 0 || !idle.isBusy() || longKinds[kind]) {
            prepare(now, kind, begunBefore);
        }
        return books.afterRead(now);
    }

    /** Whether the next {@link #begin} reads the clock because a park ends. */
    boolean awaitsWaking() {
        return idle.isSampledPark();
    }

    /** That park has ended at a time that is not known. Only for the owner. */
    void wakingWentUnseen() {
        idle.dropSample();
    }

    /**
     * A task has just ended: reads the clock if it is time, before the caller spends more of it. Only for the owner.
     *
     * @return what {@link #ended} wants to know, or {@link #NOT_READ}
     */
    long end(long now, long wallNanos) {
        return now - deadline >= 0 || wallNanos >= longTaskNanos ? books.readClock() : NOT_READ;
    }

    /** The clock was read at the end of a task, which is in the wall-time histogram by now. Only for the owner. */
    void ended(long now, long wallNanos, int kind, long clockNanos) {
        boolean isSample = sampled;
        sampled = false;
        if (clockNanos < 0) {
            giveUp(now);
            return;
        }
        long shortWall = Math.max(0, books.unbookedWall() - wallNanos);
        long own = books.ofTasksSince(clockNanos);
        if (shortWall > 0) {
            own = Math.min(wallNanos, own - Math.round(sampler.cpuShare() * shortWall));
        }
        own = Math.max(0, own);
        if (wallNanos >= longTaskNanos) {
            cpu.count(own, 1);
            kinds.addCpu(kind, own);
            longKinds[kind] = wallNanos >= 2 * longTaskNanos;
            sampler.skipLong();
            books.bookTasks(now, clockNanos, own, shortWall);
        } else {
            if (isSample) {
                sampler.take(own, kind);
            }
            books.bookTasks(now, clockNanos, 0, books.unbookedWall());
        }
        pace(now);
    }

    /** There is no next task: the worker begins to search. Repeated calls change nothing. Only for the owner. */
    void idle(long now) {
        if (started) {
            idle.search(now, longTaskNanos);
        }
    }

    /** The search was in vain: the worker parks. Repeated calls change nothing. Only for the owner. */
    void parking(long now) {
        // a park costs several reads anyway, and with this one a pool at rest shows all that it has done
        idle.park(now, longTaskNanos / 4);
    }

    /** What the worker does until the next task, if there is one, will not be seen. Only for the owner. */
    void rest(long now) {
        if (started) {
            idle.rest(now, 2 * longTaskNanos); // one follows every task
        }
    }

    /** The task that was begun last is not to be measured. Only for the owner. */
    void abandon(long now) {
        sampled = false;
        if (started) {
            books.bookTasks(now);
            rest(now);
        }
    }

    /** The worker ends. Only for the owner. */
    void close(long now, long begun) {
        if (started) {
            idle.wake(now);
            books.bookTasks(now);
            sampler.close(begun);
            started = false;
        }
    }

    /** Whether all CPU time was known so far. */
    boolean isKnown() {
        return clock.isKnown();
    }

    /** CPU time burnt between tasks, in search of work and in parking. */
    long idleCpuNanos() {
        return books.idleNanos();
    }

    /** How often the clock was read. */
    long reads() {
        return clock.reads();
    }

    private void prepare(long now, int kind, long begunBefore) {
        if (!started) {
            start(now);
        }
        if (!idle.isBusy()) {
            idle.wake(now);
            pace(now - books.sinceRead(now)); // it may have been read meanwhile
        }
        if (!clock.isKnown()) {
            giveUp(now);
            return;
        }
        boolean chosen = sampler.toGo < 0 && sampler.turn(begunBefore, wall.totalNanos());
        boolean expectedLong = longKinds[kind];
        longKinds[kind] = false;
        if (books.hasUnbookedTasks() ? chosen || expectedLong : chosen && !expectedLong && books.isEstimated()) {
            books.bookTasks(now);
            pace(now);
        }
        if (chosen) {
            sampled = true;
            deadline = now;
        }
    }

    private void start(long now) {
        started = true;
        if (clock.isKnown() && books.readClock() >= 0) {
            books.restart(now);
            pace(now);
        }
    }

    /** After a read at {@code now}: when the next is due, and what counts as long, as the cost of a read is known now. */
    private void pace(long now) {
        long cost = clock.cost();
        long chunk = Math.max(LEAST_CHUNK_NANOS, CHUNK_COSTS * cost);
        longTaskNanos = Math.max(LEAST_LONG_TASK_NANOS, LONG_TASK_COSTS * cost);
        sampler.blockNanos = 2 * chunk;
        deadline = now + chunk;
    }

    /** The clock knows no more: everything else goes on. */
    private void giveUp(long now) {
        sampled = false;
        longTaskNanos = FOREVER;
        sampler.toGo = FOREVER;
        deadline = now + FOREVER;
    }
}
