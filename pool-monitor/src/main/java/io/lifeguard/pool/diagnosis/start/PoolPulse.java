package io.lifeguard.pool.diagnosis.start;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.seen.SaidFinding;
import io.lifeguard.pool.diagnosis.seen.SaidLock;
import io.lifeguard.pool.diagnosis.start.PlainLooks.Reason;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.Delayed;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Tells from a few counters and the states of the workers' threads whether a pool may be in trouble. Holds the pool
 * weakly. Confined to the triage's thread.
 *
 * <p>Each look costs some 20 µs, and up to a microsecond for each worker. It takes no snapshot and no stack.
 */
final class PoolPulse {

    /*
     * In this class there is no lambda, no stream, no record and no switch over an enum, and a look calls none: the
     * classes for those cost more than all looks of a minute.
     */

    /** What a look suspects. */
    enum Suspicion {
        /** The pool is asleep, or its tasks flow. */
        NONE,
        /** Tasks wait while all workers have tasks that run: CPUs are full, and the diagnosis can wait. */
        FULL,
        /** Workers or tasks wait for something other than a CPU, or tasks went astray. */
        WAITS
    }

    /** Looks in a row, 300 ms: a burst is over by then. */
    private static final int LOOKS = 3;

    /** Looks in a row: where CPUs are full, the thread that submits waits for one too, and the queue is empty then. */
    private static final int LONGEST_GAP = 2;

    /** 50 ms after its time a scheduled task is late: half of what the finding tolerates. */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A task that runs for 10 s may be stuck: a sixth of what the finding wants. */
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** A quarter of the busy workers. Fewer of them in front of one lock, or fewer than two, are chance. */
    private static final int LINE_SHARE = 4;

    /** Workers by CPU that have tasks. Beside more, a start of the monitor takes seconds. */
    private static final int CROWD = 8;

    /** A minute after the pool was first seen it is known whether it needs its workers. */
    private static final long OLD_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** The pool's age from which on a reason is said, as in the monitor: code is loaded and compiled before. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final int MANY_WORKERS = 8; // twice the least for a finding
    private static final int SOME_TASKS = 100; // as for the finding

    private final WeakReference<InstrumentedPool> pool;
    private final long begun = System.nanoTime();
    private final PlainLooks looks = new PlainLooks(); // at which all workers were busy and tasks waited

    private long tasks; // accepted until the latest look
    private long fullSince; // when it was first seen nearly full, but for short gaps; 0 if it is not
    private int gapLooks; // in a row at which it was not
    private boolean wasAsked; // isFirstTime(): from false to true
    private int fullLooks; // in a row, as the following three
    private int waitingLooks;
    private int linedLooks;
    private int lateLooks;
    private int mostBusy; // workers at any look
    private boolean isAsleep; // at the latest look

    // of the present look
    private boolean areMany; // workers, more than there are CPUs
    private int idle; // where there are many, without those that are about to take a task
    private int busy;
    private int waiting; // busy workers whose threads do not run
    private int lined; // busy workers that wait for the same object, or for any monitor
    private boolean isOdd; // a long or a late task, one that went astray, too many workers
    private boolean isWaitedFor; // by a task or a submitter
    private @Nullable Thread inLine; // one of the workers in line
    private @Nullable String whatFor; // they wait, in plain words; null where it may be for work
    private boolean isNamedLock; // what they wait for: a monitor, or a lock that one thread holds

    PoolPulse(InstrumentedPool pool) {
        this.pool = new WeakReference<>(pool);
    }

    boolean isOf(InstrumentedPool other) {
        return pool.refersTo(other);
    }

    boolean isGone() {
        return pool.refersTo(null);
    }

    /** {@return whether nothing happened between the latest two looks} */
    boolean isAsleep() {
        return isAsleep;
    }

    /** {@return whether the pool has ever been given a task} */
    boolean hasWorked() {
        return tasks > 0;
    }

    /**
     * {@return what there is to say of the latest look, if so many workers queue at one lock that the monitor may have
     * to wait long for a CPU; null otherwise}
     */
    @Nullable
    FirstSentence firstSentence(String name) {
        Thread thread = inLine;
        String what = whatFor;
        boolean isCrowd = busy > CROWD * Runtime.getRuntime().availableProcessors();
        return isCrowd && idle == 0 && lined * 2 >= busy && isWaitedFor && thread != null && what != null
                ? FirstSentence.of(name, lined, busy, what, thread.getStackTrace())
                : null;
    }

    /**
     * {@return whether one plain reason is all that there is to suspect, as far as the looks show} Then the monitor can
     * wait a little.
     */
    boolean isPlain(InstrumentedPool of, String name) {
        if (!looks.arePlain(System.nanoTime())
                || isOdd
                || busy > CROWD * Runtime.getRuntime().availableProcessors()) {
            return false;
        }
        return looks.isExplained() || looks.notedStacks(isLock() || SaidWait.of(of, name) != null);
    }

    /** {@return whether the workers wait for a lock} */
    boolean isLock() {
        return looks.reason() == Reason.LINE && isNamedLock;
    }

    /** {@return whether the reason is certain, and was not said yet} */
    boolean isToBeSaid() {
        long now = System.nanoTime();
        return !isSaid() && looks.areCertain(now) && now - begun >= GRACE_NANOS;
    }

    /** {@return what there is to say; null if the threads show another reason at the moment} */
    @Nullable
    SaidFinding newlySaid(InstrumentedPool of, String name) {
        SaidFinding said = isLock() ? SaidLock.of(of, name) : SaidWait.of(of, name);
        if (said != null) {
            looks.said(said.saysWhy());
        }
        return said;
    }

    /** {@return whether a reason was said: it may be over by now, which only the monitor can see} */
    boolean isSaid() {
        return looks.isSaid();
    }

    /**
     * {@return for how long nearly all workers have been busy and tasks have waited, but for short gaps, in
     * nanoseconds; 0 if not}
     */
    long fullNanos() {
        return fullSince == 0 ? 0 : Math.max(1, System.nanoTime() - fullSince);
    }

    /** {@return whether the latest look was at no gap} */
    boolean isFullNow() {
        return gapLooks == 0;
    }

    /** {@return whether this is the first call, so that each pool has one sentence at most} */
    boolean isFirstTime() {
        boolean isFirst = !wasAsked;
        wasAsked = true;
        return isFirst;
    }

    /** The state of a later look must not keep a thread reachable. */
    void forget() {
        inLine = null;
    }

    /** Looks at the pool. {@return what is suspected now} */
    <P extends ThreadPoolExecutor & InstrumentedPool> Suspicion look(P executor) {
        long accepted = executor.getTaskCount();
        Runnable head = executor.getQueue().peek();
        boolean isLate = head instanceof Delayed timed && timed.getDelay(TimeUnit.NANOSECONDS) < -LATE_NANOS;
        boolean isAnyLong = false;
        boolean isDue = head != null && (!(head instanceof Delayed timed) || timed.getDelay(TimeUnit.NANOSECONDS) <= 0);
        isAsleep = accepted == tasks && !isDue && executor.getActiveCount() == 0;
        tasks = accepted;
        if (isAsleep) {
            fullSince = 0;
            fullLooks = 0;
            waitingLooks = 0;
            linedLooks = 0;
            lateLooks = 0;
            looks.sawNone(System.nanoTime());
        } else {
            List<WorkerState> workers = executor.workers();
            isAnyLong = count(workers);
            isWaitedFor = isDue || executor.waitingSubmitters() > 0;
            boolean isNearlyFull = isWaitedFor && idle * LINE_SHARE <= busy; // one may be between two tasks
            gapLooks = isNearlyFull ? 0 : gapLooks + 1;
            if (gapLooks > LONGEST_GAP) {
                fullSince = 0;
            } else if (fullSince == 0 && isNearlyFull) {
                fullSince = System.nanoTime();
            }
            fullLooks = isWaitedFor && idle == 0 ? fullLooks + 1 : 0;
            waitingLooks = fullLooks > 0 && doMostWait() ? waitingLooks + 1 : 0;
            linedLooks = lined >= 2 && lined * LINE_SHARE >= busy ? linedLooks + 1 : 0;
            lateLooks = isLate ? lateLooks + 1 : 0;
            mostBusy = Math.max(mostBusy, busy);
            if (isWaitedFor && idle == 0) {
                looks.saw(
                        reason(),
                        System.nanoTime(),
                        executor.getCompletedTaskCount(),
                        executor.getQueue().size());
            } else {
                looks.sawNone(System.nanoTime());
            }
        }
        isOdd = isAnyLong || lateLooks >= 2 || executor.troubles() > 0 || isTooLarge(executor);
        if (waitingLooks >= LOOKS || linedLooks >= LOOKS || isOdd) {
            return Suspicion.WAITS;
        }
        return fullLooks >= LOOKS ? Suspicion.FULL : Suspicion.NONE;
    }

    /**
     * {@return whether the pool has been full for so long that it has to be judged} With no more workers than CPUs each
     * look has to say so: a look that meets a worker between two tasks shows that the pool does what the CPUs can.
     *
     * @param nanos for how long
     * @param pause between two looks, in nanoseconds
     */
    boolean isFullFor(long nanos, long pause) {
        return areMany ? fullNanos() >= nanos : fullLooks * pause >= nanos;
    }

    private Reason reason() {
        if (lined >= 2 && lined * 2 >= busy && whatFor != null) {
            return Reason.LINE;
        }
        return doMostWait() ? Reason.WAIT : Reason.RUN;
    }

    private boolean doMostWait() {
        return waiting > 0 && waiting * 2 >= busy; // none may be busy while all change tasks
    }

    private boolean isTooLarge(ThreadPoolExecutor executor) {
        int size = executor.getPoolSize();
        return size >= MANY_WORKERS
                && mostBusy * 2 <= size
                && tasks >= SOME_TASKS
                && System.nanoTime() - begun >= OLD_NANOS;
    }

    /** Counts what the workers do. {@return whether any task runs for long} */
    private boolean count(List<WorkerState> workers) {
        idle = 0;
        busy = 0;
        waiting = 0;
        boolean isAnyLong = false;
        int blocked = 0;
        Thread anyBlocked = null;
        Thread anyParked = null;
        int parked = 0;
        areMany = workers.size() > Runtime.getRuntime().availableProcessors();
        Object awaited = null; // the candidate for what most workers wait for, by a majority vote
        int votes = 0;
        for (int i = 0; i < workers.size(); i++) {
            WorkerState worker = workers.get(i);
            Thread.State state = worker.thread().getState();
            boolean isParked = state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
            Object blocker = isParked ? LockSupport.getBlocker(worker.thread()) : null;
            // one that runs, or queues at the lock of the JDK's queue, will take a task that waits: where CPUs are
            // short that takes long, and otherwise it is between two tasks
            boolean isBetweenTasks = !isParked || blocker instanceof AbstractQueuedSynchronizer;
            idle += worker.idle() && !(isBetweenTasks && areMany) ? 1 : 0;
            if (!worker.busy()) {
                continue;
            }
            busy++;
            isAnyLong |= worker.runningFor().toNanos() >= LONG_NANOS;
            waiting += state == Thread.State.RUNNABLE ? 0 : 1;
            if (state == Thread.State.BLOCKED) {
                blocked++;
                anyBlocked = worker.thread();
            }
            if (blocker != null) {
                if (votes == 0) {
                    awaited = blocker;
                    anyParked = worker.thread();
                }
                votes += awaited == blocker ? 1 : -1;
            }
        }
        if (awaited != null) {
            parked = countOf(awaited, workers);
        }
        lined = Math.max(blocked, parked);
        inLine = blocked >= parked ? anyBlocked : anyParked;
        whatFor = blocked >= parked ? "monitors" : nameOf(awaited);
        isNamedLock = blocked >= parked || "one lock".equals(whatFor);
        return isAnyLong;
    }

    /** A condition may be that of a queue of work, at which it is right to wait. */
    private static @Nullable String nameOf(@Nullable Object awaited) {
        String type = awaited == null ? "" : awaited.getClass().getName();
        return type.startsWith("java.util.concurrent.locks.Reentrant")
                ? "one lock"
                : type.startsWith("java.util.concurrent.Semaphore") ? "permits of one semaphore" : null;
    }

    @SuppressWarnings("ReferenceEquality") // the same object, whatever its class says of equality
    private static int countOf(@Nullable Object awaited, List<WorkerState> workers) {
        int count = 0;
        for (int i = 0; i < workers.size(); i++) {
            WorkerState worker = workers.get(i);
            count += worker.busy() && LockSupport.getBlocker(worker.thread()) == awaited ? 1 : 0;
        }
        return count;
    }
}
