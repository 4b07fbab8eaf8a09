package io.lifeguard.pool.diagnosis.evidence.cpu;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.system.ThreadReading;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.os.Unknown;
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
 * The operating system's times of the workers of one pool, from window to window. Confined to the monitor's thread.
 *
 * <p>Where the budget does not suffice to read all workers in every window, they are read in turn. The times between
 * two readings of a worker are spread evenly over the windows between.
 */
public final class WorkerTimes {

    /** An older reading says nothing about this window. */
    private static final int MOST_WINDOWS = 5;

    private final LongFunction<@Nullable ThreadReading> reader;
    private final EvidenceBudget budget;
    private final MonitorClock clock;
    private final Map<Long, Trace> traces = new HashMap<>(); // by the system's number of the thread
    private int next; // the worker to read first

    public WorkerTimes(LongFunction<@Nullable ThreadReading> reader, EvidenceBudget budget, MonitorClock clock) {
        this.reader = reader;
        this.budget = budget;
        this.clock = clock;
    }

    /** Reads as many workers as the budget allows, beginning with those that were not read last time. */
    public void read(List<WorkerState> workers) {
        Set<Long> present = new HashSet<>();
        for (WorkerState worker : workers) {
            present.add(nativeId(worker));
        }
        traces.keySet().retainAll(present);
        int left = workers.size();
        for (int allowed = budget.grantTimes(left); allowed > 0; allowed = budget.grantTimes(left)) {
            for (int i = 0; i < allowed; i++) {
                read(nativeId(workers.get(Math.floorMod(next++, workers.size()))));
            }
            left -= allowed;
        }
        next = workers.isEmpty() ? 0 : next % workers.size();
    }

    public void forget() {
        traces.clear();
    }

    public boolean knowsNothing() {
        return traces.isEmpty();
    }

    /**
     * What is known of a worker for a window that ends now; empty after a first reading, or when the last one is too
     * old.
     */
    public Optional<ThreadTimes> within(WorkerState worker, Duration window) {
        Trace trace = traces.get(nativeId(worker));
        return trace == null ? Optional.empty() : trace.within(window, clock.nanoTime());
    }

    public static long nativeId(WorkerState worker) {
        return worker.nativeId().orElse(Unknown.NUMBER);
    }

    private void read(long nativeId) {
        ThreadReading now = reader.apply(nativeId);
        if (now == null) {
            traces.remove(nativeId);
        } else {
            Trace trace = traces.getOrDefault(nativeId, new Trace());
            traces.put(nativeId, trace);
            trace.add(now, clock.nanoTime());
        }
    }

    static ThreadTimes between(ThreadReading before, ThreadReading after) {
        return new ThreadTimes(
                Duration.ofNanos(Math.max(0, after.cpuNanos() - before.cpuNanos())),
                Duration.ofNanos(after.runQueueNanosSince(before)),
                Math.max(0, after.voluntarySwitches() - before.voluntarySwitches()),
                Math.max(0, after.involuntarySwitches() - before.involuntarySwitches()));
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
            return Optional.of(between(before, after).times(share));
        }
    }
}
