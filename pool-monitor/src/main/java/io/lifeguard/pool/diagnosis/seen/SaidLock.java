package io.lifeguard.pool.diagnosis.seen;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks the JVM for the lock that holds up a pool, for the triage, which has no monitor yet. Stateless. */
public final class SaidLock {

    /** The finding that the monitor makes of it. */
    public static final String ID = "lock-contention";

    /** What to do, as the finding says it. */
    public static final String ADVICE = "Hold the lock for a shorter time or remove it (a value computed once, a"
            + " concurrent map, one lock per key). More workers only lengthen the queue.";

    private static final int MOST_FRAMES = 64; // of a stack; the user's own frames are among the topmost

    private SaidLock() {}

    /**
     * {@return what to say of the lock that at least half of the busy workers wait for, and that another one of them
     * holds; null if there is none at the moment}
     */
    public static @Nullable SaidFinding of(InstrumentedPool pool, String name) {
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
                Map<String, Object> evidence = new LinkedHashMap<>();
                evidence.put("workers", workers.size());
                evidence.put("waitingWorkers", (double) waiting);
                evidence.put("busyWorkers", (double) busy);
                String summary = waiting + " of " + busy + " busy workers wait for "
                        + described(seen[i], threads.get(i), owner, evidence);
                return new SaidFinding(pool, name, ID, Bottleneck.LOCK, summary, ADVICE, evidence);
            }
        }
        return null;
    }

    private static boolean isWaiting(@Nullable ThreadInfo thread) {
        return thread != null && thread.getLockName() != null && thread.getLockOwnerId() >= 0;
    }

    private static String described(ThreadInfo waiter, Thread thread, ThreadInfo owner, Map<String, Object> evidence) {
        List<StackTraceElement> stack = List.of(waiter.getStackTrace());
        List<StackTraceElement> ownerStack = List.of(owner.getStackTrace());
        boolean isMonitor = waiter.getThreadState() == Thread.State.BLOCKED;
        String type = ClassMonitor.name(waiter.getLockName(), stack, thread);
        String lock = type != null ? type : title(waiter.getLockName());
        evidence.put("owner", owner.getThreadName());
        evidence.put("ownerStack", SaidFinding.lines(ownerStack));
        evidence.put("lock", lock);
        evidence.put("synchronized", isMonitor);
        evidence.put("place", UserFrames.place(stack));
        evidence.put("stack", SaidFinding.lines(stack));
        return (isMonitor ? "the monitor of " : "the lock ") + lock + " at " + UserFrames.place(stack)
                + "; it is held by " + owner.getThreadName() + " at " + UserFrames.place(ownerStack);
    }

    /** As the finding has it, and without a regular expression, which costs a young JVM more than the sentence. */
    private static String title(String lock) {
        return lock.replace("$NonfairSync@", "@").replace("$FairSync@", "@").replace("$Sync@", "@");
    }
}
