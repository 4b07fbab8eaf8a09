package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.diagnosis.seen.ClassMonitor;
import io.lifeguard.pool.diagnosis.window.Awaited.Lock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells who waits for which lock and who holds it, at one moment. Stateless.
 *
 * <p>Waiters are counted without stacks, a moment after the stacks were taken. The holder's stack is taken still later,
 * together with one waiter's. If that waiter no longer waits for this holder, the holder has gone on. Then its stack
 * would show something else, and is dropped.
 */
public final class LockQueues {

    /** How many locks get their holder's stack. */
    private static final int MOST_HOLDERS = 4;

    private LockQueues() {}

    /**
     * Looks for waiters and holders.
     *
     * @return the locks by class and identity, as the JDK's {@code LockInfo} shows them
     */
    static Map<String, Lock> look(StackSource threads, List<WorkerLook> waiting, long[] workers, long[] looked) {
        Map<String, List<WorkerLook>> seen = new LinkedHashMap<>();
        for (WorkerLook look : waiting) {
            if (!look.info().object().isEmpty()) {
                Seen.add(seen, look.info().object(), look);
            }
        }
        ThreadPicture now = ThreadPicture.of(threads.take(looked, 0));
        Map<String, List<ThreadLook>> waiters = new HashMap<>();
        Map<String, ThreadLook> told = new LinkedHashMap<>(); // a waiter that tells who holds the lock
        for (Map.Entry<String, List<WorkerLook>> lock : seen.entrySet()) {
            List<ThreadLook> here = now.waiters(lock.getKey());
            waiters.put(lock.getKey(), here);
            ThreadLook last = lock.getValue().get(0).info();
            for (ThreadLook waiter : here) {
                last = waiter.holderId() == ThreadLook.NO_HOLDER ? last : waiter;
            }
            if (last.holderId() != ThreadLook.NO_HOLDER) {
                told.put(lock.getKey(), last);
            }
        }
        List<ThreadLook> longestFirst = new ArrayList<>(told.values());
        if (longestFirst.size() > MOST_HOLDERS) {
            longestFirst.sort(Comparator.comparingInt(
                    waiter -> -waiters.getOrDefault(waiter.object(), List.of()).size()));
        }
        Map<String, List<StackTraceElement>> stacks =
                stacksOfHolders(threads, longestFirst.subList(0, Math.min(MOST_HOLDERS, longestFirst.size())));
        Set<Long> own = new HashSet<>();
        for (long worker : workers) {
            own.add(worker);
        }
        Map<String, Lock> locks = new LinkedHashMap<>();
        for (Map.Entry<String, List<WorkerLook>> lock : seen.entrySet()) {
            long others = 0;
            for (ThreadLook waiter : waiters.getOrDefault(lock.getKey(), List.of())) {
                others += own.contains(waiter.id()) ? 0 : 1;
            }
            ThreadLook teller = told.get(lock.getKey());
            locks.put(
                    lock.getKey(),
                    new Lock(
                            name(lock.getValue()),
                            lock.getValue().get(0).info().state() == Thread.State.BLOCKED,
                            teller == null ? Optional.empty() : Optional.ofNullable(teller.holderName()),
                            teller == null ? List.of() : stacks.getOrDefault(lock.getKey(), List.of()),
                            others));
        }
        return locks;
    }

    /**
     * {@return the stacks of those that hold what these threads wait for, by what that is, taken at one moment; none of
     * a holder for which its thread no longer waits}
     */
    public static Map<String, List<StackTraceElement>> stacksOfHolders(StackSource threads, List<ThreadLook> waiters) {
        Map<String, List<StackTraceElement>> stacks = new HashMap<>();
        if (waiters.isEmpty()) {
            return stacks;
        }
        long[] ids = new long[2 * waiters.size()];
        for (int i = 0; i < waiters.size(); i++) {
            ids[2 * i] = waiters.get(i).holderId();
            ids[2 * i + 1] = waiters.get(i).id();
        }
        ThreadPicture then = ThreadPicture.of(threads.take(ids, StackSampler.HOLDER_DEPTH));
        for (ThreadLook waiter : waiters) {
            ThreadLook still = then.thread(waiter.id());
            ThreadLook holder = still == null || !still.object().equals(waiter.object()) ? null : then.holder(still);
            if (holder != null && holder.id() == waiter.holderId()) {
                stacks.put(waiter.object(), holder.stack());
            }
        }
        return stacks;
    }

    /** The name of a class whose monitor is waited for, as the stack of a waiter tells it. */
    private static String name(List<WorkerLook> looks) {
        for (WorkerLook look : looks) {
            if (look.info().state() == Thread.State.BLOCKED) {
                String name = ClassMonitor.name(
                        look.info().object(), look.stack(), look.worker().thread());
                if (name != null) {
                    return name;
                }
            }
        }
        return looks.get(0).info().object();
    }
}
