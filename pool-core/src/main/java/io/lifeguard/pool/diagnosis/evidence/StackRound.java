package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.StackSample;
import io.lifeguard.pool.diagnosis.window.StackSample.Group;
import io.lifeguard.pool.diagnosis.window.UserFrames;
import io.lifeguard.pool.os.OsState;
import java.lang.management.LockInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One look at a pool's workers. Not thread-safe; used once, since it holds threads and what they wait for. */
final class StackRound {

    private final ThreadMXBean threads;
    private final List<WorkerState> workers;
    private final @Nullable ThreadPoolExecutor pool;
    private final List<WorkerLook> looks = new ArrayList<>();
    private LockQueues locks = LockQueues.NONE;

    StackRound(ThreadMXBean threads, List<WorkerState> workers, @Nullable ThreadPoolExecutor pool) {
        this.threads = threads;
        this.workers = workers;
        this.pool = pool;
    }

    void look(List<WorkerState> part) {
        if (part.isEmpty()) {
            return;
        }
        ThreadInfo[] infos = threads.getThreadInfo(
                part.stream().mapToLong(worker -> id(worker.thread())).toArray(), StackSampler.DEPTH);
        for (int i = 0; i < infos.length; i++) {
            ThreadInfo info = infos[i];
            if (info != null) { // null for a thread that has ended
                looks.add(look(part.get(i), info));
            }
        }
    }

    /** Finds the other waiters for the locks that workers wait for. */
    void lookAtLocks(boolean ofAllThreads) {
        List<WorkerLook> waiting = looks.stream()
                .filter(look -> look.doing() == Doing.WAITING_FOR_LOCK)
                .toList();
        if (!waiting.isEmpty()) {
            long[] ids =
                    workers.stream().mapToLong(worker -> id(worker.thread())).toArray();
            locks = LockQueues.look(threads, waiting, ids, ofAllThreads);
        }
    }

    StackSample sample() {
        long idle = workers.stream().filter(WorkerState::idle).count();
        long others = workers.size() - idle;
        double weight = looks.isEmpty() ? 0 : (double) others / looks.size();
        Stream<Group> rest = idle == 0
                ? Stream.empty()
                : Stream.of(new Group(Doing.IDLE, "in the pool, waiting for a task", idle, List.of()));
        Starvation starvation = starvation();
        return new StackSample(
                1,
                looks.isEmpty() ? idle : workers.size(),
                StackJoin.groups(Stream.concat(looks.stream().map(look -> group(look, weight)), rest)),
                locks.locks(),
                starvation.certain() * weight,
                starvation.possible() * weight,
                longest());
    }

    private static WorkerLook look(WorkerState worker, ThreadInfo info) {
        List<StackTraceElement> stack = List.of(info.getStackTrace());
        boolean mayWaitInNative = info.getThreadState() == Thread.State.RUNNABLE && info.isInNative();
        OsState system = mayWaitInNative ? OsState.of(worker.nativeId()) : OsState.UNKNOWN;
        LockInfo waitsFor = info.getLockInfo();
        Doing doing =
                Stacks.doing(info.getThreadState(), stack, waitsFor == null ? "" : waitsFor.getClassName(), system);
        if (doing == Doing.WAITING_IN_LINE && info.getLockOwnerId() != -1) {
            doing = Doing.WAITING_FOR_LOCK; // a user's lock, built on the JDK's synchronizer
        }
        return new WorkerLook(worker, info, stack, doing, UserFrames.place(stack));
    }

    private static Group group(WorkerLook look, double weight) {
        return look.doing() == Doing.IDLE
                ? new Group(Doing.IDLE, "in the pool, waiting for a task", weight, List.of())
                : new Group(look.doing(), look.place(), weight, look.stack());
    }

    private Starvation starvation() {
        if (pool == null) {
            return Starvation.NONE;
        }
        List<@Nullable Object> awaited = new ArrayList<>();
        for (WorkerLook look : looks) {
            if (look.doing() == Doing.WAITING_FOR_RESULT) {
                awaited.add(LockSupport.getBlocker(look.worker().thread()));
            }
        }
        return Starvation.of(awaited, pool);
    }

    private Map<Long, List<StackTraceElement>> longest() {
        Map<Long, List<StackTraceElement>> stacks = new LinkedHashMap<>();
        looks.stream()
                .filter(look -> look.worker().busy() && look.doing() != Doing.IDLE)
                .sorted(Comparator.comparing((WorkerLook look) -> look.worker().runningFor())
                        .reversed())
                .limit(StackSample.LONGEST)
                .forEach(look -> stacks.put(look.info().getThreadId(), look.stack()));
        return stacks;
    }

    /** {@code threadId()} exists since JDK 19 only. */
    @SuppressWarnings("deprecation")
    private static long id(Thread thread) {
        return thread.getId();
    }
}
