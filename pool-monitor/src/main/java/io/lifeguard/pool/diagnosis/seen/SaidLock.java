package io.lifeguard.pool.diagnosis.seen;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.WorkerState;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A lock that holds up a pool, as the triage has logged it before there was a monitor. The global monitor takes it over
 * as a finding that is raised already. Immutable; the list of such locks of this JVM is guarded by the class. Holds the
 * pool weakly.
 */
public final class SaidLock {

    /* No static initialiser and no lambda, for the reasons that the triage gives. */

    /** The finding that the monitor makes of it. */
    public static final String ID = "lock-contention";

    /** What to do, as the finding says it. */
    public static final String ADVICE = "Hold the lock for a shorter time or remove it (a value computed once, a"
            + " concurrent map, one lock per key). More workers only lengthen the queue.";

    private static final int MOST_FRAMES = 64; // of a stack; the user's own frames are among the topmost
    private static final int MOST_LINES = 16; // of a stack in a finding

    private static @Nullable List<SaidLock> said; // until the monitor takes it over; null for none
    private static boolean isTakenOver; // from false to true

    private final WeakReference<InstrumentedPool> pool;
    private final String name;
    private final int size;
    private final int waiting;
    private final int busy;
    private final boolean isMonitor;
    private final String lock;
    private final List<StackTraceElement> stack;
    private final String owner;
    private final List<StackTraceElement> ownerStack;
    private final long seenNanos = System.nanoTime();

    private SaidLock(
            InstrumentedPool pool,
            String name,
            int size,
            int waiting,
            int busy,
            ThreadInfo waiter,
            Thread thread,
            ThreadInfo owner) {
        this.pool = new WeakReference<>(pool);
        this.name = name;
        this.size = size;
        this.waiting = waiting;
        this.busy = busy;
        this.isMonitor = waiter.getThreadState() == Thread.State.BLOCKED;
        this.stack = List.of(waiter.getStackTrace());
        String type = ClassMonitor.name(waiter.getLockName(), stack, thread);
        this.lock = type != null ? type : title(waiter.getLockName());
        this.owner = owner.getThreadName();
        this.ownerStack = List.of(owner.getStackTrace());
    }

    /** As the finding has it, and without a regular expression, which costs a young JVM more than the sentence. */
    private static String title(String lock) {
        return lock.replace("$NonfairSync@", "@").replace("$FairSync@", "@").replace("$Sync@", "@");
    }

    /**
     * {@return the lock that at least half of the busy workers wait for, and that another one of them holds; null if
     * there is none at the moment}
     */
    public static @Nullable SaidLock of(InstrumentedPool pool, String name) {
        List<WorkerState> workers = pool.workers();
        List<Thread> threads = new ArrayList<>();
        for (WorkerState worker : workers) { // others wait for the lock of the queue
            if (worker.busy()) {
                threads.add(worker.thread());
            }
        }
        int busy = threads.size();
        long[] ids = new long[busy];
        for (int i = 0; i < busy; i++) {
            ids[i] = threads.get(i).getId();
        }
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        ThreadInfo[] seen = bean.getThreadInfo(ids, MOST_FRAMES); // with frames, for what JvmHazards says
        for (int i = 0; i < seen.length; i++) {
            int waiting = 0;
            ThreadInfo owner = null;
            for (int j = 0; j < seen.length && isWaiting(seen[i]); j++) {
                waiting += isWaiting(seen[j]) && seen[i].getLockName().equals(seen[j].getLockName()) ? 1 : 0;
                owner = seen[j] != null && seen[j].getThreadId() == seen[i].getLockOwnerId() ? seen[j] : owner;
            }
            if (owner != null && waiting >= 2 && waiting * 2 >= busy) {
                return new SaidLock(pool, name, workers.size(), waiting, busy, seen[i], threads.get(i), owner);
            }
        }
        return null;
    }

    private static boolean isWaiting(@Nullable ThreadInfo thread) {
        return thread != null && thread.getLockName() != null && thread.getLockOwnerId() >= 0;
    }

    /** Keeps a lock until the monitor takes it over. {@return false if the monitor has taken over before} */
    public static synchronized boolean leave(SaidLock one) {
        if (!isTakenOver) {
            List<SaidLock> all = said == null ? new ArrayList<>() : said;
            all.add(one);
            said = all;
        }
        return !isTakenOver;
    }

    /** {@return what was said so far} From now on the monitor says everything itself. */
    public static synchronized List<SaidLock> takeOver() {
        isTakenOver = true;
        List<SaidLock> all = said;
        said = null;
        return all == null ? List.of() : all;
    }

    /** The start of the monitor was put off, and with it what users may have switched off: it says all itself. */
    public static synchronized void leaveToMonitor() {
        isTakenOver = true;
    }

    /** {@return whether the monitor says everything itself} */
    public static synchronized boolean isTakenOver() {
        return isTakenOver;
    }

    /**
     * {@return whether it is about this executor}
     *
     * @param executor null for one that is gone
     */
    public boolean isOf(@Nullable Object executor) {
        return executor instanceof InstrumentedPool instrumented && pool.refersTo(instrumented);
    }

    /** {@return the pool's name} */
    public String pool() {
        return name;
    }

    /** {@return when it was seen, by {@link System#nanoTime}} */
    public long seenNanos() {
        return seenNanos;
    }

    /** {@return the sentence about the lock, without a full stop} */
    public String summary() {
        return waiting + " of " + busy + " busy workers wait for " + (isMonitor ? "the monitor of " : "the lock ")
                + lock
                + " at " + UserFrames.place(stack) + "; it is held by " + owner + " at "
                + UserFrames.place(ownerStack);
    }

    /** {@return what was seen, under the names that the finding has} */
    public Map<String, Object> evidence() {
        Map<String, Object> evidence = new LinkedHashMap<>();
        evidence.put("workers", size);
        evidence.put("waitingWorkers", (double) waiting);
        evidence.put("busyWorkers", (double) busy);
        evidence.put("owner", owner);
        evidence.put("ownerStack", lines(ownerStack));
        evidence.put("lock", lock);
        evidence.put("synchronized", isMonitor);
        evidence.put("place", UserFrames.place(stack));
        evidence.put("stack", lines(stack));
        return evidence;
    }

    private static List<String> lines(List<StackTraceElement> frames) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < Math.min(MOST_LINES, frames.size()); i++) {
            lines.add(frames.get(i).toString());
        }
        return lines;
    }
}
