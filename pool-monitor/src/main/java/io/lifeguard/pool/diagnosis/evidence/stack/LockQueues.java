package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.diagnosis.window.Awaited.Lock;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
     * @param waiting the workers that were seen waiting for a lock, with their stacks
     * @param workers the thread ids of all workers of the pool
     * @param looked the thread ids among which to look for waiters
     * @return the locks by class and identity, as the JDK's {@code LockInfo} shows them
     */
    static Map<String, Lock> look(StackSource threads, List<WorkerLook> waiting, long[] workers, long[] looked) {
        Map<String, List<WorkerLook>> seen = waiting.stream()
                .filter(look -> !look.info().object().isEmpty())
                .collect(Collectors.groupingBy(look -> look.info().object(), LinkedHashMap::new, Collectors.toList()));
        Map<String, List<ThreadLook>> waiters = new HashMap<>();
        ThreadPicture now = ThreadPicture.of(threads.take(looked, 0));
        seen.keySet().forEach(lock -> waiters.put(lock, now.waiters(lock)));
        Map<String, ThreadLook> told = new HashMap<>(); // a waiter that tells who holds the lock
        seen.forEach((lock, looks) -> Stream.concat(
                        looks.stream().limit(1).map(WorkerLook::info), waiters.getOrDefault(lock, List.of()).stream())
                .filter(waiter -> waiter.holderId() != ThreadLook.NO_HOLDER)
                .reduce((then, later) -> later)
                .ifPresent(waiter -> told.put(lock, waiter)));
        Map<String, List<StackTraceElement>> stacks = new HashMap<>();
        List<ThreadLook> longestFirst = told.values().stream()
                .sorted(Comparator.comparing((ThreadLook waiter) ->
                        -waiters.getOrDefault(waiter.object(), List.of()).size()))
                .limit(MOST_HOLDERS)
                .toList();
        stacksOfHolders(threads, longestFirst).forEach((waiter, stack) -> stacks.put(waiter.object(), stack));
        Set<Long> own = Arrays.stream(workers).boxed().collect(Collectors.toSet());
        Map<String, Lock> locks = new LinkedHashMap<>();
        seen.forEach((lock, looks) -> locks.put(
                lock,
                new Lock(
                        name(looks),
                        looks.get(0).info().state() == Thread.State.BLOCKED,
                        Optional.ofNullable(told.get(lock)).map(ThreadLook::holderName),
                        stacks.getOrDefault(lock, List.of()),
                        waiters.getOrDefault(lock, List.of()).stream()
                                .filter(waiter -> !own.contains(waiter.id()))
                                .count())));
        return locks;
    }

    /**
     * {@return the stacks of those that hold what these threads wait for, taken at one moment; none of a holder for
     * which its thread no longer waits}
     */
    public static Map<ThreadLook, List<StackTraceElement>> stacksOfHolders(
            StackSource threads, List<ThreadLook> waiters) {
        Map<ThreadLook, List<StackTraceElement>> stacks = new HashMap<>();
        if (waiters.isEmpty()) {
            return stacks;
        }
        long[] ids = waiters.stream()
                .flatMap(waiter -> Stream.of(waiter.holderId(), waiter.id()))
                .mapToLong(Long::longValue)
                .toArray();
        ThreadPicture then = ThreadPicture.of(threads.take(ids, StackSampler.HOLDER_DEPTH));
        for (ThreadLook waiter : waiters) {
            ThreadLook still = then.thread(waiter.id());
            ThreadLook holder = still == null || !still.object().equals(waiter.object()) ? null : then.holder(still);
            if (holder != null && holder.id() == waiter.holderId()) {
                stacks.put(waiter, holder.stack());
            }
        }
        return stacks;
    }

    /** The name of a class whose monitor is waited for, as the stack of a waiter tells it. */
    private static String name(List<WorkerLook> looks) {
        return looks.stream()
                .filter(look -> look.info().state() == Thread.State.BLOCKED)
                .map(look -> ClassMonitor.name(
                        look.info().object(), look.stack(), look.worker().thread()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(looks.get(0).info().object());
    }
}
