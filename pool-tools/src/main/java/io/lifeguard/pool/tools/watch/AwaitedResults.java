package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.window.Awaited.Result;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.Selectors;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Finds, by exclusion, the pools that hold the tasks whose results workers wait for. Not thread-safe.
 *
 * <p>A dump does not say which task a thread waits for. But a {@code FutureTask} that is not done either is run by a
 * thread that has {@code FutureTask.run} on its stack, or sits in a queue. It sits in the own queue when no other
 * pool's queue can have it: a pool with an idle worker would run it. So of w tasks that workers wait for while r other
 * threads run some, at least w − r are in the own queue, if that pool has no idle worker either. The others are run by
 * the own pool if no other thread was seen running such tasks in the latest {@value #REMEMBERED} dumps.
 *
 * <p>Otherwise, the results come from one pool if the waiting workers do get results, and only threads of that pool
 * were seen running such tasks lately. Then w − r are in that pool's queue, unless it has an idle worker.
 *
 * <p>Several pools may also wait for each other. If all their workers wait without a time limit, no thread runs such a
 * task otherwise, and no pool besides can have one queued, then each awaited task is run or queued by one of these
 * pools. Which of them has it is unknown. Where virtual threads are carried, nothing is concluded, because a dump does
 * not show them.
 */
public final class AwaitedResults {

    static final Result UNKNOWN = new Result(Optional.empty(), false);
    private static final String FUTURE_TASK = "java.util.concurrent.FutureTask";
    private static final String NO_POOL = "";
    private static final int REMEMBERED = 20; // dumps, which are two seconds

    /** The pools that ran such tasks, dump by dump, latest last. A worker that waits for a result does not count. */
    private final Deque<Set<String>> ran = new ArrayDeque<>();

    private IdentityHashMap<DumpedThread, Result> results = new IdentityHashMap<>(); // of the latest dump
    private Set<String> circle = Set.of(); // in the latest dump
    private Set<String> runners = Set.of(); // the pools that run such tasks in the latest dump, waiting or not

    /**
     * Looks at the next dump. A worker of which it is unknown what it does may run any task.
     *
     * @param moves tells of a pool's name whether its workers got results or tasks lately
     */
    public void see(ThreadDump dump, List<FoundPool> pools, Predicate<String> moves) {
        results = new IdentityHashMap<>();
        remember(dump, pools);
        circle = circle(dump, pools);
        runners = pools.stream()
                .filter(pool -> pool.workers().stream().anyMatch(AwaitedResults::runsTask))
                .map(FoundPool::name)
                .collect(Collectors.toSet());
        for (FoundPool pool : pools) {
            List<DumpedThread> waiting =
                    pool.workers().stream().filter(AwaitedResults::awaitsTask).toList();
            if (!waiting.isEmpty()) {
                boolean isElsewhere =
                        pools.stream().anyMatch(other -> !other.name().equals(pool.name()) && mayQueue(other));
                if (!isElsewhere && !mayQueue(pool)) {
                    continue; // an idle worker would run them
                }
                if (!isElsewhere) {
                    Result running = onlyRunner(pools).filter(pool::equals).isPresent()
                            ? new Result(Optional.of(pool.name()), false)
                            : UNKNOWN;
                    note(waiting, dump.threads(), new Result(Optional.of(pool.name()), true), running);
                } else if (moves.test(pool.name())) {
                    onlyRunner(pools).ifPresent(runner -> {
                        Result running = new Result(Optional.of(runner.name()), false);
                        Result queued = new Result(Optional.of(runner.name()), mayQueue(runner));
                        note(waiting, runner.workers(), queued, running);
                    });
                }
            }
        }
    }

    private static Set<String> circle(ThreadDump dump, List<FoundPool> pools) {
        Map<Boolean, List<FoundPool>> byWait =
                pools.stream().collect(Collectors.partitioningBy(AwaitedResults::allAwaitTasks));
        List<FoundPool> waiting = byWait.getOrDefault(true, List.of());
        boolean mayEnd = byWait.getOrDefault(false, List.of()).stream()
                        .anyMatch(pool -> pool.kind() == PoolKind.CARRIERS || mayQueue(pool))
                || dump.threads().stream().anyMatch(AwaitedResults::runsTaskItself);
        return waiting.size() < 2 || mayEnd
                ? Set.of()
                : waiting.stream().map(FoundPool::name).collect(Collectors.toUnmodifiableSet());
    }

    /** A wait with a time limit ends by itself. */
    private static boolean allAwaitTasks(FoundPool pool) {
        return pool.workers().stream().allMatch(worker -> awaitsTask(worker) && worker.state() == Thread.State.WAITING);
    }

    private void remember(ThreadDump dump, List<FoundPool> pools) {
        IdentityHashMap<DumpedThread, String> poolOf = new IdentityHashMap<>();
        pools.forEach(pool -> pool.workers().forEach(worker -> poolOf.put(worker, pool.name())));
        ran.addLast(dump.threads().stream()
                .filter(AwaitedResults::runsTaskItself)
                .map(thread -> poolOf.getOrDefault(thread, NO_POOL))
                .collect(Collectors.toSet()));
        if (ran.size() > REMEMBERED) {
            ran.removeFirst();
        }
    }

    /** The pool that alone was seen running tasks; empty when there were several, or threads of no pool. */
    private Optional<FoundPool> onlyRunner(List<FoundPool> pools) {
        Set<String> all = ran.stream().flatMap(Set::stream).collect(Collectors.toSet());
        return all.size() == 1
                ? pools.stream().filter(pool -> all.contains(pool.name())).findFirst()
                : Optional.empty();
    }

    /**
     * As many tasks as there are threads that run tasks may run; the others are in the queue. Several workers may wait
     * for one task, as for a value of a cache. Those for which most wait count as running, so that not too many workers
     * wait for the queue.
     */
    private void note(List<DumpedThread> waiting, Collection<DumpedThread> runners, Result queued, Result running) {
        long run = runners.stream().filter(AwaitedResults::runsTaskItself).count();
        Map<String, Long> waiters =
                waiting.stream().collect(Collectors.groupingBy(AwaitedResults::awaited, Collectors.counting()));
        Set<String> mayRun = waiters.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(run)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        waiting.forEach(worker -> results.put(worker, mayRun.contains(awaited(worker)) ? running : queued));
    }

    private static String awaited(DumpedThread worker) {
        return worker.waitsFor().map(DumpedThread.Lock::identity).orElse("");
    }

    /** The names of the pools that wait only for each other, in the latest dump; empty when there are none. */
    Set<String> circle() {
        return circle;
    }

    /** Whose result a worker of the latest dump waits for; unknown where that is not certain. */
    Result of(DumpedThread worker) {
        return results.getOrDefault(worker, UNKNOWN);
    }

    /**
     * Whose result any thread of the latest dump waits for, if it waits for ever: otherwise that of the only pool that
     * runs such tasks.
     */
    Result likely(DumpedThread thread) {
        return results.containsKey(thread) || !awaitsTask(thread)
                ? of(thread)
                : runners.size() == 1
                        ? new Result(Optional.of(runners.iterator().next()), false)
                        : UNKNOWN;
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

    /** A worker that runs a task and waits for another one's result does not bring that result now. */
    private static boolean runsTaskItself(DumpedThread thread) {
        return runsTask(thread) && !awaitsTask(thread);
    }

    /** Whether a task may be in the queue of a pool: all its workers are busy. */
    private static boolean mayQueue(FoundPool pool) {
        return pool.workers().stream().noneMatch(worker -> Selectors.doing(worker) == Doing.IDLE);
    }
}
