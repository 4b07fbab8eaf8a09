package io.lifeguard.pool;

import io.lifeguard.pool.measure.EventTap;
import io.lifeguard.pool.measure.Saturating;
import io.lifeguard.pool.os.NonBlockingThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records the events of one full pool: submitters that waited, ran tasks themselves or were refused. Thread-safe. This
 * is not the hot path, so a lock guards the records. The lock is never held while a task or a handler runs.
 */
/*
 * When a wait ends, the task is accepted. So no Error may leave the methods that are called then: the submitter would
 * take the task for refused. When the heap is exhausted, an event is dropped, and a sum may miss it.
 */
final class SaturationRecorder {

    private static final int MOST_CALLERS = 32;
    private static final int MOST_CYCLES = 8;

    /** So long after it was found in a cycle, a pool is trusted to feed itself. */
    private static final long FEEDS_ITSELF_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Instruments instruments;
    // by ordinal: refusals that an Error kept from the map; written by submitters, a stale read misses the latest
    private final AtomicIntegerArray refusedUncounted = new AtomicIntegerArray(RejectionReason.values().length);
    private final AtomicInteger waiting = new AtomicInteger(); // written by submitters; a stale read misses the latest

    // Written by workers that find a cycle. After a stale read a worker waits, and finds the cycle itself.
    private volatile List<String> lastCycle = List.of();
    private volatile long lastCycleNanos;

    // written by submitters and workers; a stale read misses the latest
    private final AtomicLong troubles = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();
    // all below: guarded by lock
    private final Map<RejectionReason, Long> rejections = new EnumMap<>(RejectionReason.class);
    private final Map<String, ThreadTotals> callers = new HashMap<>();
    private final Map<String, ThreadTotals> eventLoops = new HashMap<>();
    private long workerRuns;
    private long workerRunNanos;
    private final Map<List<String>, Long> cycles = new HashMap<>(); // by the names of the pools

    SaturationRecorder(Instruments instruments) {
        this.instruments = instruments;
    }

    @SuppressWarnings("EnumOrdinal") // a map may need memory, an array does not
    void rejected(RejectionReason reason) {
        troubles.incrementAndGet();
        try {
            locked(() -> rejections.merge(reason, 1L, Long::sum));
        } catch (Error ignored) { // the submitter is to get the refusal
            refusedUncounted.incrementAndGet(reason.ordinal());
        }
        reportRejected(reason);
    }

    /** How many tasks were rejected or run by their submitters, and how often an event loop waited for room. */
    long troubles() {
        return troubles.get();
    }

    int waitingSubmitters() {
        return waiting.get();
    }

    /** Tells the listeners only. */
    void reportRejected(RejectionReason reason) {
        try {
            String submitter = Thread.currentThread().getName();
            instruments.events.send(listener -> listener.rejected(instruments.pool, reason, submitter));
            EventTap.Receiver receiver = EventTap.receiver();
            if (receiver != null) {
                receiver.rejected(instruments.name, reason.name());
            }
        } catch (Error ignored) { // the event is dropped
            return;
        }
    }

    /** Returns the note to pass on when the wait ends. */
    @Nullable
    Object waitBegins() {
        waiting.incrementAndGet();
        try {
            return EventTap.begins(EventTap.Beginning.SUBMIT_WAIT, null);
        } catch (Error ignored) { // the event is dropped; thrown on, the submitter would count as waiting for good
            return null;
        }
    }

    void waitEnds(long nanos, boolean accepted, @Nullable Object note, BooleanSupplier isAllowedEventLoop) {
        try {
            waiting.decrementAndGet();
        } catch (Error ignored) { // a counter needs no memory, so the second attempt succeeds
            waiting.decrementAndGet();
        }
        try {
            instruments.recorder.blockedSubmit(nanos);
            reportWait(nanos, accepted, note);
            if (isAllowedEventLoop.getAsBoolean()) {
                eventLoopWaited(nanos);
            }
        } catch (Error ignored) { // the event is dropped
            return;
        }
    }

    private void reportWait(long nanos, boolean accepted, @Nullable Object note) {
        EventTap.Receiver receiver = nanos < EventTap.SHORTEST_NANOS ? null : EventTap.receiver();
        if (receiver != null) {
            receiver.submitterWaited(instruments.name, nanos, accepted, note);
        }
        if (instruments.events.hasListeners()) {
            String submitter = Thread.currentThread().getName();
            Duration waited = Duration.ofNanos(nanos);
            instruments.events.send(
                    listener -> listener.submitterWaited(instruments.pool, submitter, waited, accepted));
        }
    }

    /** A thread that must not block has waited, because the policy allows it. */
    private void eventLoopWaited(long nanos) {
        troubles.incrementAndGet();
        String thread = Thread.currentThread().getName();
        locked(() -> totals(eventLoops, thread).waited(nanos));
    }

    /** Runs the task on the thread that submitted it, which may be a worker of this pool. */
    void runBySubmitter(Runnable task) {
        if (instruments.isOwnWorker()) {
            runByWorker(task);
        } else {
            runByCaller(task);
        }
    }

    /**
     * Runs the task on a dispatcher. Records the dispatcher, the wall time, and how idle the workers were meanwhile.
     */
    private void runByCaller(Runnable task) {
        troubles.incrementAndGet();
        String submitter = Thread.currentThread().getName();
        long start = System.nanoTime();
        long idleBefore = instruments.recorder.idleNanos();
        Object note = EventTap.begins(EventTap.Beginning.CALLER_RUN, null);
        try {
            run(task);
        } finally {
            callerRan(submitter, System.nanoTime() - start, idleBefore, note);
        }
    }

    /**
     * Runs a task that a worker submitted to its own full pool, or to one that waits for the worker's pool. The run
     * counts as a part of that worker's task, not as a caller-run.
     */
    void runByWorker(Runnable task) {
        troubles.incrementAndGet();
        long start = System.nanoTime();
        try {
            run(task);
        } finally {
            workerRan(System.nanoTime() - start);
        }
    }

    private void workerRan(long nanos) {
        try {
            locked(() -> {
                workerRuns++;
                workerRunNanos = Saturating.add(workerRunNanos, nanos);
            });
        } catch (Error ignored) { // the task has run
            return;
        }
    }

    /** All workers of these pools, this one among them, wait for each other. */
    void foundInCycle(List<String> pools) {
        lastCycleNanos = System.nanoTime();
        lastCycle = pools;
    }

    /** Whether the pool was in a cycle a moment ago. Its workers then need not wait for the next standstill. */
    boolean feedsItself() {
        return !lastCycle.isEmpty() && System.nanoTime() - lastCycleNanos < FEEDS_ITSELF_NANOS;
    }

    /** A worker did not wait for room in this pool, because all workers of these pools wait for each other. */
    void cycleBroken(List<String> pools) {
        try {
            locked(() -> {
                boolean hasPlace = cycles.containsKey(pools) || cycles.size() < MOST_CYCLES;
                cycles.merge(hasPlace ? pools : List.of(PoolSnapshot.OTHER), 1L, Long::sum);
            });
        } catch (Error ignored) { // it is not counted
            return;
        }
    }

    /** The same once more, because that was so a moment ago. */
    void cycleBrokenAgain() {
        cycleBroken(lastCycle);
    }

    private static void run(Runnable task) {
        Submission.settle(task);
        PoolWorker worker = PoolWorker.current();
        if (worker == null) {
            task.run();
        } else {
            worker.runNested(task);
        }
    }

    private void callerRan(String submitter, long nanos, long idleBefore, @Nullable Object note) {
        try {
            long idle = Math.max(0, instruments.recorder.idleNanos() - idleBefore);
            recordCallerRun(submitter, nanos, idle, note);
        } catch (Error ignored) { // the task has run
            return;
        }
    }

    private void recordCallerRun(String submitter, long nanos, long idleWorkerNanos, @Nullable Object note) {
        instruments.recorder.callerRun(nanos);
        boolean isEventLoop = NonBlockingThreads.isNonBlocking(Thread.currentThread());
        locked(() -> {
            totals(callers, submitter).ran(nanos, idleWorkerNanos);
            if (isEventLoop) {
                totals(eventLoops, submitter).ran(nanos, idleWorkerNanos);
            }
        });
        double idle = (double) idleWorkerNanos / Math.max(1, nanos);
        EventTap.Receiver receiver = nanos < EventTap.SHORTEST_NANOS ? null : EventTap.receiver();
        if (receiver != null) {
            receiver.callerRan(instruments.name, nanos, idle, note);
        }
        if (instruments.events.hasListeners()) {
            Duration ran = Duration.ofNanos(nanos);
            instruments.events.send(listener -> listener.callerRan(instruments.pool, submitter, ran, idle));
        }
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }

    private static ThreadTotals totals(Map<String, ThreadTotals> known, String thread) {
        String key = known.containsKey(thread) || known.size() < MOST_CALLERS ? thread : PoolSnapshot.OTHER;
        return known.computeIfAbsent(key, ThreadTotals::new);
    }

    /**
     * Returns an immutable copy of all records.
     *
     * @param lostInHandlers how many further tasks were left to a user's handler
     */
    @SuppressWarnings("EnumOrdinal") // see rejected
    PoolSnapshot.Saturation read(long lostInHandlers) {
        lock.lock();
        try {
            Map<RejectionReason, Long> rejections = new EnumMap<>(this.rejections);
            for (RejectionReason reason : RejectionReason.values()) {
                int uncounted = refusedUncounted.get(reason.ordinal());
                if (uncounted > 0) {
                    rejections.merge(reason, (long) uncounted, Long::sum);
                }
            }
            if (lostInHandlers > 0) {
                rejections.merge(RejectionReason.LEFT_TO_HANDLER, lostInHandlers, Long::sum);
            }
            return new PoolSnapshot.Saturation(
                    waiting.get(),
                    workerRuns,
                    Duration.ofNanos(workerRunNanos),
                    rejections,
                    toCallers(),
                    toEventLoops(),
                    cycles.isEmpty() ? List.of() : mostBrokenFirst());
        } finally {
            lock.unlock();
        }
    }

    private List<PoolSnapshot.Cycle> mostBrokenFirst() {
        return cycles.entrySet().stream()
                .map(cycle -> new PoolSnapshot.Cycle(cycle.getKey(), cycle.getValue()))
                .sorted(Comparator.comparing(PoolSnapshot.Cycle::broken).reversed())
                .toList();
    }

    /* No stream: a young JVM reads these while a submitter runs tasks. */

    private List<PoolSnapshot.Caller> toCallers() {
        List<PoolSnapshot.Caller> busiestFirst = new ArrayList<>(callers.size());
        for (ThreadTotals each : busiestFirst(callers)) {
            busiestFirst.add(each.toCaller());
        }
        return busiestFirst;
    }

    private List<PoolSnapshot.EventLoop> toEventLoops() {
        List<PoolSnapshot.EventLoop> busiestFirst = new ArrayList<>(eventLoops.size());
        for (ThreadTotals each : busiestFirst(eventLoops)) {
            busiestFirst.add(each.toEventLoop());
        }
        return busiestFirst;
    }

    private static List<ThreadTotals> busiestFirst(Map<String, ThreadTotals> totals) {
        List<ThreadTotals> sorted = new ArrayList<>(totals.values());
        Collections.sort(sorted);
        return sorted;
    }

    /** The sums of one submitting thread. Guarded by the lock. */
    private static final class ThreadTotals implements Comparable<ThreadTotals> {
        private final String thread;
        private long runs;
        private long runNanos;
        private long idleWorkerNanos;
        private long waits;
        private long waitNanos;

        ThreadTotals(String thread) {
            this.thread = thread;
        }

        void ran(long nanos, long idleNanos) {
            runs++;
            runNanos = Saturating.add(runNanos, nanos);
            idleWorkerNanos = Saturating.add(idleWorkerNanos, idleNanos);
        }

        void waited(long nanos) {
            waits++;
            waitNanos = Saturating.add(waitNanos, nanos);
        }

        long nanos() {
            return Saturating.add(runNanos, waitNanos);
        }

        /** Busiest first. */
        @Override
        public int compareTo(ThreadTotals other) {
            return Long.compare(other.nanos(), nanos());
        }

        PoolSnapshot.Caller toCaller() {
            double idleWorkers = (double) idleWorkerNanos / Math.max(1, runNanos);
            return new PoolSnapshot.Caller(thread, runs, Duration.ofNanos(runNanos), idleWorkers);
        }

        PoolSnapshot.EventLoop toEventLoop() {
            return new PoolSnapshot.EventLoop(
                    thread, runs, Duration.ofNanos(runNanos), waits, Duration.ofNanos(waitNanos));
        }
    }
}
