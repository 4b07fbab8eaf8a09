package io.lifeguard.pool.measure;

import io.lifeguard.pool.os.Unknown;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Splits the CPU time of one worker between its tasks and its idle periods. Single writer: the worker; any thread may
 * read the sums.
 */
final class CpuAccounting {
    /*
     * "base" is the value of the thread's CPU clock up to which CPU time is accounted for. Reading the clock takes CPU
     * time itself, part of it before and part of it after the value is taken. Exactly one such cost lies between two
     * successive values, so each read moves the base on by one cost. The calibrated cost is too low between tasks,
     * because caches are cold there. So now and then the clock is read twice in a row: the difference is the cost.
     *
     * Most idle periods are not measured but estimated. An estimate moves the base on, too. The next read compares the
     * base with the true clock again, so errors of estimates do not accumulate. After an estimate that was too high,
     * the tasks before the next read seem to have a negative CPU time. That value is carried over to the next read:
     * dropping it would be a bias.
     *
     * The clock may not be loaded yet (see CpuClock). The worker then goes on as if it had not read. Its first value
     * holds all CPU time since the thread began, which is booked as that of tasks: few idle periods were before.
     *
     * One idle period in some hundred costs far more than the others, for example because a hypervisor took the CPU
     * away. Such a period shows as CPU time that exceeds the wall time of all tasks since the last read. The excess is
     * counted as idle. The opposite happens too: a CPU time so negative that the estimated periods can have cost next
     * to nothing. That part of the estimate is taken back, otherwise it would be missing from the tasks for a long
     * time.
     */

    private static final int LEARN_EVERY = 16;
    private static final int MEMORY = 8;
    private static final int COLD = 2; // an interrupt may fall between two reads
    private static final int OUTLIER = 4;
    private static final long NO_OUTLIER_NANOS = 5_000;

    private final CpuClock clock;
    private final Histogram wall;
    private final Histogram cpu;
    private final TaskSampler sampler;

    // single writer: the worker; readers may lag by one idle period
    private final AtomicLong idleNanos = new AtomicLong();
    // single writer: the worker; readers may lag by one read
    private final AtomicLong reads = new AtomicLong();
    // single writer: the worker; goes from true to false once. A stale read treats a partly known CPU time as known
    private volatile boolean known;

    // touched by the worker only
    private long readNanos; // what a read costs, as far as it is known
    private long lastRead; // the last value of the clock
    private long lastTook; // how long the last read took
    private long base;
    private long estimatedIdle; // since the last read
    private long carry; // zero or negative
    private long readAt;
    private long wallAtRead;
    private boolean isLate; // the clock was not loaded when it should have been read

    CpuAccounting(CpuClock clock, Histogram wall, Histogram cpu, TaskSampler sampler) {
        this.clock = clock;
        this.wall = wall;
        this.cpu = cpu;
        this.sampler = sampler;
        this.known = clock.isSupported();
        this.readNanos = clock.costNanos();
    }

    /** Whether the clock has answered every time. Any thread. */
    boolean isKnown() {
        return known;
    }

    /** How often the clock was read. Any thread. */
    long reads() {
        return reads.getOpaque();
    }

    /** The CPU time of idle periods. Any thread. */
    long idleNanos() {
        return idleNanos.getOpaque();
    }

    /** Reads the clock. Returns a negative number if the clock does not know the time of this thread, now or before. */
    long readClock() {
        long nanos = known ? clock.nanos() : Unknown.NUMBER;
        if (nanos < 0) {
            if (nanos == CpuClock.NOT_LOADED) {
                isLate = true;
            } else {
                known = false;
                isLate = false; // it was loaded meanwhile, and does not know this thread
            }
            return nanos;
        }
        long count = reads.getPlain() + 1;
        lastRead = nanos;
        lastTook = readNanos;
        if (count % LEARN_EVERY == 0) {
            count++;
            lastTook += readNanos;
            lastRead = clock.nanos();
            readNanos += (Math.min(COLD * clock.costNanos(), lastRead - nanos) - readNanos) / MEMORY;
        }
        reads.setOpaque(count);
        if (isLate) {
            isLate = false;
            cpu.addTotal(Math.max(0, nanos - base));
            base = lastRead + readNanos;
            estimatedIdle = 0;
            bookedWall();
            return CpuClock.NOT_LOADED; // what follows would take this for the time since an earlier read
        }
        return nanos;
    }

    /** The wall time until now is that of tasks whose CPU time was booked, or will be with the first read. */
    void bookedWall() {
        wallAtRead = wall.totalNanos();
    }

    /** Whether the clock was never read, because it was not loaded. Any thread; may be false a moment too late. */
    boolean isUnread() {
        return known && reads.getOpaque() == 0;
    }

    /** Whether the clock was not loaded when the worker wanted to read it. Only for the worker. */
    boolean isLate() {
        return isLate;
    }

    /** Loads the clock if the worker has never read it, so that the CPU time of a thread that ends is not lost. */
    void readBeforeTheEnd() {
        if (isLate) {
            try {
                CpuClock.system();
            } catch (Error ignored) { // no memory: the worker must end
                known = false;
            }
            readClock();
        }
    }

    void start(long now) {
        readClock();
        restart(now);
    }

    private void restart(long now) {
        base = lastRead + readNanos;
        estimatedIdle = 0;
        readAt = now;
        wallAtRead = wall.totalNanos();
    }

    /** The CPU time that is not accounted for yet, at this value of the clock. */
    long since(long clockNanos) {
        return clockNanos - base;
    }

    /** The CPU time of tasks that is not accounted for yet, at this value of the clock. */
    long ofTasksSince(long clockNanos) {
        long burnt = since(clockNanos);
        long surplus = burnt - unbookedWall();
        if (estimatedIdle > 0 && surplus > NO_OUTLIER_NANOS + OUTLIER * estimatedIdle) {
            bookEstimatedIdle(surplus);
        } else if (estimatedIdle > 0 && -burnt > estimatedIdle - estimatedIdle / OUTLIER) {
            bookEstimatedIdle(burnt);
        }
        return since(clockNanos);
    }

    /**
     * Books the CPU time since the last read as that of tasks.
     *
     * @param longTask the CPU time of the last task, if that task was long; otherwise 0
     * @param shortWall the wall time of the short tasks
     */
    void bookTasks(long now, long clockNanos, long longTask, long shortWall) {
        long burnt = ofTasksSince(clockNanos);
        long sum = burnt + carry;
        carry = Math.min(0, sum);
        cpu.addTotal(Math.max(0, sum));
        sampler.learn(burnt - longTask, shortWall);
        restart(now);
    }

    /** Reads the clock between two tasks and books the tasks before, unless the clock was read there already. */
    void bookTasks(long now) {
        if (readAt == now && estimatedIdle == 0) {
            return;
        }
        long clockNanos = readClock();
        if (clockNanos >= 0) {
            bookTasks(now, clockNanos, 0, unbookedWall());
        }
    }

    /** Books the CPU time since the last read as idle. */
    void bookMeasuredIdle(long now, long clockNanos) {
        idleNanos.setOpaque(idleNanos.getPlain() + since(clockNanos));
        restart(now);
    }

    /** Books this much CPU time as idle without reading the clock. */
    void bookEstimatedIdle(long nanos) {
        base += nanos;
        estimatedIdle += nanos;
        idleNanos.setOpaque(idleNanos.getPlain() + nanos);
    }

    /** The wall time of the tasks that have ended since the last read. */
    long unbookedWall() {
        return wall.totalNanos() - wallAtRead;
    }

    long readAt() {
        return readAt;
    }

    /** When a task or an idle period begins that follows a border. A read at that border is not part of it. */
    long afterRead(long now) {
        return readAt == now && known ? now + lastTook : now;
    }
}
