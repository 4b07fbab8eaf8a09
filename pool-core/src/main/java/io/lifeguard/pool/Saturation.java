package io.lifeguard.pool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What happens when one pool is full: who waited, who ran tasks, who was turned away. Thread-safe; off the hot path, so a lock
 * guards the records. The lock is never held while a task or a handler runs.
 */
final class Saturation {

    private static final int MOST_CALLERS = 32;

    private final Instruments instruments;
    private final AtomicInteger waiting = new AtomicInteger();

    private final ReentrantLock lock = new ReentrantLock();
    // all below: guarded by lock
    private final Map<RejectionReason, Long> rejections = new EnumMap<>(RejectionReason.class);
    private final Map<String, CallerTotals> callers = new HashMap<>();
    private final Map<String, EventLoopTotals> eventLoops = new HashMap<>();
    private long workerRuns;
    private long workerRunNanos;

    Saturation(Instruments instruments) {
        this.instruments = instruments;
    }

    void rejected(RejectionReason reason) {
        lock.lock();
        try {
            rejections.merge(reason, 1L, Long::sum);
        } finally {
            lock.unlock();
        }
        String submitter = Thread.currentThread().getName();
        instruments.events().send(listener -> listener.rejected(instruments.pool(), reason, submitter));
    }

    void waitBegins() {
        waiting.incrementAndGet();
    }

    void waitEnds(long nanos, boolean accepted) {
        waiting.decrementAndGet();
        instruments.recorder().blockedSubmit(nanos);
        if (instruments.events().hasListeners()) {
            String submitter = Thread.currentThread().getName();
            instruments
                    .events()
                    .send(listener ->
                            listener.submitterWaited(instruments.pool(), submitter, Duration.ofNanos(nanos), accepted));
        }
    }

    /** A thread that must not block has waited, because the policy lets it. */
    void eventLoopWaited(long nanos) {
        lock.lock();
        try {
            eventLoop(Thread.currentThread().getName()).waited(nanos);
        } finally {
            lock.unlock();
        }
    }

    /** Runs the task on the thread that submitted it, which may be a worker of this pool. */
    void runBySubmitter(Runnable task) {
        if (instruments.isOwnWorker()) {
            runByOwnWorker(task);
        } else {
            runByCaller(task);
        }
    }

    /** Runs the task on its submitter, a dispatcher, and records who ran it, how long, and how idle the workers were meanwhile. */
    private void runByCaller(Runnable task) {
        String submitter = Thread.currentThread().getName();
        long start = System.nanoTime();
        long idleBefore = instruments.idleNanos();
        try {
            runOutsideTheWorkersBooks(task);
        } finally {
            long end = System.nanoTime();
            long idle = Math.max(0, instruments.idleNanos() - idleBefore);
            callerRan(submitter, end - start, idle);
        }
    }

    /** Runs a task that a worker submitted to its own full pool. Part of that worker's service time, and no caller-run. */
    void runByOwnWorker(Runnable task) {
        long start = System.nanoTime();
        try {
            runOutsideTheWorkersBooks(task);
        } finally {
            long nanos = System.nanoTime() - start;
            lock.lock();
            try {
                workerRuns++;
                workerRunNanos += nanos;
            } finally {
                lock.unlock();
            }
        }
    }

    /** If the submitter is a worker of any pool, a failure of this task is not a failure of the one it is running. */
    private static void runOutsideTheWorkersBooks(Runnable task) {
        HandlerWatch.settle(task);
        PoolWorker worker = PoolWorker.current();
        if (worker == null) {
            task.run();
            return;
        }
        boolean failedBefore = worker.hasTaskFailed();
        try {
            task.run();
        } finally {
            worker.setTaskFailed(failedBefore);
        }
    }

    private void callerRan(String submitter, long nanos, long idleWorkerNanos) {
        instruments.recorder().callerRun(nanos);
        boolean isEventLoop = NonBlockingThreads.isNonBlocking(Thread.currentThread());
        lock.lock();
        try {
            callers.computeIfAbsent(key(callers, submitter), CallerTotals::new).add(nanos, idleWorkerNanos);
            if (isEventLoop) {
                eventLoop(submitter).ran(nanos);
            }
        } finally {
            lock.unlock();
        }
        if (instruments.events().hasListeners()) {
            double idle = (double) idleWorkerNanos / Math.max(1, nanos);
            instruments
                    .events()
                    .send(listener -> listener.callerRan(instruments.pool(), submitter, Duration.ofNanos(nanos), idle));
        }
    }

    private EventLoopTotals eventLoop(String thread) {
        return eventLoops.computeIfAbsent(key(eventLoops, thread), EventLoopTotals::new);
    }

    private static String key(Map<String, ?> known, String thread) {
        return known.containsKey(thread) || known.size() < MOST_CALLERS ? thread : PoolSnapshot.OTHER;
    }

    /** An immutable copy of everything recorded here. */
    PoolSnapshot.Saturation read() {
        lock.lock();
        try {
            List<PoolSnapshot.Caller> busiest = new ArrayList<>();
            callers.values().forEach(totals -> busiest.add(totals.toCaller()));
            busiest.sort(Comparator.comparing(PoolSnapshot.Caller::time).reversed());
            List<PoolSnapshot.EventLoop> loops = new ArrayList<>();
            eventLoops.values().forEach(totals -> loops.add(totals.toEventLoop()));
            loops.sort(Comparator.comparing(
                            (PoolSnapshot.EventLoop loop) -> loop.runTime().plus(loop.waitTime()))
                    .reversed());
            return new PoolSnapshot.Saturation(
                    waiting.get(), workerRuns, Duration.ofNanos(workerRunNanos), rejections, busiest, loops);
        } finally {
            lock.unlock();
        }
    }

    /** One caller's sums. Guarded by the lock. */
    private static final class CallerTotals {
        private final String thread;
        private long runs;
        private long nanos;
        private long idleWorkerNanos;

        CallerTotals(String thread) {
            this.thread = thread;
        }

        void add(long runNanos, long idleNanos) {
            runs++;
            nanos += runNanos;
            idleWorkerNanos += idleNanos;
        }

        PoolSnapshot.Caller toCaller() {
            return new PoolSnapshot.Caller(
                    thread, runs, Duration.ofNanos(nanos), (double) idleWorkerNanos / Math.max(1, nanos));
        }
    }

    /** One event loop's sums. Guarded by the lock. */
    private static final class EventLoopTotals {
        private final String thread;
        private long runs;
        private long runNanos;
        private long waits;
        private long waitNanos;

        EventLoopTotals(String thread) {
            this.thread = thread;
        }

        void ran(long nanos) {
            runs++;
            runNanos += nanos;
        }

        void waited(long nanos) {
            waits++;
            waitNanos += nanos;
        }

        PoolSnapshot.EventLoop toEventLoop() {
            return new PoolSnapshot.EventLoop(
                    thread, runs, Duration.ofNanos(runNanos), waits, Duration.ofNanos(waitNanos));
        }
    }
}
