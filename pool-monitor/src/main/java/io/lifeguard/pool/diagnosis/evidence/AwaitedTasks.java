package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import io.lifeguard.pool.diagnosis.window.Awaited.Result;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Delayed;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the pools whose tasks workers wait for. Confined to the monitor's thread; used within one look, since it asks
 * living pools.
 *
 * <p>A thread in {@code FutureTask.get} has the future itself as its
 * {@linkplain java.util.concurrent.locks.LockSupport#getBlocker blocker}. An instrumented pool knows the futures it has
 * made. The futures of other pools are looked for in the queues of all watched pools, which is certain, too. A thread
 * that waits for a {@code CompletableFuture}, a latch or a {@code ForkJoinTask} shows a private object that leads to no
 * task, so the pool is unknown.
 */
public final class AwaitedTasks {

    static final Result UNKNOWN = new Result(Optional.empty(), false);

    /** Of longer queues only the front is searched, in each look. */
    private static final int MOST_TASKS = 10_000;

    private final Collection<Candidate> candidates;

    public AwaitedTasks(Collection<Candidate> candidates) {
        this.candidates = candidates;
    }

    /** A pool that may have the task. */
    public record Candidate(String name, PoolSource source) {}

    /**
     * {@return what is known of each future, by identity}
     *
     * @param awaited what workers are parked on; null where it is unknown
     * @param own the workers' own pool, which is searched first
     */
    IdentityHashMap<Object, Result> find(List<@Nullable Object> awaited, String own) {
        IdentityHashMap<Object, Result> found = new IdentityHashMap<>();
        for (Object future : awaited) {
            if (isTask(future)) {
                found.put(future, UNKNOWN);
            }
        }
        if (found.isEmpty()) {
            return found;
        }
        List<Candidate> ownFirst = new ArrayList<>();
        for (Candidate candidate : candidates) {
            ownFirst.add(candidate.name().equals(own) ? 0 : ownFirst.size(), candidate);
        }
        int searched = 0;
        for (Candidate candidate : ownFirst) {
            try {
                searched += search(candidate, found, MOST_TASKS - searched);
            } catch (Throwable ignored) {
                // The pool or its queue may be a user's. Then its tasks stay unknown.
            }
        }
        return found;
    }

    /** {@return how many tasks were looked at} */
    private static int search(Candidate candidate, IdentityHashMap<Object, Result> found, int most) {
        InstrumentedPool meter = candidate.source().meter();
        if (meter == null) {
            return 0;
        }
        Set<Object> wanted = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Map.Entry<Object, Result> entry : found.entrySet()) {
            if (entry.getValue().pool().isEmpty()) {
                wanted.add(entry.getKey());
                if (meter.hasMade((Future<?>) entry.getKey())) {
                    entry.setValue(new Result(Optional.of(candidate.name()), false));
                }
            }
        }
        ThreadPoolExecutor executor = candidate.source().executor() instanceof ThreadPoolExecutor jdk
                ? jdk
                : meter instanceof ThreadPoolExecutor own ? own : null;
        int searched = 0;
        if (executor != null && !wanted.isEmpty()) {
            for (Runnable task : executor.getQueue()) {
                if (searched++ >= most) {
                    break;
                }
                if (wanted.remove(task)) {
                    found.put(task, new Result(Optional.of(candidate.name()), isDue(task)));
                    if (wanted.isEmpty()) {
                        break;
                    }
                }
            }
        }
        return searched;
    }

    /**
     * Whether an executor would queue this. What threads wait on for a {@code CompletableFuture} looks similar, but is
     * private to it.
     */
    private static boolean isTask(@Nullable Object blocker) {
        return blocker instanceof Future<?> && blocker instanceof Runnable && !(blocker instanceof ForkJoinTask<?>);
    }

    /** A task that is not due yet waits for its time, not for a worker. */
    private static boolean isDue(Object task) {
        return !(task instanceof Delayed delayed) || delayed.getDelay(TimeUnit.NANOSECONDS) <= 0;
    }
}
