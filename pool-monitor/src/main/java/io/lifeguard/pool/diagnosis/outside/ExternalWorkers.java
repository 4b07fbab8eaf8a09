package io.lifeguard.pool.diagnosis.outside;

import io.lifeguard.pool.Pools;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.os.LiveThreads;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the threads of an external {@code ThreadPoolExecutor}. Guarded by the pool it belongs to.
 *
 * <p>{@link KnownWorkers} know. Otherwise the JDK does not say which pool a thread belongs to, so this is a conclusion
 * from what is public. There is no answer where it would be a bad one. A group of threads is asked in this order:
 *
 * <ol>
 *   <li>Their names are alike: they differ only in a number at the end, and begin with the prefix of the pool's thread
 *       factory where that is known. A pool of one thread may have any name.
 *   <li>They are as many as the pool has workers, and one of them is a worker of some {@code ThreadPoolExecutor}. A
 *       larger group is divided by the queues that its threads were seen waiting at.
 *   <li>Those that wait for a task wait in a method of the class of the pool's queue, and all at the same queue.
 *   <li>Of several such groups, the one whose names begin with the pool's name is taken.
 *   <li>Otherwise, the one of which as many threads wait for a task as the pool says: see {@link IdleCounts}.
 * </ol>
 */
final class ExternalWorkers implements WorkerFinder {

    /** A search looks at every thread of the process, so not every window has one. */
    private static final int CALLS_BETWEEN_SEARCHES = 5;

    /** A thread of native code may have no Java frame all its life, so searches do not wait for it for long. */
    private static final int MOST_POSTPONED = 3;

    /** Of one search: a stack takes some 20 µs, and stops its thread meanwhile. */
    private static final int MOST_LOOKED_AT = 512;

    /** Looks in a row at groups that cannot be told apart. Later ones have pauses between them, like searches. */
    private static final int MOST_IN_A_ROW = 40;

    private final String poolName;
    private final String threadPrefix; // empty when it is unknown
    private final Map<Thread, WeakReference<Object>> queues = new WeakHashMap<>(); // what each thread was parked on
    private IdleCounts counts = new IdleCounts();
    private List<WeakReference<Thread>> found = List.of();
    private int callsToWait;
    private int looksInARow;
    private int postponed; // searches without an answer because of threads that had just started
    private String doubt = ""; // why the latest search found nothing

    /**
     * Finds the threads of the pool that is watched under a name.
     *
     * @param threadPrefix how the names of its threads begin; empty if that is unknown
     */
    ExternalWorkers(String poolName, String threadPrefix) {
        this.poolName = poolName;
        this.threadPrefix = threadPrefix;
    }

    @Override
    public List<Thread> find(ThreadPoolExecutor pool) {
        int size = pool.getPoolSize();
        List<Thread> alive = LiveThreads.among(found);
        if (alive.size() != size && pool.getThreadFactory() instanceof KnownWorkers known) {
            List<WeakReference<Thread>> made = known.threads();
            alive = LiveThreads.among(made);
            found = alive.size() == size ? made : found;
        }
        if (alive.size() != size && size > 0 && callsToWait-- <= 0) {
            callsToWait = CALLS_BETWEEN_SEARCHES;
            found = search(pool, size).stream()
                    .map(worker -> new WeakReference<>(worker.thread()))
                    .toList();
            alive = LiveThreads.among(found);
        }
        return alive.size() == size ? alive : List.of();
    }

    @Override
    public Optional<String> doubt() {
        return found.isEmpty() && !doubt.isEmpty() ? Optional.of(doubt) : Optional.empty();
    }

    private List<SeenWorker> search(ThreadPoolExecutor pool, int size) {
        int activeBefore = pool.getActiveCount();
        List<List<SeenWorker>> groups = groupsLikeThePools(size);
        if (postponed < MOST_POSTPONED
                && groups.stream().anyMatch(group -> group.get(0).isStarting())) {
            postponed++;
            return List.of(); // they may be the workers; the next search can tell
        }
        List<List<SeenWorker>> candidates = groups.stream()
                .flatMap(group -> parts(group, size).stream())
                .filter(group -> group.stream().anyMatch(SeenWorker::isWorker))
                .filter(group -> group.stream().noneMatch(worker -> worker.isOfAnotherQueue(pool.getQueue())))
                .filter(group -> queuesOf(group) <= 1)
                .toList();
        doubt = candidates.isEmpty()
                ? "no "
                        + (size == 1
                                ? "single thread is the worker of such a pool"
                                : size + " threads with names that differ in a number only are workers of such a pool")
                : "its threads may be any of "
                        + candidates.stream()
                                .map(group -> '\''
                                        + ThreadNames.withoutNumber(group.get(0).thread())
                                        + '\'')
                                .distinct()
                                .limit(4)
                                .collect(Collectors.joining(", "));
        Optional<List<SeenWorker>> answer = only(candidates)
                .or(() -> only(candidates.stream()
                        .filter(group ->
                                ThreadNames.withoutNumber(group.get(0).thread()).startsWith(poolName))
                        .toList()));
        if (answer.isEmpty() && candidates.size() > 1) {
            callsToWait = ++looksInARow < MOST_IN_A_ROW ? 0 : CALLS_BETWEEN_SEARCHES; // each look at them counts
            int active = pool.getActiveCount();
            answer = active == activeBefore ? counts.look(size - active, candidates) : Optional.empty();
        }
        if (answer.isPresent()) {
            counts = new IdleCounts();
            looksInARow = 0;
        }
        return answer.orElse(List.of());
    }

    /** Looks at the groups of threads that may be the pool's, or have the pool's among them. */
    private List<List<SeenWorker>> groupsLikeThePools(int size) {
        Set<Thread> instrumented = Pools.live().stream()
                .flatMap(pool -> pool.workers().stream())
                .map(WorkerState::thread)
                .collect(Collectors.toSet());
        Collection<List<Thread>> alike = LiveThreads.all().stream()
                .filter(thread -> !instrumented.contains(thread) && mayBeNamed(thread, size))
                .collect(Collectors.groupingBy(ThreadNames::withoutNumber))
                .values();
        List<List<SeenWorker>> groups = new ArrayList<>();
        int looks = 0;
        for (List<Thread> threads : alike) {
            if (threads.size() >= size && looks + threads.size() <= MOST_LOOKED_AT) {
                looks += threads.size();
                groups.add(threads.stream().map(SeenWorker::of).toList());
            }
        }
        return groups;
    }

    private boolean mayBeNamed(Thread thread, int size) {
        return threadPrefix.isEmpty()
                ? size == 1 || ThreadNames.isNumbered(thread)
                : ThreadNames.withoutNumber(thread).equals(threadPrefix);
    }

    /**
     * Divides a group that has more threads than the pool by the queues that they were ever seen waiting at. No part is
     * known before all are: otherwise the first that wait would pass for the pool's.
     */
    private List<List<SeenWorker>> parts(List<SeenWorker> group, int size) {
        if (group.size() == size) {
            return List.of(group);
        }
        IdentityHashMap<Object, List<SeenWorker>> byQueue = new IdentityHashMap<>();
        boolean isOneUnseen = false;
        for (SeenWorker worker : group) {
            if (worker.parkedOn() != null) {
                queues.put(worker.thread(), new WeakReference<>(worker.parkedOn()));
            }
            Object queue = queueOf(worker.thread());
            isOneUnseen |= queue == null;
            if (queue != null) {
                byQueue.computeIfAbsent(queue, key -> new ArrayList<>()).add(worker);
            }
        }
        if (isOneUnseen) {
            return List.of();
        }
        return byQueue.values().stream().filter(part -> part.size() == size).toList();
    }

    private @Nullable Object queueOf(Thread thread) {
        WeakReference<Object> queue = queues.get(thread);
        return queue == null ? null : queue.get();
    }

    /** The number of queues that threads wait at now. */
    private static long queuesOf(List<SeenWorker> group) {
        IdentityHashMap<Object, Boolean> queues = new IdentityHashMap<>();
        for (SeenWorker worker : group) {
            if (worker.parkedOn() != null) {
                queues.put(worker.parkedOn(), true);
            }
        }
        return queues.size();
    }

    private static Optional<List<SeenWorker>> only(List<List<SeenWorker>> candidates) {
        return candidates.size() == 1 ? Optional.of(candidates.get(0)) : Optional.empty();
    }
}
