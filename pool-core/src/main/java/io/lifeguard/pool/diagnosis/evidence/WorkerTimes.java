package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.os.ThreadReading;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the operating system says of the workers of one pool, from window to window. Where the budget does not reach for
 * all of them in every window, they are read in turn, and what lies between two readings of a worker is spread evenly
 * over the windows between. Confined to the monitor's thread.
 */
public final class WorkerTimes {

    /** A reading that is older says nothing of this window. */
    private static final int MOST_WINDOWS = 5;

    private final LongFunction<@Nullable ThreadReading> reader;
    private final EvidenceBudget budget;
    private final MonitorClock clock;
    private final Map<Long, Trace> traces = new HashMap<>(); // by the system's number of the thread
    private int next; // whose turn it is

    public WorkerTimes(LongFunction<@Nullable ThreadReading> reader, EvidenceBudget budget, MonitorClock clock) {
        this.reader = reader;
        this.budget = budget;
        this.clock = clock;
    }

    /** Reads the workers, as many as the budget allows, beginning with those that were not read last time. */
    public void read(List<WorkerState> workers) {
        forgetAllBut(workers);
        for (int i = 0; i < workers.size() && budget.allows(); i++) {
            read(workers.get(next++ % workers.size()).nativeId());
        }
        next = workers.isEmpty() ? 0 : next % workers.size();
    }

    /** Forgets all: nobody asks any more. */
    public void forget() {
        traces.clear();
    }

    /** Whether nothing could be read of any worker so far. */
    public boolean knowsNothing() {
        return traces.isEmpty();
    }

    /**
     * What is known of a worker for a window that ends now; empty after a first reading, or when the last is too old.
     */
    public Optional<ThreadTimes> within(WorkerState worker, Duration window) {
        Trace trace = traces.get(worker.nativeId());
        return trace == null ? Optional.empty() : trace.within(window, clock.nanoTime());
    }

    private void read(long nativeId) {
        ThreadReading now = reader.apply(nativeId);
        if (now == null) {
            traces.remove(nativeId);
        } else {
            traces.computeIfAbsent(nativeId, id -> new Trace()).add(now, clock.nanoTime());
        }
    }

    private void forgetAllBut(List<WorkerState> workers) {
        Set<Long> alive = new HashSet<>();
        workers.forEach(worker -> alive.add(worker.nativeId()));
        traces.keySet().retainAll(alive);
    }

    /** The last two readings of one thread. */
    private static final class Trace {
        private @Nullable ThreadReading before;
        private @Nullable ThreadReading after;
        private long beforeNanos;
        private long afterNanos;

        void add(ThreadReading now, long nanos) {
            before = after;
            beforeNanos = afterNanos;
            after = now;
            afterNanos = nanos;
        }

        Optional<ThreadTimes> within(Duration window, long now) {
            long elapsed = afterNanos - beforeNanos;
            boolean fresh = now - afterNanos <= MOST_WINDOWS * window.toNanos();
            if (before == null || after == null || elapsed <= 0 || !fresh) {
                return Optional.empty();
            }
            double share = (double) window.toNanos() / elapsed;
            ThreadTimes between = new ThreadTimes(
                    Duration.ofNanos(Math.max(0, after.cpuNanos() - before.cpuNanos())),
                    Duration.ofNanos(Math.max(0, after.runQueueNanos() - before.runQueueNanos())),
                    Math.max(0, after.voluntarySwitches() - before.voluntarySwitches()),
                    Math.max(0, after.involuntarySwitches() - before.involuntarySwitches()));
            return Optional.of(between.times(share));
        }
    }
}
