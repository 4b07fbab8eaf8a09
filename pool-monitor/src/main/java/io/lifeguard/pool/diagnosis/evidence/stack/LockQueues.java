package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.diagnosis.window.Awaited.Lock;
import java.lang.management.LockInfo;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for which lock and who holds it, at one moment. Immutable.
 *
 * <p>Waiters are counted without stacks, a moment after the stacks were taken. The holder's stack is taken still later,
 * together with one waiter's. If that waiter no longer waits for this holder, the holder has gone on. Then its stack
 * would show something else, and is dropped.
 *
 * @param locks by class and identity, as the JDK's {@code LockInfo} shows them
 */
public record LockQueues(Map<String, Lock> locks) {

    static final LockQueues NONE = new LockQueues(Map.of());

    /** How many locks get their holder's stack. */
    private static final int MOST_HOLDERS = 4;

    /**
     * Looks for waiters and holders.
     *
     * @param waiting the workers that were seen waiting for a lock, with their stacks
     * @param workers the thread ids of all workers of the pool
     * @param looked the thread ids among which to look for waiters
     */
    static LockQueues look(StackSource threads, List<WorkerLook> waiting, long[] workers, long[] looked) {
        Map<String, Queue> queues = new LinkedHashMap<>();
        for (WorkerLook look : waiting) {
            String lock = look.object();
            if (lock != null) {
                queues.computeIfAbsent(lock, name -> new Queue(name, look)).see(look);
            }
        }
        Set<Long> own = new HashSet<>();
        Arrays.stream(workers).forEach(own::add);
        for (@Nullable ThreadInfo info : threads.take(looked, 0)) {
            Queue queue = info == null ? null : queues.get(identity(info));
            if (queue != null && isWaiting(info)) {
                queue.count(info, own.contains(info.getThreadId()));
            }
        }
        findHolders(threads, queues.values().stream());
        Map<String, Lock> locks = new LinkedHashMap<>();
        queues.forEach((identity, queue) -> locks.put(identity, queue.lock()));
        return new LockQueues(locks);
    }

    private static void findHolders(StackSource threads, Stream<Queue> queues) {
        List<Queue> longestFirst = queues.sorted((one, other) -> Integer.compare(other.waiters(), one.waiters()))
                .toList();
        List<Queue> held = longestFirst.stream()
                .filter(queue -> queue.owner != SeenThread.NO_OWNER)
                .limit(MOST_HOLDERS)
                .toList();
        if (!held.isEmpty()) {
            long[] ids = held.stream()
                    .flatMap(queue -> Stream.of(queue.owner, queue.waiter))
                    .mapToLong(Long::longValue)
                    .toArray();
            @Nullable ThreadInfo[] infos = threads.take(ids, StackSampler.HOLDER_DEPTH);
            for (int i = 0; i < held.size(); i++) {
                held.get(i).holder(infos[2 * i], infos[2 * i + 1]);
            }
        }
    }

    /** False for a thread that holds a condition's lock or waits for a notification. */
    private static boolean isWaiting(ThreadInfo info) {
        if (info.getThreadState() == Thread.State.BLOCKED || info.getLockOwnerId() != SeenThread.NO_OWNER) {
            return true;
        }
        LockInfo lock = info.getLockInfo();
        return lock != null && Waits.forLock(lock.getClassName());
    }

    private static @Nullable String identity(ThreadInfo info) {
        LockInfo lock = info.getLockInfo();
        return lock == null ? null : lock.toString();
    }

    /** One lock's waiters, while they are counted. */
    private static final class Queue {
        private final String lock;
        private @Nullable String className; // where the lock is a class
        private final boolean monitor;
        private int workers;
        private int others;
        private long owner;
        private @Nullable String ownerName;
        private long waiter;
        private final List<StackTraceElement> ownerStack = new ArrayList<>();

        Queue(String lock, WorkerLook first) {
            this.lock = lock;
            this.monitor = first.info().state() == Thread.State.BLOCKED;
            this.owner = SeenThread.NO_OWNER;
            owned(first.info().ownerId(), first.info().ownerName(), first.info().id());
        }

        /** Looks for the name of a lock that is a class on the waiter's stack. */
        void see(WorkerLook look) {
            LockInfo info = look.info().waitsFor();
            if (className == null && monitor && info != null) {
                className = ClassMonitor.name(info, look.stack(), look.worker().thread());
            }
        }

        void count(ThreadInfo info, boolean worker) {
            if (worker) {
                workers++;
            } else {
                others++;
            }
            owned(info.getLockOwnerId(), info.getLockOwnerName(), info.getThreadId());
        }

        private void owned(long ownerId, @Nullable String name, long waiterId) {
            if (ownerId != SeenThread.NO_OWNER) {
                owner = ownerId;
                ownerName = name;
                waiter = waiterId;
            }
        }

        void holder(@Nullable ThreadInfo holder, @Nullable ThreadInfo stillWaiting) {
            if (holder != null
                    && stillWaiting != null
                    && stillWaiting.getLockOwnerId() == owner
                    && lock.equals(identity(stillWaiting))) {
                ownerStack.addAll(List.of(holder.getStackTrace()));
            }
        }

        int waiters() {
            return workers + others;
        }

        Lock lock() {
            return new Lock(
                    className == null ? lock : className, monitor, Optional.ofNullable(ownerName), ownerStack, others);
        }
    }
}
