package io.lifeguard.pool.diagnosis.start;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.evidence.stack.LimitedResource;
import io.lifeguard.pool.diagnosis.evidence.stack.Stacks;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.seen.SaidFinding;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.text.Counted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Says what most busy workers of a pool wait for at one place, from their stacks, where that is certain without a
 * window: permits of one semaphore, or time. Of calls it says where they are. Confined to the triage's thread.
 */
final class SaidWait {

    /* No lambda and no static initialiser, for the reasons that the triage gives. */

    private static final String SEMAPHORE = "java.util.concurrent.Semaphore";

    private final InstrumentedPool pool;
    private final String name;
    private final int size; // workers, busy or not
    private final List<Doing> doing = new ArrayList<>(); // of each busy worker, as the following three
    private final List<String> places = new ArrayList<>();
    private final List<List<StackTraceElement>> stacks = new ArrayList<>();
    private final List<String> objects = new ArrayList<>();

    private SaidWait(InstrumentedPool pool, String name, int size) {
        this.pool = pool;
        this.name = name;
        this.size = size;
    }

    /** {@return what two thirds of the busy workers wait for at one place; null where it is not so plain} */
    static @Nullable SaidFinding of(InstrumentedPool pool, String name) {
        List<WorkerState> workers = pool.workers();
        SaidWait looks = new SaidWait(pool, name, workers.size());
        for (WorkerState worker : workers) {
            if (worker.busy()) {
                looks.look(worker.thread());
            }
        }
        int busy = looks.doing.size();
        for (int i = 0; i < busy; i++) {
            int like = 0;
            for (int j = 0; j < busy; j++) {
                like += looks.areAlike(i, j) ? 1 : 0;
            }
            if (like * 3 >= busy * 2) {
                return looks.finding(i, like);
            }
        }
        return null;
    }

    private void look(Thread thread) {
        Object blocker = LockSupport.getBlocker(thread);
        String type = blocker == null ? "" : blocker.getClass().getName();
        List<StackTraceElement> stack = List.of(thread.getStackTrace());
        doing.add(Stacks.doing(thread.getState(), stack, type));
        places.add(UserFrames.place(stack));
        stacks.add(stack);
        objects.add(
                type.startsWith(SEMAPHORE)
                        ? SEMAPHORE + '@' + Integer.toHexString(System.identityHashCode(blocker))
                        : "");
    }

    private boolean areAlike(int one, int other) {
        return doing.get(one) == doing.get(other)
                && places.get(one).equals(places.get(other))
                && objects.get(one).equals(objects.get(other));
    }

    private @Nullable SaidFinding finding(int at, int like) {
        List<StackTraceElement> stack = stacks.get(at);
        Doing what = doing.get(at);
        boolean isSemaphore = !objects.get(at).isEmpty();
        if (what == Doing.WAITING_IN_LINE
                && isSemaphore
                && like > 1
                && LimitedResource.of(stack).isEmpty()) {
            return line(at, like);
        }
        if (what == Doing.WAITING_OUTSIDE) {
            return where(at, like);
        }
        boolean isRate =
                Waits.forTimeOnly(stack) || LimitedResource.rateLimiter(stack).isPresent();
        return what == Doing.SLEEPING && !isRate ? asleep(at, like) : null;
    }

    private SaidFinding line(int at, int like) {
        int served = Math.max(1, doing.size() - like);
        Map<String, Object> evidence = new LinkedHashMap<>();
        evidence.put("inLine", (double) like);
        evidence.put("resource", objects.get(at));
        evidence.put("servedAtOnce", served);
        String summary = like + " of " + Counted.of(size, "worker") + (like == 1 ? " queues at " : " queue at ")
                + places.get(at) + " for " + objects.get(at) + ", which serves about " + Counted.of(served, "caller")
                + " at once";
        String advice = "Growing the pool will not help. Raise the limit that they wait for (connections, permits), or"
                + " use it less.";
        return said(at, "downstream-saturated", Bottleneck.LINE, summary, advice, evidence);
    }

    private SaidFinding asleep(int at, int like) {
        Map<String, Object> evidence = new LinkedHashMap<>();
        evidence.put("sleeping", (double) like);
        String summary = like + " of " + Counted.of(size, "worker") + (like == 1 ? " is in " : " are in ")
                + places.get(at) + (like == 1 ? " and sleeps; " : " and sleep; ")
                + waiting("task queues", "tasks queue", evidence);
        return said(at, "blocked-on-io", Bottleneck.OUTSIDE, summary, SaidFinding.DO_NOT_SLEEP, evidence);
    }

    /** Whether more calls at once do more or only get slower is for the monitor to say. */
    private SaidFinding where(int at, int like) {
        Map<String, Object> evidence = new LinkedHashMap<>();
        evidence.put("busyWorkers", (double) doing.size());
        int busy = doing.size(); // others may be between two tasks
        String who = size == 1 ? "the only worker" : (busy == size ? "all " : busy + " of ") + size + " workers";
        String summary = who + (busy == 1 ? " is busy and " : " are busy and ")
                + waiting("task waits", "tasks wait", evidence) + "; where they are: " + like
                + " waiting for something outside at " + places.get(at)
                + (like == busy ? "" : ", " + (busy - like) + " elsewhere");
        return said(at, SaidFinding.LEAST, Bottleneck.OUTSIDE, summary, SaidFinding.LOOK_THERE, evidence);
    }

    private String waiting(String one, String many, Map<String, Object> evidence) {
        int queued = ((ThreadPoolExecutor) pool).getQueue().size();
        int blocked = pool.waitingSubmitters();
        evidence.put("queued", queued);
        evidence.put("blockedSubmitters", blocked);
        return SaidFinding.waiting(Counted.of(queued, one, many), blocked);
    }

    private SaidFinding said(
            int at, String id, Bottleneck under, String summary, String advice, Map<String, Object> evidence) {
        evidence.put("workers", size);
        evidence.put("place", places.get(at));
        evidence.put("stack", SaidFinding.lines(stacks.get(at)));
        return new SaidFinding(pool, name, id, under, summary, advice, evidence);
    }
}
