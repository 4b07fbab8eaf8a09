package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import io.lifeguard.pool.text.Counted;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds workers of the JVM's common fork-join pool that wait while tasks of that pool queue. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> The pool is the common one, by the names of its threads. The workers that wait outside, for a
 * limited resource, for locks, for latches or for results of other pools, or that sleep, are half of the pool's
 * parallelism, by the lower bound. Tasks are queued at both ends of the window. Where the queue is not counted, no
 * worker was seen idle, which is a guess. A worker that joins tasks of its own pool is not counted, because it helps to
 * run them or is replaced.
 *
 * <p><b>Window.</b> The last second.
 *
 * <p><b>Thresholds.</b> Half of the parallelism is a judgement. The common pool has one worker less than there are
 * CPUs, and all parallel streams and all {@code CompletableFuture}s without an executor of their own share it.
 *
 * <p><b>Closest healthy workload.</b> Parallel streams that keep all workers computing while their parts queue.
 */
public final class CommonPoolBlocked extends StandardRule {

    static final String ID = "common-pool-blocked";

    static final Threshold SHARE = new Threshold(
            ID + ".share", 0.5, "workers of the common pool that wait, divided by its parallelism; a judgement");

    private static final String THREADS = "ForkJoinPool.commonPool-worker-";

    private static final List<Doing> WAITS =
            List.of(Doing.WAITING_OUTSIDE, Doing.WAITING_IN_LINE, Doing.WAITING_FOR_LOCK, Doing.SLEEPING);

    public CommonPoolBlocked() {
        super(ID, SHARE);
    }

    /** Whether the window is that of the common pool, whatever it is called. */
    static boolean isCommonPool(PoolWindow window) {
        for (WorkerWindow worker : window.workers()) {
            if (!worker.thread().startsWith(THREADS)) {
                return false;
            }
        }
        return !window.workers().isEmpty();
    }

    @Override
    public Verdict examine(PoolWindow window) {
        if (!isCommonPool(window) || !haveTasksQueued(window)) {
            return Verdict.clear();
        }
        TimeBreakdown times = Limits.recent(window);
        List<Share> waiting = times.shares().stream()
                .filter(share -> isWaiting(window.pool(), share))
                .toList();
        Estimate workers = Estimate.sum(waiting.stream().map(Share::workers));
        double threshold =
                window.threshold(SHARE) * Math.max(1, window.after().limits().coreSize());
        return workers.low() >= threshold
                ? Verdict.found(finding(window, waiting, workers))
                : Limits.fewerThan(threshold, workers, window);
    }

    private static boolean haveTasksQueued(PoolWindow window) {
        return window.countsQueue()
                ? window.before().queued() > 0 && window.after().queued() > 0
                : window.isSaturated();
    }

    private static boolean isWaiting(String pool, Share share) {
        if (share.doing() == Doing.WAITING_FOR_RESULT) {
            return isNeitherHelpingNorReplaced(share.stack())
                    || (share.awaited().orElse(null) instanceof Awaited.Result result
                            && result.pool()
                                    .filter(other -> !other.equals(pool))
                                    .isPresent());
        }
        return WAITS.contains(share.doing());
    }

    /** As in {@code CountDownLatch.await}. A worker that helps, or is replaced, has frames of the pool on top. */
    private static boolean isNeitherHelpingNorReplaced(List<StackTraceElement> stack) {
        return !stack.isEmpty()
                && UserFrames.isJdk(stack.get(0))
                && stack.stream()
                        .takeWhile(UserFrames::isJdk)
                        .map(StackTraceElement::getClassName)
                        .noneMatch(type -> type.startsWith("java.util.concurrent.ForkJoin")
                                || type.startsWith("java.util.concurrent.CompletableFuture"));
    }

    private static Finding finding(PoolWindow window, List<Share> waiting, Estimate workers) {
        int all = window.after().size();
        String places = Places.clause(waiting, all);
        List<String> waiters = window.waitsOfOthers().entrySet().stream()
                .filter(other -> other.getValue().contains(window.pool()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        boolean isCounted = window.countsQueue();
        boolean isOne = Math.round(workers.value()) == 1;
        String behind = isOne ? " behind it" : " behind them";
        Finding.Builder finding = Finding.of(ID, window)
                .severity(isCounted ? Severity.WARNING : Severity.INFO)
                .summary(
                        "%s %s, and %s%s",
                        places.isEmpty()
                                ? Places.count(workers.value()) + " of " + Counted.of(all, "worker")
                                        + " of the common pool"
                                : places + " in the common pool and",
                        isOne ? "waits" : "wait",
                        isCounted
                                ? Counted.of(window.after().queued(), "task queues", "tasks queue") + behind
                                : "none was seen idle, so tasks probably queue" + behind,
                        waiters.isEmpty() ? "" : "; workers of " + String.join(", ", waiters) + " wait for it")
                .advice("Give calls that wait an executor of their own (supplyAsync(task, executor)). The common pool"
                        + " has one thread less than there are CPUs, and all parallel streams share it.")
                .evidence("waitingWorkers", workers.value())
                .evidence("workers", all)
                .evidence("parallelism", window.after().limits().coreSize());
        if (isCounted) {
            finding.evidence("queued", window.after().queued());
        }
        if (!waiters.isEmpty()) {
            finding.evidence("poolsThatWait", waiters);
        }
        return Places.add(finding, waiting).build();
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        return isCommonPool(window) && window.after().queued() > 0 ? Set.of(Evidence.STACKS) : Set.of();
    }
}
