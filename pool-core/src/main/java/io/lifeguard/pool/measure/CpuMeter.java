package io.lifeguard.pool.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.SplittableRandom;

/**
 * Measures the CPU time of one worker's tasks while reading its clock rarely. One writer, any number of readers.
 */
final class CpuMeter {

    /*
     * Reading the clock costs as much as many a task. So it is read at the border between two tasks, once enough wall time has
     * passed since the last read, and the difference belongs to the tasks in between. Differences of one clock telescope:
     * their sum is exact however rarely it is read, and does not depend on which borders were chosen.
     *
     * "base" is the clock's value at the moment from which CPU time is not booked yet. Each read takes cost nanoseconds of
     * CPU, part of it before and part of it after the value is taken; two successive reads have one whole cost in between, so
     * each read moves base on by its cost.
     *
     * Between two tasks a worker may search (spin) and park. That CPU time is no task's. A random sample of such periods is
     * bracketed by two reads; the others move base on by what IdleCost has learnt. These errors have mean zero and do not pile
     * up, since the next read measures from the true clock. A negative difference (an estimate was too high) is carried on,
     * not dropped: dropping would be a bias.
     *
     * The time of a single task is known
     *   - when it is long: then it is read at its end, and at its begin if its kind was long before; otherwise what the short
     *     tasks before it took since the last read is estimated from their wall time;
     *   - when the sampler has chosen it: read at begin and end.
     * What a read at a border costs is taken off the following task's wall time: the begin moves on by the cost.
     */

    private static final long CHUNK_COSTS = 400;
    private static final long LEAST_CHUNK_NANOS = 200_000;
    private static final long LONG_TASK_COSTS = 100; // the read is under 1 % of the task
    private static final long LEAST_LONG_TASK_NANOS = 50_000;
    private static final int COST_EVERY = 32;
    private static final int COST_MEMORY = 8;
    private static final long FOREVER = Long.MAX_VALUE / 2;

    private static final int NOT_STARTED = 0;
    private static final int RUNNING = 1;
    private static final int SEARCHING = 2;
    private static final int PARKED = 3;

    private static final VarHandle IDLE_CPU;
    private static final VarHandle READS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            IDLE_CPU = lookup.findVarHandle(CpuMeter.class, "idleCpu", long.class);
            READS = lookup.findVarHandle(CpuMeter.class, "reads", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CpuClock clock;
    private final long calibratedCost;
    private final Histogram wall;
    private final Histogram cpu;
    private final KindCounts kinds;
    private final TaskSampler sampler;
    private final IdleCost idleCost;
    private final boolean[] longKinds = new boolean[KindTable.CAPACITY];

    // single writer: the worker; readers may lag by one read of the clock
    private long idleCpu;

    // single writer: the worker; readers may lag by one
    private long reads;

    // single writer: the worker; written once, from true to false. A stale read calls a time known that is only partly
    // so
    private volatile boolean known;

    // the rest is touched by the worker only
    private int phase = NOT_STARTED;
    private long longTaskNanos;
    private long chunkNanos;
    private long cost;
    private long base;
    private long clockAfterRead;
    private long readLasted;
    private boolean baseIsEstimated;
    private long readAt;
    private long wallAtRead;
    private long deadline;
    private long idleSince;
    private boolean samplesSearch;
    private boolean samplesParking;
    private boolean sampled;
    private long carry;

    CpuMeter(CpuClock clock, Histogram wall, Histogram cpu, KindCounts kinds, SplittableRandom random) {
        this.clock = clock;
        this.calibratedCost = clock.costNanos();
        this.cost = calibratedCost;
        this.wall = wall;
        this.cpu = cpu;
        this.kinds = kinds;
        this.sampler = new TaskSampler(cpu, kinds, random);
        this.idleCost = new IdleCost(random);
        this.known = clock.isSupported();
        if (known) {
            pace();
        } else {
            giveUp(0);
        }
    }

    /**
     * A task begins. Only for the owner.
     *
     * @param begunBefore how many tasks began before it
     * @return when its run begins: a little after {@code now} if the clock was read at this border
     */
    long begin(long now, int kind, long begunBefore) {
        if (--sampler.toGo < 0 || phase != RUNNING || longKinds[kind]) {
            prepare(now, kind, begunBefore);
        }
        return afterRead(now);
    }

    /** A task has ended and is in the wall-time histogram already. Only for the owner. */
    void end(long now, long wallNanos, int kind) {
        if (now - deadline >= 0 || wallNanos >= longTaskNanos) {
            measure(now, wallNanos, kind);
        }
    }

    /** There is no next task: the worker begins to search. Repeated calls change nothing. Only for the owner. */
    void idle(long now) {
        if (phase != RUNNING) {
            return;
        }
        phase = SEARCHING;
        samplesSearch = known && idleCost.samplesSearch();
        if (samplesSearch || (hasUnread() && now - readAt >= longTaskNanos)) {
            read(now);
        }
        idleSince = afterRead(now);
    }

    /** The search was in vain: the worker parks. Repeated calls change nothing. Only for the owner. */
    void parking(long now) {
        if (phase != SEARCHING) {
            return;
        }
        endSearch(now);
        phase = PARKED;
        samplesParking = known && idleCost.samplesParking();
        // a park costs several reads anyway, and with this one a pool at rest shows all that it has done
        if (samplesParking || (hasUnread() && now - readAt >= longTaskNanos / 4)) {
            read(now);
        }
    }

    /** The worker ends. Only for the owner. */
    void close(long now, long begun) {
        if (phase == SEARCHING || phase == PARKED) {
            wake(now);
        }
        if (phase == RUNNING) {
            read(now);
            sampler.close(begun);
        }
        phase = NOT_STARTED;
    }

    /** Whether all CPU time was known so far. */
    boolean isKnown() {
        return known;
    }

    /** CPU time burnt between tasks, in search of work and in parking. */
    long idleCpuNanos() {
        return (long) IDLE_CPU.getOpaque(this);
    }

    /** How often the clock was read. */
    long reads() {
        return (long) READS.getOpaque(this);
    }

    private void prepare(long now, int kind, long begunBefore) {
        boolean chosen = sampler.toGo < 0 && sampler.turn(begunBefore, wall.totalNanos());
        if (phase != RUNNING) {
            wake(now);
        }
        boolean expectedLong = longKinds[kind];
        longKinds[kind] = false;
        if (expectedLong ? hasUnread() : chosen && (hasUnread() || baseIsEstimated)) {
            read(now);
        }
        if (chosen && known) {
            sampled = true;
            deadline = now;
        }
    }

    private void measure(long now, long wallNanos, int kind) {
        long earlierWall = wall.totalNanos() - wallAtRead - wallNanos;
        boolean isSample = sampled;
        sampled = false;
        long nanos = clockNanos(now);
        if (nanos < 0) {
            return;
        }
        long delta = nanos - base;
        long own = delta;
        if (earlierWall > 0) {
            own = Math.min(wallNanos, delta - Math.round(sampler.cpuShare() * earlierWall));
        }
        own = Math.max(0, own);
        if (wallNanos >= longTaskNanos) {
            cpu.count(own, 1);
            kinds.addCpu(kind, own);
            longKinds[kind] = wallNanos >= 2 * longTaskNanos;
            sampler.skipLong();
            book(now, nanos, own, Math.max(0, earlierWall));
        } else {
            if (isSample) {
                sampler.take(own, kind);
            }
            book(now, nanos, 0, wall.totalNanos() - wallAtRead);
        }
    }

    /** The end of an idle period. */
    private void wake(long now) {
        if (phase == NOT_STARTED) {
            start(now);
        } else if (phase == SEARCHING) {
            endSearch(now);
        } else if (samplesParking) {
            long nanos = clockNanos(now);
            if (nanos >= 0) {
                idleCost.learnParking(nanos - base);
                bookIdle(nanos - base);
                restart(now);
            }
        } else {
            estimateIdle(idleCost.ofParking());
        }
        phase = RUNNING;
    }

    private void start(long now) {
        deadline = now + FOREVER;
        if (known) {
            long nanos = clockNanos(now);
            if (nanos >= 0) {
                restart(now);
            }
        }
    }

    private void endSearch(long now) {
        long searched = Math.max(0, now - idleSince);
        if (!samplesSearch) {
            estimateIdle(idleCost.ofSearch(searched));
            return;
        }
        samplesSearch = false;
        long nanos = clockNanos(now);
        if (nanos >= 0) {
            idleCost.learnSearch(nanos - base, searched);
            bookIdle(nanos - base);
            restart(now);
        }
    }

    private void estimateIdle(long nanos) {
        base += nanos;
        baseIsEstimated = true;
        bookIdle(nanos);
    }

    /** Reads the clock at a border, unless it was read there already. */
    private void read(long now) {
        if (!known || (readAt == now && !baseIsEstimated)) {
            return;
        }
        long nanos = clockNanos(now);
        if (nanos >= 0) {
            book(now, nanos, 0, wall.totalNanos() - wallAtRead);
        }
    }

    /** When what follows a border begins: the read of the clock, if there was one, is neither the one's nor the other's. */
    private long afterRead(long now) {
        return readAt == now ? now + readLasted : now;
    }

    private boolean hasUnread() {
        return known && wall.totalNanos() != wallAtRead;
    }

    /** Books what tasks have burnt since the last read: one long task, and short ones that lasted so long. */
    private void book(long now, long nanos, long longTask, long shortWall) {
        long delta = nanos - base;
        long all = delta + carry;
        carry = Math.min(0, all);
        cpu.addTotal(Math.max(0, all));
        sampler.learn(delta - longTask, shortWall);
        restart(now);
    }

    private void bookIdle(long nanos) {
        IDLE_CPU.setOpaque(this, idleCpu + nanos);
    }

    private void restart(long now) {
        base = clockAfterRead + cost;
        baseIsEstimated = false;
        readAt = now;
        wallAtRead = wall.totalNanos();
        deadline = now + chunkNanos;
    }

    /** Reads the clock; when it knows no more, everything but the CPU time goes on. */
    private long clockNanos(long now) {
        long nanos = clock.nanos();
        long count = reads + 1;
        clockAfterRead = nanos;
        readLasted = cost;
        if (nanos < 0) {
            giveUp(now);
        } else if (count % COST_EVERY == 0 || (count & (count - 1)) == 0) {
            count++;
            learnCost(clock.nanos());
        }
        READS.setOpaque(this, count);
        return nanos;
    }

    /** Two reads in a row differ by what one costs here, between tasks that leave the caches cold. */
    private void learnCost(long again) {
        if (again >= clockAfterRead) {
            long sample = Math.max(calibratedCost / 4, Math.min(4 * calibratedCost, again - clockAfterRead));
            cost += (sample - cost) / COST_MEMORY;
            clockAfterRead = again;
            readLasted += cost;
            pace();
        }
    }

    private void pace() {
        chunkNanos = Math.max(LEAST_CHUNK_NANOS, CHUNK_COSTS * cost);
        longTaskNanos = Math.max(LEAST_LONG_TASK_NANOS, LONG_TASK_COSTS * cost);
        sampler.blockNanos = 2 * chunkNanos;
    }

    private void giveUp(long now) {
        known = false;
        readLasted = 0;
        longTaskNanos = Long.MAX_VALUE;
        sampler.toGo = FOREVER;
        deadline = now + FOREVER;
    }
}
