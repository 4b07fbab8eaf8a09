package io.lifeguard.pool;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The line of submitters that wait for room in a full pool without a {@link io.lifeguard.pool.queue.WorkQueue}: first
 * come, first served. Thread-safe. The first submitter waits at the queue itself. The others wait until they are first.
 */
/*
 * A submitter keeps its place until it leaves, although it checks from time to time whether the pool was shut down. A
 * fair lock would not do: after a timed attempt has failed, the next attempt begins at the end of the lock's queue.
 *
 * A submitter that leaves wakes the submitter that is first afterwards. If the leaver was not first, this is needless,
 * harmless and rare. A submitter parks only after it saw that it is not first. The thread that makes it the first
 * unparks it afterwards. So no wake-up is lost.
 *
 * Lines are kept in a weak map, because an executor's line must not keep the executor alive. All locks are held for a
 * look-up only, never while tasks run.
 */
final class SubmissionLine {

    // guarded by itself
    private static final Map<ThreadPoolExecutor, SubmissionLine> LINES = new WeakHashMap<>();

    private final ArrayDeque<WaitForRoom> waits = new ArrayDeque<>(); // guarded by this

    static SubmissionLine of(ThreadPoolExecutor executor) {
        synchronized (LINES) {
            return LINES.computeIfAbsent(executor, key -> new SubmissionLine());
        }
    }

    synchronized void enter(WaitForRoom wait) {
        waits.addLast(wait);
    }

    /** For a wait within another one of the same thread, which cannot go on before. */
    synchronized void enterFirst(WaitForRoom wait) {
        waits.addFirst(wait);
    }

    /** Lets this one in next, because others wait for it. */
    void promote(WaitForRoom wait) {
        if (makeFirst(wait)) {
            LockSupport.unpark(wait.submitter);
        }
    }

    private synchronized boolean makeFirst(WaitForRoom wait) {
        if (!waits.remove(wait)) {
            return false;
        }
        waits.addFirst(wait);
        return true;
    }

    synchronized boolean isFirst(WaitForRoom wait) {
        return waits.peekFirst() == wait;
    }

    void leave(WaitForRoom wait) {
        WaitForRoom first = removeAndPeek(wait);
        if (first != null) {
            LockSupport.unpark(first.submitter);
        }
    }

    private synchronized @Nullable WaitForRoom removeAndPeek(WaitForRoom wait) {
        waits.remove(wait);
        return waits.peekFirst();
    }
}
