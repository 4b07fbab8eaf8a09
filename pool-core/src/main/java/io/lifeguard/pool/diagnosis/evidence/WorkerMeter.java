package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.os.ThreadReader;
import io.lifeguard.pool.os.ThreadReading;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what the operating system counts for the workers of one pool, for those who publish it from time to time.
 * Thread-safe; holds the pool weakly.
 *
 * <p>A reading costs 10 to 25 µs per worker, so read seldom: a scrape every few seconds is fine. Of more than
 * {@value #MOST_WORKERS} workers so many are read in turn. What a worker does between its last reading and its end is
 * not known, so the sum is a lower bound.
 */
public final class WorkerMeter {

    /** How many workers are read at once. */
    static final int MOST_WORKERS = 256;

    private final WeakReference<InstrumentedPool> pool;
    private final LongFunction<@Nullable ThreadReading> reader;
    private final Map<Long, ThreadReading> latest = new HashMap<>(); // by the system's number; guarded by this
    private ThreadTimes sum = ThreadTimes.NONE; // guarded by this
    private int next; // whose turn it is; guarded by this

    /**
     * A meter of the pool's workers. It begins with what they have done so far, as far as they live.
     *
     * @param pool the pool, not null
     */
    public WorkerMeter(InstrumentedPool pool) {
        this(pool, new ThreadReader()::read);
    }

    WorkerMeter(InstrumentedPool pool, LongFunction<@Nullable ThreadReading> reader) {
        this.pool = new WeakReference<>(Objects.requireNonNull(pool, "pool must not be null"));
        this.reader = reader;
    }

    /**
     * Reads the workers.
     *
     * @return what all of them have done, those that have ended since included; never less than the last time. Zero
     *     where the system does not say (it is Linux that does)
     */
    public synchronized ThreadTimes read() {
        InstrumentedPool living = pool.get();
        if (living != null) {
            List<WorkerState> workers = living.workers();
            latest.keySet()
                    .retainAll(workers.stream().map(WorkerState::nativeId).toList());
            for (int i = 0; i < Math.min(MOST_WORKERS, workers.size()); i++) {
                read(workers.get(next++ % workers.size()).nativeId());
            }
            next = workers.isEmpty() ? 0 : next % workers.size();
        }
        return sum;
    }

    private void read(long nativeId) {
        ThreadReading now = reader.apply(nativeId);
        if (now != null) {
            ThreadReading before = latest.put(nativeId, now);
            sum = sum.plus(between(before, now));
        }
    }

    private static ThreadTimes between(@Nullable ThreadReading before, ThreadReading now) {
        if (before == null
                || now.cpuNanos() < before.cpuNanos()) { // the system gives numbers of ended threads to new ones
            return times(now, new ThreadReading(0, 0, 0, 0));
        }
        return times(now, before);
    }

    private static ThreadTimes times(ThreadReading now, ThreadReading before) {
        return new ThreadTimes(
                Duration.ofNanos(Math.max(0, now.cpuNanos() - before.cpuNanos())),
                Duration.ofNanos(Math.max(0, now.runQueueNanos() - before.runQueueNanos())),
                Math.max(0, now.voluntarySwitches() - before.voluntarySwitches()),
                Math.max(0, now.involuntarySwitches() - before.involuntarySwitches()));
    }
}
