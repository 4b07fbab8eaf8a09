package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.evidence.cpu.WorkerMeter;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads one pool for all its meters in one registry. Thread-safe. Holds the pool weakly, and keeps the last reading
 * when the pool is gone.
 *
 * <p>All meters that are read within {@value #FRESH_MILLIS} ms share one reading, so that the values of one scrape
 * belong together.
 */
final class ScrapeReader {

    /** Longer than a scrape, which takes a few milliseconds, and too short to be noticed. */
    static final long FRESH_MILLIS = 20;

    private static final long FRESH_NANOS = FRESH_MILLIS * 1_000_000;

    /** The operating system's figures are read once a second, because reading them costs more than everything else. */
    private static final long SYSTEM_FRESH_NANOS = 1_000_000_000;

    private final WeakReference<InstrumentedPool> pool;
    private final Supplier<List<Finding>> findings;
    private final Consumer<Reading> listener;
    private final WorkerMeter workers;

    // guarded by this
    private final RecentSnapshots recent;
    private @Nullable Reading latest;
    private long readNanos;
    private @Nullable ThreadTimes system;
    private long systemReadNanos;

    /**
     * @param isNew whether the pool has just been created, so that everything it has recorded is recent
     * @param listener receives every new reading
     */
    ScrapeReader(InstrumentedPool pool, boolean isNew, Supplier<List<Finding>> findings, Consumer<Reading> listener) {
        this.pool = new WeakReference<>(pool);
        this.findings = findings;
        this.listener = listener;
        this.workers = new WorkerMeter(pool);
        this.recent = new RecentSnapshots(isNew);
    }

    /** Returns the pool, or null when it has been collected. */
    @Nullable
    InstrumentedPool pool() {
        return pool.get();
    }

    /** Returns the latest reading, at most 20 ms old; null only if the first reading failed. Never throws. */
    @Nullable
    Reading read() {
        Reading reading;
        boolean isNew;
        synchronized (this) {
            isNew = latest == null || System.nanoTime() - readNanos >= FRESH_NANOS;
            if (isNew) {
                refresh();
            }
            reading = latest;
        }
        if (isNew && reading != null) {
            listener.accept(reading); // without the lock, because the listener may register meters
        }
        return reading;
    }

    /** Reads a pool that has terminated, even if the latest reading is fresh. */
    synchronized void readLast() {
        refresh();
    }

    private void refresh() {
        InstrumentedPool living = pool.get();
        if (living == null) {
            return;
        }
        try {
            latest = reading(living);
        } catch (Throwable ignored) {
            // a user's subclass may throw, which must not end a scrape; the previous reading stays
        }
        readNanos = System.nanoTime();
    }

    private Reading reading(InstrumentedPool living) {
        PoolSnapshot now = living.snapshot();
        PoolSnapshot shortly = recent.before(now, RecentSnapshots.SHORT);
        PoolSnapshot longer = recent.recordedBefore(now, RecentSnapshots.LONG);
        recent.add(now);
        long once = 0;
        long repetitively = 0;
        if (living instanceof InstrumentedScheduledThreadPoolExecutor scheduled) {
            once = scheduled.scheduledOnce();
            repetitively = scheduled.scheduledRepetitively();
        }
        return new Reading(now, shortly, longer, system(), findings.get(), overhead(now), once, repetitively);
    }

    private ThreadTimes system() {
        ThreadTimes sum = system;
        if (sum == null || System.nanoTime() - systemReadNanos >= SYSTEM_FRESH_NANOS) {
            sum = workers.read();
            system = sum;
            systemReadNanos = System.nanoTime();
        }
        return sum;
    }

    /**
     * Adds up the overhead from reading to reading. The pool's own sum falls when compiled code turns out to be cheaper
     * than was estimated, and a counter must not fall.
     */
    private double overhead(PoolSnapshot now) {
        Reading before = latest;
        if (before == null) {
            return PoolTime.seconds(now.overhead().total());
        }
        long tasks = Math.max(0, now.completed() - before.now().completed());
        return before.overheadSeconds()
                + tasks * PoolTime.seconds(now.overhead().perTask());
    }
}
