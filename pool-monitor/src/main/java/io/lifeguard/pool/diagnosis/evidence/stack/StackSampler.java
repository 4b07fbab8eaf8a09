package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.evidence.cpu.EvidenceBudget;
import io.lifeguard.pool.diagnosis.evidence.cpu.WorkerTimes;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.system.OsState;
import io.lifeguard.pool.diagnosis.window.Awaited.Lock;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Takes stacks of some workers of a pool, within the budget of all pools. Not thread-safe. Keeps no thread.
 *
 * <p>A few stacks a second are taken whatever was spent: those that name a group of workers that is new.
 *
 * <p>A stack costs 50 to 180 µs, and all threads are stopped for most of that time. The waiters of a lock are counted
 * without stacks, which costs 0.5 µs per thread and stops nothing. That is done for all threads of the process, so that
 * the waiters of other pools count.
 */
public final class StackSampler {

    /** 64 frames reach a frame of the user's own in most programs. */
    public static final int USUAL_DEPTH = 64;

    /** Of a thread whose place is told by one stack: enough for a driver below a framework and the user's own frame. */
    public static final int HOLDER_DEPTH = 128;

    /** 512 frames: a deeper stack is a recursion. */
    public static final int DEPTH = 512;

    /** Where a process has more threads, waiters are counted among the pool's own workers only. */
    private static final int MOST_THREADS = 5_000;

    private final StackSource source;
    private final EvidenceBudget budget;
    private final StackShares shares;
    private final LongSupplier nanos;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    public StackSampler(StackSource source, EvidenceBudget budget, StackShares shares, LongSupplier nanos) {
        this.source = source;
        this.budget = budget;
        this.shares = shares;
        this.nanos = nanos;
    }

    /** {@return how many stacks a pool may take now; 0 when it is not its turn} */
    public int grant(StackCredit credit, boolean isSuspected, int working) {
        double perSecond = shares.perSecond(isSuspected);
        int wanted = Math.min(working, StackShares.atOnce(perSecond));
        boolean isTurn = credit.spend(wanted, perSecond, nanos.getAsLong());
        if (isTurn && !budget.allowsStacks()) {
            credit.refund(wanted);
            return 0;
        }
        return isTurn ? wanted : 0;
    }

    /** {@return how many stacks may be taken to name new groups, whatever was spent; 0 right after the last ones} */
    public int grantFirstLook() {
        return shares.takesFirstLook(nanos.getAsLong()) ? StackShares.MOST_OF_FIRST_LOOK : 0;
    }

    /** The monotonic clock. */
    public long now() {
        return nanos.getAsLong();
    }

    /** {@return what threads wait for, without their stacks, which stops no thread; null for those that have ended} */
    @Nullable
    public ThreadInfo[] glimpse(List<Thread> waiting) {
        long[] ids = new long[waiting.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = id(waiting.get(i));
        }
        return source.take(ids, 0);
    }

    /**
     * What one look saw.
     *
     * @param blockers what each of them waits for the result of; null where it is unknown
     */
    public record Look(
            List<WorkerLook> sample,
            List<@Nullable Object> blockers,
            Map<String, Lock> locks,
            Set<WorkerLook> mayInitialise) {}

    /**
     * Takes the stacks.
     *
     * @param isFirstLook whether the stacks are to name new groups at little cost
     * @param strata finds the stratum of the census for what a stack shows
     * @return null when all workers have ended
     */
    public @Nullable Look take(
            StackChoice choice,
            List<WorkerState> all,
            StackCredit credit,
            LongestRunning longest,
            boolean isFirstLook,
            UnaryOperator<Stratum> strata) {
        List<WorkerState> wanted = choice.chosen();
        long start = budget.beginStacks();
        List<WorkerState> looked = both(wanted, longest.wanted(all));
        @Nullable ThreadLook[] threads = stacks(looked, credit, isFirstLook);
        List<WorkerLook> sample = new ArrayList<>();
        for (int i = 0; i < looked.size(); i++) {
            ThreadLook thread = threads[i];
            if (thread != null) { // null for a thread that has ended
                WorkerState worker = looked.get(i);
                WorkerLook look = look(worker, thread, strata);
                if (i < wanted.size()) {
                    sample.add(look);
                }
                if (worker.busy() && look.doing() != Doing.IDLE) {
                    longest.see(thread.id(), worker.runningFor(), look.stack());
                }
            }
        }
        Look taken = null;
        if (!sample.isEmpty()) {
            taken = new Look(sample, blockers(sample), locks(sample, all), mayInitialise(sample));
        }
        shares.took(wanted.size(), budget.spendOnStacks(wanted.size(), start));
        return taken;
    }

    @SuppressWarnings("ReferenceEquality") // a worker is told by its thread
    private static List<WorkerState> both(List<WorkerState> wanted, List<WorkerState> others) {
        List<WorkerState> both = new ArrayList<>(wanted);
        for (WorkerState other : others) {
            boolean isNew = true;
            for (WorkerState worker : wanted) {
                isNew &= worker.thread() != other.thread();
            }
            if (isNew) {
                both.add(other);
            }
        }
        return both;
    }

    /**
     * Looks deeper where no frame of the user's own was found. The pool's later looks are as deep at once, until none
     * of them had to be. A first look is shallow, and looks deeper at one worker only.
     */
    private @Nullable ThreadLook[] stacks(List<WorkerState> workers, StackCredit credit, boolean isFirstLook) {
        boolean isDeep = credit.isDeep && !isFirstLook;
        @Nullable ThreadLook[] seen = stacks(workers, isDeep ? DEPTH : USUAL_DEPTH);
        List<Integer> deeper = new ArrayList<>();
        for (int i = 0; i < seen.length; i++) {
            ThreadLook thread = seen[i];
            if (thread != null && isHidden(thread.stack())) {
                deeper.add(i);
            }
        }
        if (isDeep || deeper.isEmpty()) {
            credit.isDeep = !deeper.isEmpty();
            return seen;
        }
        List<Integer> again = isFirstLook ? deeper.subList(0, 1) : deeper;
        credit.isDeep = true;
        List<WorkerState> deepest = new ArrayList<>();
        for (int i : again) {
            deepest.add(workers.get(i));
        }
        @Nullable ThreadLook[] deep = stacks(deepest, DEPTH);
        for (int i = 0; i < deep.length; i++) {
            seen[again.get(i)] = deep[i];
        }
        return seen;
    }

    /** The JVM looks at all platform threads at one moment, and at virtual threads one after the other. */
    private @Nullable ThreadLook[] stacks(List<WorkerState> workers, int depth) {
        @Nullable ThreadInfo[] infos = source.take(ids(workers), depth);
        @Nullable ThreadLook[] seen = new ThreadLook[infos.length];
        for (int i = 0; i < infos.length; i++) {
            ThreadInfo info = infos[i];
            seen[i] = info == null ? ThreadLook.ofVirtual(workers.get(i).thread(), depth) : ThreadLook.of(info);
        }
        return seen;
    }

    /** Whether no frame of the user's own is among the first ones of a stack. */
    private static boolean isHidden(List<StackTraceElement> stack) {
        return stack.size() >= USUAL_DEPTH && !UserFrames.hasUsersFrame(stack.subList(0, USUAL_DEPTH));
    }

    private static WorkerLook look(WorkerState worker, ThreadLook thread, UnaryOperator<Stratum> strata) {
        List<StackTraceElement> stack = thread.stack();
        boolean mayWaitInNative = thread.state() == Thread.State.RUNNABLE && thread.isInNative();
        OsState system = mayWaitInNative ? OsState.of(WorkerTimes.nativeId(worker)) : OsState.UNKNOWN;
        String type = thread.type();
        Doing doing = Stacks.doing(thread.state(), stack, type, system);
        if (doing == Doing.WAITING_IN_LINE && thread.holderId() != ThreadLook.NO_HOLDER) {
            doing = Doing.WAITING_FOR_LOCK; // a user's lock, built on the JDK's synchronizer
        }
        Stratum shown = Stratum.isWaiting(thread.state()) && !type.isEmpty()
                ? new Stratum(false, thread.state(), type, thread.identity())
                : new Stratum(false, thread.state(), "", 0);
        return new WorkerLook(worker, thread, strata.apply(shown), stack, doing, UserFrames.place(stack));
    }

    private static List<@Nullable Object> blockers(List<WorkerLook> sample) {
        List<@Nullable Object> blockers = new ArrayList<>(sample.size());
        for (WorkerLook look : sample) {
            blockers.add(
                    look.doing() == Doing.WAITING_FOR_RESULT
                            ? LockSupport.getBlocker(look.worker().thread())
                            : null);
        }
        return blockers;
    }

    private Map<String, Lock> locks(List<WorkerLook> sample, List<WorkerState> all) {
        List<WorkerLook> waiting = new ArrayList<>();
        for (WorkerLook look : sample) {
            if (look.doing() == Doing.WAITING_FOR_LOCK) {
                waiting.add(look);
            }
        }
        if (waiting.isEmpty()) {
            return Map.of();
        }
        long[] own = ids(all);
        boolean ofAllThreads = threads.getThreadCount() <= MOST_THREADS;
        return LockQueues.look(source, waiting, own, ofAllThreads ? threads.getAllThreadIds() : own);
    }

    /**
     * Those that run Java code without a CPU. Asking the system costs 10 µs, so only those are asked of which several
     * are at one line, or that initialise a class themselves.
     */
    private static Set<WorkerLook> mayInitialise(List<WorkerLook> sample) {
        Map<StackTraceElement, Integer> tops = new HashMap<>();
        for (WorkerLook look : sample) {
            if (isInJava(look)) {
                tops.put(look.stack().get(0), tops.getOrDefault(look.stack().get(0), 0) + 1);
            }
        }
        Set<WorkerLook> found = Collections.newSetFromMap(new IdentityHashMap<>());
        for (WorkerLook look : sample) {
            if (isInJava(look)
                    && (tops.getOrDefault(look.stack().get(0), 0) > 1
                            || ClassInitialisation.outermost(look.stack()).isPresent())
                    && OsState.of(WorkerTimes.nativeId(look.worker())) == OsState.WAITING) {
                found.add(look);
            }
        }
        return found;
    }

    private static boolean isInJava(WorkerLook look) {
        return look.info().state() == Thread.State.RUNNABLE
                && !look.stack().isEmpty()
                && !look.stack().get(0).isNativeMethod();
    }

    private static long[] ids(List<WorkerState> workers) {
        long[] ids = new long[workers.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = id(workers.get(i).thread());
        }
        return ids;
    }

    /** {@code threadId()} exists since JDK 19 only. */
    @SuppressWarnings("deprecation")
    private static long id(Thread thread) {
        return thread.getId();
    }
}
