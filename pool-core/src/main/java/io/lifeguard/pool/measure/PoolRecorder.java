package io.lifeguard.pool.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The recorders of one pool, and the sum of what they have recorded. Thread-safe.
 *
 * <p>The cost of a {@link #read()} depends on how many workers there are, not on how many tasks they ran.
 */
public final class PoolRecorder {

    /*
     * A worker is in exactly one of two places, and changes it under "workersLock": in "live", or folded into
     * "retired". A reader takes, under the same lock, a copy of both, and adds up outside of it: it counts each worker
     * once, also one that retires meanwhile, because a recorder that was retired keeps what it has recorded. So no
     * thread that starts or ends waits for a sum over all others, and workers take no lock at all between their first
     * and their last task.
     *
     * Blocked submits and caller-runs have many writers, all of whom have just lost more time than a lock takes; they
     * have a lock of their own which readers hold for the copy of one histogram.
     */

    private final KindTable kindTable = new KindTable();
    private final CpuClock clock;
    private final LongSupplier ticker;
    private final SplittableRandom random;

    /** The highest idle time that any reader has seen. Written by readers. */
    private final AtomicLong idleRead = new AtomicLong();

    private final ReentrantLock workersLock = new ReentrantLock();

    // guarded by workersLock
    private final ArrayList<WorkerRecorder> live = new ArrayList<>();

    // guarded by workersLock
    private final RecorderTotals retired = new RecorderTotals();

    private final ReentrantLock submittersLock = new ReentrantLock();

    // guarded by submittersLock
    private final Histogram blockedSubmit = new Histogram();

    // guarded by submittersLock
    private final Histogram callerRun = new Histogram();

    /** A recorder with the clocks of this machine. */
    public PoolRecorder() {
        this(CpuClock.system());
    }

    /** A recorder with the given CPU clock, {@link CpuClock#none()} for instance. */
    public PoolRecorder(CpuClock clock) {
        this(clock, System::nanoTime, new SplittableRandom());
    }

    PoolRecorder(CpuClock clock, LongSupplier ticker, SplittableRandom random) {
        this.clock = clock;
        this.ticker = ticker;
        this.random = random;
    }

    /** Returns the recorder of a new worker, to be retired when the worker ends. Any thread. */
    public WorkerRecorder newWorker() {
        workersLock.lock();
        try {
            WorkerRecorder worker = new WorkerRecorder(kindTable, clock, random.split());
            worker.position = live.size();
            live.add(worker);
            return worker;
        } finally {
            workersLock.unlock();
        }
    }

    /**
     * Takes over what a worker has recorded. Called by that worker after {@link WorkerRecorder#close}, or by a thread
     * that has seen it dead. Repeated calls change nothing.
     */
    public void retire(WorkerRecorder worker) {
        workersLock.lock();
        try {
            if (worker.position < 0) {
                return;
            }
            retired.add(worker, worker.idleNanosTotal(ticker));
            WorkerRecorder last = live.remove(live.size() - 1);
            if (last != worker) {
                last.position = worker.position;
                live.set(last.position, last);
            }
            worker.position = -1;
        } finally {
            workersLock.unlock();
        }
    }

    /** A submitter has waited so long for room. Any thread. */
    public void blockedSubmit(long nanos) {
        recordShared(blockedSubmit, nanos);
    }

    /** A submitter has run a task itself, which took so long. Any thread. */
    public void callerRun(long nanos) {
        recordShared(callerRun, nanos);
    }

    private void recordShared(Histogram histogram, long nanos) {
        submittersLock.lock();
        try {
            histogram.record(nanos);
        } finally {
            submittersLock.unlock();
        }
    }

    /** How long workers were idle until now, summed over all workers there ever were. */
    public long idleNanos() {
        WorkerRecorder[] workers;
        long sum;
        workersLock.lock();
        try {
            sum = retired.idleNanos;
            workers = live.toArray(new WorkerRecorder[0]);
        } finally {
            workersLock.unlock();
        }
        for (WorkerRecorder worker : workers) {
            sum += worker.idleNanosTotal(ticker);
        }
        return neverLess(sum);
    }

    /**
     * A worker that ends its idleness reads the clock a moment before it says so. A reader in between counts that
     * moment, and the next reader would count less.
     */
    private long neverLess(long idleNanos) {
        return idleRead.accumulateAndGet(idleNanos, Math::max);
    }

    /** How many workers run a task now. */
    public int busyWorkers() {
        int busy = 0;
        for (WorkerRecorder worker : workers()) {
            busy += worker.isBusy() ? 1 : 0;
        }
        return busy;
    }

    /** How many workers are idle now. */
    public int idleWorkers() {
        int idle = 0;
        for (WorkerRecorder worker : workers()) {
            idle += worker.isIdle() ? 1 : 0;
        }
        return idle;
    }

    /** The recorders of the workers there are now. */
    public List<WorkerRecorder> workers() {
        workersLock.lock();
        try {
            return List.copyOf(live);
        } finally {
            workersLock.unlock();
        }
    }

    /** Returns what was recorded until now. */
    public PoolReading read() {
        RecorderTotals sum = new RecorderTotals();
        WorkerRecorder[] workers;
        workersLock.lock();
        try {
            sum.add(retired);
            workers = live.toArray(new WorkerRecorder[0]);
        } finally {
            workersLock.unlock();
        }
        for (WorkerRecorder worker : workers) {
            sum.add(worker, worker.idleNanosTotal(ticker));
        }
        sum.idleNanos = neverLess(sum.idleNanos);
        HistogramSnapshot blocked;
        HistogramSnapshot callers;
        submittersLock.lock();
        try {
            blocked = HistogramSnapshot.of(blockedSubmit);
            callers = HistogramSnapshot.of(callerRun);
        } finally {
            submittersLock.unlock();
        }
        return reading(sum, kindTable, clock, clock.isSupported() && sum.cpuKnown, blocked, callers);
    }

    static PoolReading reading(
            RecorderTotals sum,
            KindTable kindTable,
            CpuClock clock,
            boolean cpuKnown,
            HistogramSnapshot blocked,
            HistogramSnapshot callers) {
        HistogramSnapshot service = sum.service.snapshot();
        HistogramSnapshot queueWait = sum.queueWait.snapshot();
        return new PoolReading(
                sum.begun,
                service.count(),
                sum.failed,
                queueWait,
                service,
                sum.cpu.snapshot(),
                cpuKnown,
                blocked,
                callers,
                sum.idleNanos,
                sum.idleCpuNanos,
                kinds(sum.kinds, kindTable, cpuKnown),
                Overhead.of(clock, sum.cpuClockReads, sum.begun + queueWait.count(), sum.begun));
    }

    private static List<KindReading> kinds(long[] cells, KindTable kindTable, boolean cpuKnown) {
        String[] names = kindTable.names();
        List<KindReading> kinds = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            int at = i * KindCounts.WIDTH;
            if (cells[at + KindCounts.COUNT] > 0) {
                kinds.add(new KindReading(
                        names[i],
                        cells[at + KindCounts.COUNT],
                        cells[at + KindCounts.WALL],
                        cpuKnown ? cells[at + KindCounts.CPU] : CpuClock.UNKNOWN,
                        cells[at + KindCounts.WAIT]));
            }
        }
        return List.copyOf(kinds);
    }
}
