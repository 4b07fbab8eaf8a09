package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.ThreadTimes;
import io.lifeguard.pool.diagnosis.WorkerMeter;
import java.lang.ref.WeakReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one pool for all meters of one registry: once, for those that ask within {@value #FRESH_MILLIS} ms, so that what is scraped together belongs
 * together. Thread-safe; holds the pool weakly, and keeps the last reading when it has gone.
 */
final class ScrapeReader {

    /** A scrape takes a few milliseconds; people notice nothing younger. */
    static final long FRESH_MILLIS = 20;

    private static final long FRESH_NANOS = FRESH_MILLIS * 1_000_000;

    /** The system's figures cost more than all else. */
    private static final long SYSTEM_FRESH_NANOS = 1_000_000_000;

    private final WeakReference<InstrumentedPool> pool;
    private final String name;
    private final FindingSource findings;
    private final Consumer<Reading> audience;
    private final WorkerMeter workers;

    // guarded by this
    private final RecentSnapshots recent = new RecentSnapshots();
    private @Nullable Reading latest;
    private long readNanos;
    private @Nullable ThreadTimes system;
    private long systemReadNanos;

    /**
     * @param pool what to read
     * @param findings where findings come from
     * @param audience is told of every new reading
     */
    ScrapeReader(InstrumentedPool pool, FindingSource findings, Consumer<Reading> audience) {
        this.pool = new WeakReference<>(pool);
        this.name = pool.name();
        this.findings = findings;
        this.audience = audience;
        this.workers = new WorkerMeter(pool);
    }

    boolean isOf(InstrumentedPool other) {
        return pool.refersTo(other);
    }

    boolean isCollected() {
        return pool.refersTo(null);
    }

    /** The pool has just been created, and has recorded nothing that is not recent. */
    synchronized void startAtBirth() {
        recent.sinceBirth();
    }

    /** What the pool has measured, at most a moment ago; null only if the first reading failed. Never throws. */
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
            audience.accept(reading); // without a lock, since it may register meters
        }
        return reading;
    }

    /** Reads whatever was read a moment ago: the pool is about to go. */
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
        } catch (Throwable usersSubclass) {
            // what a pool of the user's throws must not end a scrape; the last reading stands
        }
        readNanos = System.nanoTime();
    }

    private Reading reading(InstrumentedPool living) {
        PoolSnapshot now = living.snapshot();
        PoolSnapshot shortly = recent.before(now, RecentSnapshots.SHORT);
        PoolSnapshot longer = recent.recordedBefore(now, RecentSnapshots.LONG);
        recent.add(now);
        boolean schedules = living instanceof InstrumentedScheduledThreadPoolExecutor;
        return new Reading(
                now,
                shortly,
                longer,
                system(),
                findings.of(name),
                overhead(now),
                schedules ? ((InstrumentedScheduledThreadPoolExecutor) living).scheduledOnce() : 0,
                schedules ? ((InstrumentedScheduledThreadPoolExecutor) living).scheduledRepetitively() : 0);
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

    /** The pool's own sum falls as it learns what measuring costs once it is compiled; a counter may not. */
    private double overhead(PoolSnapshot now) {
        Reading before = latest;
        if (before == null) {
            return now.overhead().total().toNanos() / 1e9;
        }
        long tasks = Math.max(0, now.completed() - before.now().completed());
        return before.overheadSeconds() + tasks * (now.overhead().perTask().toNanos() / 1e9);
    }
}
