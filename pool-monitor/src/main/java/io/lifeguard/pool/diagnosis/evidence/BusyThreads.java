package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.Pools;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.evidence.loop.EventLoopGroup;
import io.lifeguard.pool.diagnosis.evidence.stack.Stratum;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds external pools whose threads are all busy, all the time. Confined to the monitor's thread. Keeps no thread.
 *
 * <p>That is asked only while workers wait for results and it is unknown who brings them. Threads belong together if
 * their names differ in the number at the end only. State and blocker tell without a stack which of them are idle:
 * those wait at the queue of their pool. One stack per group then tells whether it is of a pool of the JDK's.
 *
 * <p>Threads with such names may also belong to single-threaded executors, one each, among which work is divided by
 * key. Then each idle thread waits at a queue of its own, and a busy thread counts by itself.
 */
final class BusyThreads {

    /** A look at all threads costs about 0.3 µs for each. */
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(200);

    /**
     * Between looks passes a hundred times what the last one took, so looks take 1 % of a core; but never so long that
     * what was seen is forgotten, because a look may have lost its CPU.
     */
    private static final long AFFORDED = 100;

    /** Two looks may meet a pool between two bursts by chance. */
    private static final int ENOUGH_LOOKS = 4;

    /** After such a pause in the looks nothing is known of the time between. */
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(3);

    /** A list of more is no answer. */
    private static final int MOST_GROUPS = 3;

    private static final String CONCURRENT = "java.util.concurrent.";

    /** One idle thread beside busy ones waits at a queue of its own in any case. */
    private static final int FEWEST_QUEUES = 2;

    /** What the idle threads of the JDK's pools are parked on. */
    private static final List<String> QUEUES = List.of(
            CONCURRENT + "locks.AbstractQueuedSynchronizer$ConditionObject",
            CONCURRENT + "SynchronousQueue$",
            CONCURRENT + "LinkedTransferQueue",
            CONCURRENT + "ForkJoinPool");

    private final LongSupplier nanos;
    private final Supplier<List<Thread>> threads;
    private Map<String, Group> groups = new HashMap<>();
    private boolean hasLooked;
    private long looked; // when; says nothing before
    private long cost;

    BusyThreads(LongSupplier nanos, Supplier<List<Thread>> threads) {
        this.nanos = nanos;
        this.threads = threads;
    }

    /** Looks at all threads, unless that was done right before. */
    void look() {
        long now = nanos.getAsLong();
        if (hasLooked && now - looked < Math.min(PAUSE / 2, Math.max(BETWEEN_LOOKS, AFFORDED * cost))) {
            return;
        }
        Map<String, Group> before = hasLooked && now - looked > PAUSE ? Map.of() : groups;
        hasLooked = true;
        looked = now;
        Map<String, List<Thread>> byName = new HashMap<>();
        for (Thread thread : threads.get()) {
            byName.computeIfAbsent(EventLoopGroup.nameOf(thread.getName()), name -> new ArrayList<>())
                    .add(thread);
        }
        Map<String, Group> busy = new HashMap<>();
        byName.forEach((name, all) -> {
            List<Thread> busyOnes = new ArrayList<>();
            Set<Object> queues = Collections.newSetFromMap(new IdentityHashMap<>());
            for (Thread thread : all) {
                Object queue = queue(thread);
                if (queue == null) {
                    busyOnes.add(thread);
                } else {
                    queues.add(queue);
                }
            }
            int idle = all.size() - busyOnes.size();
            if (idle == 0) {
                busy.put(name, before.getOrDefault(name, Group.NONE).seen(all));
            } else if (idle >= FEWEST_QUEUES && queues.size() == idle) {
                busyOnes.forEach(thread -> busy.put(
                        thread.getName(),
                        before.getOrDefault(thread.getName(), Group.NONE).seen(List.of(thread))));
            }
        });
        groups = busy;
        cost = nanos.getAsLong() - now;
    }

    /**
     * {@return how many threads each external pool has of which no thread was idle lately, by the beginning of their
     * names; that of a single-threaded executor by its thread's name; empty when there are many}
     */
    Map<String, Integer> groups() {
        if (!hasLooked || nanos.getAsLong() - looked > PAUSE) {
            return Map.of();
        }
        Map<String, Integer> found = new TreeMap<>();
        groups.forEach((name, group) -> {
            if (group.looks >= ENOUGH_LOOKS && group.isPool) {
                found.put(name, group.size);
            }
        });
        return found.size() > MOST_GROUPS ? Map.of() : found;
    }

    /** {@return the queue at which a thread waits for a task; null when it is busy} */
    private static @Nullable Object queue(Thread thread) {
        Object blocker = Stratum.isWaiting(thread.getState()) ? LockSupport.getBlocker(thread) : null;
        return blocker != null && QUEUES.stream().anyMatch(blocker.getClass().getName()::startsWith) ? blocker : null;
    }

    private static boolean runsTasks(StackTraceElement frame) {
        String type = frame.getClassName();
        return frame.getMethodName().equals("runWorker")
                && (type.endsWith("ThreadPoolExecutor") || type.equals(CONCURRENT + "ForkJoinPool"));
    }

    /**
     * Threads that were all busy.
     *
     * @param isPool whether they run tasks of an external pool
     */
    private record Group(int looks, int size, boolean isPool) {

        static final Group NONE = new Group(0, 0, false);

        Group seen(List<Thread> all) {
            boolean isKnown = size == all.size();
            if (!isKnown) {
                return new Group(1, all.size(), false);
            }
            boolean decides = looks + 1 == ENOUGH_LOOKS;
            return new Group(looks + 1, size, decides ? isPool(all) : isPool);
        }

        private static boolean isPool(List<Thread> all) {
            List<StackTraceElement> stack = List.of(all.get(0).getStackTrace());
            if (!stack.stream().anyMatch(BusyThreads::runsTasks) || Waits.forTask(stack)) {
                return false;
            }
            Set<Thread> instrumented = new HashSet<>(); // their names are known, if they run the tasks
            Pools.live().stream()
                    .flatMap(pool -> pool.workers().stream())
                    .map(WorkerState::thread)
                    .forEach(instrumented::add);
            return all.stream().noneMatch(instrumented::contains);
        }
    }
}
