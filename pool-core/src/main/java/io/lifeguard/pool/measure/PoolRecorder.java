package io.lifeguard.pool.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The recorders of one pool, and the sum of what they have recorded. Thread-safe.
 *
 * <p>The cost of a {@link #read()} depends on how many workers there are, not on how many tasks they ran.
 */
public final class PoolRecorder {

    /*
     * A worker's recorder is in exactly one of two places: in "live", or added to "retired". It changes its place under
     * "workersLock". A reader copies both under that lock, and adds up the copies without the lock. It counts each
     * worker once, even a worker that retires meanwhile, because a retired recorder keeps what it has recorded.
     *
     * A pool that runs one task and ends has one worker. Its recorder is kept as it is, in "onlyOne", until a second
     * worker starts. That spares such a pool 11 KiB and a sum.
     *
     * So no thread that starts or ends waits for a sum over all others. A worker takes no lock at all between its first
     * and its last task.
     *
     * Blocked submits and caller-runs have many writers. Each writer has just lost more time than a lock takes. So they
     * share "submittersLock", which a reader holds while it copies two histograms.
     */

    private final KindTable kindTable = new KindTable();
    private final @Nullable CpuClock givenClock; // null: that of this machine, which the first reader loads
    private final LongSupplier ticker;

    private final ReentrantLock workersLock = new ReentrantLock();
    private final ArrayList<WorkerRecorder> live = new ArrayList<>(); // guarded by workersLock
    private @Nullable SplittableRandom random; // guarded by workersLock; null until the first worker if none is given
    private @Nullable RecorderTotals retired; // guarded by workersLock; made with the second worker
    private @Nullable WorkerRecorder onlyOne; // guarded by workersLock; the first worker, if it ended without a second

    private final ReentrantLock submittersLock = new ReentrantLock();
    private @Nullable Histogram blockedSubmit; // guarded by submittersLock; made with the first wait
    private @Nullable Histogram callerRun; // guarded by submittersLock; made with the first run

    // written by readers, by read-modify-write; so a read is never stale. The highest idle time that was returned
    private final AtomicLong idleRead = new AtomicLong();

    public PoolRecorder() {
        this(null, SystemTicker.INSTANCE, null);
    }

    public PoolRecorder(CpuClock clock) {
        this(clock, SystemTicker.INSTANCE, null);
    }

    PoolRecorder(@Nullable CpuClock clock, LongSupplier ticker, @Nullable SplittableRandom random) {
        this.givenClock = clock;
        this.ticker = ticker;
        this.random = random;
    }

    private CpuClock clock() {
        return givenClock == null ? CpuClock.system() : givenClock;
    }

    /** Returns the recorder of a new worker. The caller retires it when the worker ends. Any thread. */
    public WorkerRecorder newWorker() {
        CpuClock clock = givenClock == null ? CpuClock.systemOnceLoaded() : givenClock;
        workersLock.lock();
        try {
            if (onlyOne != null || !live.isEmpty()) {
                ensureTotals();
            }
            if (random == null) {
                random = new SplittableRandom();
            }
            WorkerRecorder worker = new WorkerRecorder(kindTable, clock, random.split());
            worker.position = live.size();
            live.add(worker);
            return worker;
        } finally {
            workersLock.unlock();
        }
    }

    /** All workers but the first one need it when they end, and memory may be short then. */
    private void ensureTotals() {
        if (retired == null) {
            RecorderTotals totals = new RecorderTotals();
            if (onlyOne != null) {
                totals.add(onlyOne, ticker);
            }
            retired = totals; // no call may come between the two
            onlyOne = null;
        }
    }

    /**
     * Adds the record of a worker that has ended. Called by that worker after {@link WorkerRecorder#close}, or by a
     * thread that has seen it dead. Repeated calls change nothing.
     */
    public void retire(WorkerRecorder worker) {
        workersLock.lock();
        try {
            if (worker.position < 0) {
                return;
            }
            if (!worker.isRetired) {
                worker.isRetired = true; // a second attempt after an Error must not count twice
                if (retired == null) {
                    onlyOne = worker;
                } else {
                    retired.add(worker, ticker);
                }
            }
            int end = live.size() - 1;
            WorkerRecorder last = live.get(end);
            live.set(worker.position, last);
            last.position = worker.position;
            live.remove(end);
            worker.position = -1;
        } finally {
            workersLock.unlock();
        }
    }

    /** A submitter has waited for room. Any thread. */
    public void blockedSubmit(long nanos) {
        submittersLock.lock();
        try {
            blockedSubmit = recorded(blockedSubmit, nanos);
        } finally {
            submittersLock.unlock();
        }
    }

    /** A submitter has run a task itself, for this long. Any thread. */
    public void callerRun(long nanos) {
        submittersLock.lock();
        try {
            callerRun = recorded(callerRun, nanos);
        } finally {
            submittersLock.unlock();
        }
    }

    private static Histogram recorded(@Nullable Histogram present, long nanos) {
        Histogram histogram = present == null ? new Histogram() : present;
        histogram.record(nanos);
        return histogram;
    }

    public long idleNanos() {
        List<WorkerRecorder> workers;
        long sum;
        workersLock.lock();
        try {
            sum = retired == null ? 0 : retired.idleNanos;
            workers = notAddedUp();
        } finally {
            workersLock.unlock();
        }
        for (WorkerRecorder worker : workers) {
            sum = Saturating.add(sum, worker.idleNanosTotal(ticker));
        }
        return neverLess(sum);
    }

    /**
     * A worker whose idleness ends reads the clock a moment before it stores that. A reader in between counts that
     * moment, and the next reader would count less.
     */
    private long neverLess(long idleNanos) {
        long known = idleRead.get();
        while (known < idleNanos && !idleRead.compareAndSet(known, idleNanos)) {
            known = idleRead.get();
        }
        return Math.max(known, idleNanos);
    }

    public int busyWorkers() {
        int busy = 0;
        for (WorkerRecorder worker : workers()) {
            busy += worker.isBusy() ? 1 : 0;
        }
        return busy;
    }

    public List<WorkerRecorder> workers() {
        workersLock.lock();
        try {
            return List.copyOf(live);
        } finally {
            workersLock.unlock();
        }
    }

    private List<WorkerRecorder> notAddedUp() {
        return onlyOne == null ? List.copyOf(live) : List.of(onlyOne);
    }

    public PoolReading read() {
        CpuClock clock = clock();
        RecorderTotals sum = new RecorderTotals();
        List<WorkerRecorder> workers;
        workersLock.lock();
        try {
            if (retired != null) {
                sum.add(retired);
            }
            workers = notAddedUp();
        } finally {
            workersLock.unlock();
        }
        for (WorkerRecorder worker : workers) {
            sum.add(worker, ticker);
        }
        sum.idleNanos = neverLess(sum.idleNanos);
        HistogramSnapshot blocked;
        HistogramSnapshot callers;
        submittersLock.lock();
        try {
            blocked = blockedSubmit == null ? HistogramSnapshot.EMPTY : HistogramSnapshot.of(blockedSubmit);
            callers = callerRun == null ? HistogramSnapshot.EMPTY : HistogramSnapshot.of(callerRun);
        } finally {
            submittersLock.unlock();
        }
        return sum.reading(kindTable, clock, clock.isSupported() && sum.cpuKnown, blocked, callers);
    }
}
