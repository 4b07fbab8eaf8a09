package io.lifeguard.pool.diagnosis.evidence.cpu;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.diagnosis.system.ThreadReading;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the operating system's times of the workers of one pool, for users that publish them from time to time.
 * Thread-safe; holds the pool weakly.
 *
 * <p>A reading costs 10 to 25 µs per worker, so read seldom: a scrape every few seconds is fine. Of more than
 * {@value #MOST_WORKERS} workers, each call reads that many in turn. What a worker does between its last reading and
 * its end is unknown, so the sum is a lower bound.
 */
public final class WorkerMeter {

    private static final ThreadReading NOTHING = new ThreadReading(0, 0, 0, 0, false, Long.MIN_VALUE / 2); // long ago

    /** How many workers one call reads. */
    static final int MOST_WORKERS = 256;

    private final WeakReference<InstrumentedPool> pool;
    private final LongFunction<@Nullable ThreadReading> reader;
    private final Map<Long, ThreadReading> latest = new HashMap<>(); // by the system's number; guarded by this
    private ThreadTimes sum = ThreadTimes.NONE; // guarded by this
    private int next; // the worker to read first; guarded by this

    public WorkerMeter(InstrumentedPool pool) {
        this(pool, new ThreadReader()::read);
    }

    WorkerMeter(InstrumentedPool pool, LongFunction<@Nullable ThreadReading> reader) {
        this.pool = new WeakReference<>(pool);
        this.reader = reader;
    }

    /**
     * {@return the times of all workers, including those that have ended; never less than the last time, zero where the
     * system does not say (only Linux does)}
     */
    public synchronized ThreadTimes read() {
        InstrumentedPool living = pool.get();
        if (living != null) {
            List<WorkerState> workers = living.workers();
            latest.keySet()
                    .retainAll(workers.stream().map(WorkerTimes::nativeId).toList());
            for (int i = 0; i < Math.min(MOST_WORKERS, workers.size()); i++) {
                read(WorkerTimes.nativeId(workers.get(Math.floorMod(next++, workers.size()))));
            }
            next = workers.isEmpty() ? 0 : next % workers.size();
        }
        return sum;
    }

    private void read(long nativeId) {
        ThreadReading now = reader.apply(nativeId);
        if (now != null) {
            ThreadReading before = latest.put(nativeId, now);
            // The system gives the numbers of ended threads to new ones, which begin at 0.
            ThreadReading from = before == null || now.cpuNanos() < before.cpuNanos() ? NOTHING : before;
            sum = sum.plus(WorkerTimes.between(from, now));
        }
    }
}
