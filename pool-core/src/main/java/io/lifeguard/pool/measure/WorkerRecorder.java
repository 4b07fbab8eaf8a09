package io.lifeguard.pool.measure;

import io.lifeguard.pool.os.NativeThread;
import io.lifeguard.pool.os.Unknown;
import java.lang.invoke.VarHandle;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records the tasks and the idle periods of one worker thread. Written by that worker only; any thread may read.
 *
 * <p>The worker calls {@link #begin} and {@link #end} (or {@link #leave}) around each task, {@link #idle} and
 * {@link #parking} when there is none, and {@link #close} last. All times are {@link System#nanoTime()} values. One
 * value may be the end of one task and the start of the next.
 *
 * <p>No method reads the time or takes a lock. No method allocates, once a kind of task is known. No reference to a
 * task is kept.
 */
public final class WorkerRecorder {

    /*
     * The writer stores in the order in which a task lives, and PoolRecorder's readers load in the reverse order:
     *     writer  begun | wait | service | kind | failed       reader  failed, kind, service, wait, begun
     * So no reader sees more tasks ended than begun, or more failed than ended. Each store of a bucket or counter is a
     * plain one behind a release fence, and an acquire fence follows each load. A worker has one writer at a time, so no
     * store has to be an atomic read-modify-write.
     *
     * A worker at a queue leaves a short task by "leave", and the next call books that task. So a task costs two calls,
     * of which only "step" is long.
     *
     * "step" is one method on purpose. HotSpot inlines no method of more than 325 bytes (FreqInlineSize). It compiles
     * "step" once, and not once more as a part of each of the eight methods from ThreadPoolExecutor.getTask down to
     * this class. When a branch is taken for the first time, only "step" is compiled anew. CompiledOnceTest keeps the
     * size. For that, "step" repeats Histogram.record, KindCounts.add and retarget; a test compares the records.
     */

    /** What {@link #busySinceNanos()} returns when no task runs. */
    public static final long NOT_BUSY = Long.MIN_VALUE;

    private static final long NOTHING = -1;

    final Histogram queueWait = new Histogram();
    final Histogram service = new Histogram();
    final Histogram cpu = new Histogram();
    final KindCounts kinds = new KindCounts();
    final CpuMeter meter;

    private final KindTable kindTable;
    private final IdleTime idleTime = new IdleTime();
    private final long nativeId = NativeThread.currentId();
    private final long threadId = Thread.currentThread().getId();

    // single writer: the worker; readers may lag by one task
    private long begun;
    private long failed;

    // single writer: the worker; readers may see the last task a moment after it has ended
    private long busySince = NOT_BUSY;

    // single writer: the worker; stored before busySince, so a reader never sees the kind of an earlier task
    private int kind = KindTable.OTHER;

    // guarded by the pool recorder's lock: where the pool recorder keeps this recorder
    int position = -1;

    // guarded by the same lock: whether the pool recorder counts this one as retired. Its sum of retired recorders may
    // hold a part of it after an Error.
    boolean isRetired;

    // the rest is touched by the worker only

    // The kinds of the last two tasks that differed: most pools run one or two kinds. The references are strong, so
    // they are dropped when the worker has no task. Otherwise they could keep a class loader alive.
    private @Nullable Object firstKey;
    private @Nullable Object secondKey;
    private int firstKind;
    private int secondKind;
    private long started;
    private long waited;
    private long unbooked = NOTHING; // how long a task lasted that was left and is not recorded yet
    private long taskCpuNanos = Unknown.NUMBER; // of the last task

    WorkerRecorder(KindTable kindTable, CpuClock clock, SplittableRandom random) {
        this.kindTable = kindTable;
        this.meter = new CpuMeter(clock, service, cpu, kinds, random);
    }

    /**
     * A task begins. Only for the worker.
     *
     * @param enqueuedNanos when it was accepted, or {@link Unknown#NUMBER}
     * @param kindKey the kind of task: a {@code Class} or a name ({@code String}); null for "(other)"
     */
    public void begin(long now, long enqueuedNanos, @Nullable Object kindKey) {
        step(now, enqueuedNanos, kindKey, true);
    }

    /** Books the task that was left, if any, and begins another one, if told to. Not to be cut: see above. */
    private void step(long now, long enqueuedNanos, @Nullable Object kindKey, boolean begins) {
        long lasted = unbooked;
        if (lasted != NOTHING) {
            unbooked = NOTHING;
            Histogram times = service;
            times.total = Saturating.add(times.total, lasted);
            if (lasted > times.max) {
                times.max = lasted;
            }
            VarHandle.releaseFence();
            times.counts[Histogram.bucketOf(lasted)]++;
            long[] cells = kinds.own;
            int row = kind * KindCounts.WIDTH;
            cells[row + KindCounts.WALL] = Saturating.add(cells[row + KindCounts.WALL], lasted);
            cells[row + KindCounts.WAIT] = Saturating.add(cells[row + KindCounts.WAIT], waited);
            VarHandle.releaseFence();
            cells[row + KindCounts.COUNT]++;
        }
        if (!begins) {
            return;
        }
        int number = kindKey == firstKey ? firstKind : kindKey == secondKey ? secondKind : findKind(kindKey);
        if (number != kind) {
            VarHandle.releaseFence(); // a reader of the number then finds its name in the table
            kind = number; // stored before busySince, by a fence
        }
        if (idleTime.isIdle()) {
            idleTime.leave(now);
        }
        long before = begun;
        begun = before + 1; // the next fence follows
        long wait = 0;
        if (enqueuedNanos != Unknown.NUMBER) {
            wait = Math.max(0, now - enqueuedNanos);
            Histogram times = queueWait;
            times.total = Saturating.add(times.total, wait);
            if (wait > times.max) {
                times.max = wait;
            }
            VarHandle.releaseFence();
            times.counts[Histogram.bucketOf(wait)]++;
        }
        waited = wait;
        CpuMeter cpuMeter = meter;
        if (--cpuMeter.sampler.toGo < 0 || !cpuMeter.idle.isBusy()) {
            cpuMeter.prepare(now, before);
        }
        started = cpuMeter.accounting.afterRead(now);
        VarHandle.releaseFence();
        busySince = started;
    }

    /**
     * The task that was begun last has ended normally. If it was short, the next call of this recorder will record it.
     * Only for the worker.
     *
     * @return false if the caller has to call {@link #end}, because the CPU clock has to be read now
     */
    public boolean leave(long now) {
        long lasted = Math.max(0, now - started);
        if (meter.isReadAfter(now, lasted)) {
            return false;
        }
        busySince = NOT_BUSY;
        taskCpuNanos = Unknown.NUMBER;
        unbooked = lasted;
        return true;
    }

    private void book() {
        if (unbooked != NOTHING) {
            step(0, 0, null, false);
        }
    }

    /** The task that was begun last has ended, normally or not. Only for the worker. */
    public void end(long now, boolean hasFailed) {
        long lasted = Math.max(0, now - started);
        long clockNanos = meter.end(now, lasted);
        busySince = NOT_BUSY;
        unbooked = lasted;
        book();
        if (hasFailed) {
            VarHandle.releaseFence();
            failed++;
        }
        taskCpuNanos = clockNanos == CpuMeter.NOT_READ ? Unknown.NUMBER : meter.ended(now, lasted, kind, clockNanos);
    }

    /** The CPU time of the task that ended last, or {@link Unknown#NUMBER}. Only for the worker. */
    public long taskCpuNanos() {
        return taskCpuNanos;
    }

    /**
     * The task that runs is of this kind, whatever {@link #begin} was told. Only for the worker.
     *
     * @param kindKey as in {@link #begin}
     */
    public void retarget(@Nullable Object kindKey) {
        int number = kindKey == firstKey ? firstKind : kindKey == secondKey ? secondKind : findKind(kindKey);
        if (number != kind) {
            VarHandle.releaseFence(); // a reader of the number then finds its name in the table
            kind = number; // stored before busySince, by a fence
        }
    }

    /**
     * The end of the task that was begun last was not seen. The task is not recorded. Only for the worker.
     *
     * @param now after that end
     */
    public void abandon(long now) {
        busySince = NOT_BUSY;
        meter.abandon(now);
    }

    /**
     * Notes that an Error has struck in {@link #begin} or {@link #end}, so that no task runs. A task that was left
     * before is still recorded by the next call. Only for the worker.
     */
    public void forget() {
        busySince = NOT_BUSY;
    }

    /**
     * Records a queue wait that is a sample for several tasks, which were begun with {@link Unknown#NUMBER}. Only for
     * the worker.
     *
     * @param weight the number of tasks that the wait stands for
     */
    public void sampledWait(long waitNanos, long weight) {
        queueWait.record(waitNanos, weight);
        waited = Saturating.multiply(Math.max(0, waitNanos), weight);
    }

    /** There is no task: the worker begins to search. May be repeated. Only for the worker. */
    public void idle(long now) {
        book();
        forgetKeys();
        idleTime.enter(now);
        meter.idle.search(now);
    }

    /**
     * The worker is not observed until its next task. Meanwhile it searches, or parks, or neither. For queues that do
     * not call {@link #idle} and {@link #parking}. Only for the worker.
     */
    public void rest(long now) {
        book();
        forgetKeys();
        idleTime.enter(now);
        meter.idle.rest(now);
    }

    /** The worker has found nothing and is about to park. May be repeated. Only for the worker. */
    public void parking(long now) {
        meter.idle.park(now);
    }

    /** Notes that the worker ends. Only for the worker, and its last call. */
    public void close(long now) {
        book();
        forgetKeys();
        idleTime.leave(now);
        meter.close(now, begun);
    }

    public long nativeId() {
        return nativeId;
    }

    long threadId() {
        return threadId;
    }

    /** When the running task began, or {@link #NOT_BUSY}. */
    public long busySinceNanos() {
        long seen = busySince;
        VarHandle.acquireFence();
        return seen;
    }

    public boolean isBusy() {
        return busySinceNanos() != NOT_BUSY;
    }

    /** Whether the worker has no task now. It is neither busy nor idle while it starts, ends, or changes tasks. */
    public boolean isIdle() {
        return idleTime.isIdleNow();
    }

    /** The kind of the running task, or of the last one when none runs. */
    public String currentKind() {
        int seen = kind;
        VarHandle.acquireFence();
        return kindTable.nameOf(seen);
    }

    long idleNanosTotal(LongSupplier clock) {
        return idleTime.total(clock);
    }

    public long begun() {
        long seen = begun;
        VarHandle.acquireFence();
        return seen;
    }

    long failed() {
        long seen = failed;
        VarHandle.acquireFence();
        return seen;
    }

    private int findKind(@Nullable Object kindKey) {
        int number;
        try {
            number = kindTable.numberOf(kindKey);
            kinds.ensure(number);
        } catch (OutOfMemoryError ignored) { // if it were thrown, the task that the worker has taken would be lost
            return KindTable.OTHER;
        }
        secondKey = firstKey;
        secondKind = firstKind;
        firstKey = kindKey;
        firstKind = number;
        return number;
    }

    private void forgetKeys() {
        firstKey = null;
        firstKind = KindTable.OTHER;
        secondKey = null;
        secondKind = KindTable.OTHER;
    }
}
