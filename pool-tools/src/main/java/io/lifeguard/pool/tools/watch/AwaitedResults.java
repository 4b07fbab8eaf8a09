package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.window.Awaited.Result;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.Selectors;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds by exclusion where the tasks are whose results workers wait for. Immutable; of one dump.
 *
 * <p>A dump does not say which task a thread waits for. But a {@code FutureTask} that is not done either is run by a
 * thread that has {@code FutureTask.run} on its stack, or sits in a queue. It sits in the own queue when no other
 * pool's queue can have it: a pool with an idle worker would run it. So of w workers that wait for such tasks while r other
 * threads run some, at least w − r wait for their own queue.
 */
public final class AwaitedResults {

    private static final Result UNKNOWN = new Result(Optional.empty(), false);
    private static final String FUTURE_TASK = "java.util.concurrent.FutureTask";

    private final Map<DumpedThread, Result> results = new HashMap<>();

    /**
     * Looks through a dump. A worker of which it is not known what it does may run any task.
     *
     * @param dump not null
     * @param pools all pools in it, not null
     */
    public AwaitedResults(ThreadDump dump, List<FoundPool> pools) {
        for (FoundPool pool : pools) {
            List<DumpedThread> waiting =
                    pool.workers().stream().filter(AwaitedResults::awaitsTask).toList();
            boolean isElsewhere =
                    pools.stream().anyMatch(other -> !other.name().equals(pool.name()) && mayQueue(other));
            if (!waiting.isEmpty() && !isElsewhere) {
                Set<DumpedThread> waiters = new HashSet<>(waiting);
                long running = dump.threads().stream()
                        .filter(thread -> !waiters.contains(thread) && runsTask(thread))
                        .count();
                Result own = new Result(Optional.of(pool.name()), true);
                waiting.stream().skip(running).forEach(thread -> results.put(thread, own));
            }
        }
    }

    /** Whose result a worker waits for; unknown where that is not certain. */
    Result of(DumpedThread worker) {
        return results.getOrDefault(worker, UNKNOWN);
    }

    /** A task that is scheduled for later is of a class of its own. */
    private static boolean awaitsTask(DumpedThread thread) {
        return thread.doing() == Doing.WAITING_FOR_RESULT
                && thread.waitsFor()
                        .filter(object -> object.type().equals(FUTURE_TASK))
                        .isPresent();
    }

    private static boolean runsTask(DumpedThread thread) {
        return thread.doing() == Doing.UNKNOWN
                || thread.stack().stream()
                        .anyMatch(frame -> frame.getMethodName().equals("run")
                                && frame.getClassName().equals(FUTURE_TASK));
    }

    /** Whether a task may be in the queue of a pool: all its workers are busy. */
    private static boolean mayQueue(FoundPool pool) {
        return pool.workers().stream().noneMatch(worker -> Selectors.doing(worker) == Doing.IDLE);
    }
}
