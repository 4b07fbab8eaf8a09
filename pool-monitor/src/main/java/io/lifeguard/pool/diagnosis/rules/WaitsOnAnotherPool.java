package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Cycle;
import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.bottleneck.Judgement;
import io.lifeguard.pool.diagnosis.bottleneck.Standstill;
import io.lifeguard.pool.diagnosis.bottleneck.Thresholds;
import io.lifeguard.pool.diagnosis.bottleneck.WaitingWorkers;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds workers that wait for results of another pool, which waits for this one or has not begun the tasks; and full
 * pools that wait for room in each other. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> The bottleneck is another pool ({@link Bottlenecks}). Either a path of waiting pools leads back to
 * this one (a cycle); in such a path a quarter of each pool's workers wait for the next one. Or the awaited tasks are
 * still in the other pool's queue (a chain), which shows that the other pool is full. A cycle in which this pool has
 * completed nothing for 4 s is critical. Where it is unknown which pool has the tasks (a {@code CompletableFuture}, a
 * latch, the future of an external pool), the backlog must stay, and what may provide the results is named: the
 * connection pool of a reactive client for which calls wait, otherwise external pools of which no thread was idle. From
 * outside, a cycle is known by exclusion ({@link Bottlenecks#circle}). Workers of full pools that wait for room in each
 * other are counted by the pool itself ({@link PoolSnapshot.Saturation#cycles()}), because it has to let one of them
 * exceed the capacity of a queue. One such event is enough: without it all these pools would stand still forever.
 *
 * <p><b>Window.</b> The last second; for other pools their latest window.
 *
 * <p><b>Thresholds.</b> Without a wait of 30 % of the busy workers the pool would do 1.4 times as much. A quarter as in
 * {@code starved-by-own-tasks}. Both are judgement.
 *
 * <p><b>Closest healthy workload.</b> A pool that hands parts of its work to another pool, which runs them at once; or
 * that waits for them while no task of its own queues.
 */
public final class WaitsOnAnotherPool extends StandardRule {

    static final String ID = "waits-on-another-pool";

    private static final String BREAK_THE_CYCLE =
            "Break the cycle: in one of these pools continue with thenCompose or thenCombine instead of waiting, or give"
                    + " the awaited tasks a pool of their own. Larger pools only postpone it.";

    public WaitsOnAnotherPool() {
        super(ID);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        Optional<Verdict> broken = brokenCycle(window);
        Optional<Verdict> other = broken.isPresent() ? broken : Limits.unless(window, Bottleneck.OTHER_POOL);
        return other.isPresent() ? other.get() : explain(window, Bottlenecks.judge(window, Bottleneck.OTHER_POOL));
    }

    /** Found if a worker exceeded the capacity of this pool, because workers waited for room in each other's pools. */
    private static Optional<Verdict> brokenCycle(PoolWindow window) {
        if (window.after().saturation().cycles().isEmpty()) {
            return Optional.empty();
        }
        PoolWindow recent = window.last(Bottlenecks.RECENT);
        Map<List<String>, Long> before = new HashMap<>();
        recent.before().saturation().cycles().forEach(cycle -> before.put(cycle.pools(), cycle.broken()));
        return recent.after().saturation().cycles().stream()
                .map(cycle -> new Cycle(cycle.pools(), cycle.broken() - before.getOrDefault(cycle.pools(), 0L)))
                .filter(cycle -> cycle.broken() > 0)
                .max(Comparator.comparing(Cycle::broken))
                .map(cycle -> Verdict.found(brokenCycle(recent, cycle)));
    }

    private static Finding brokenCycle(PoolWindow recent, Cycle cycle) {
        List<String> pools = cycle.pools();
        return Finding.of(ID, recent)
                .severity(Severity.WARNING)
                .summary(
                        "the workers of %s wait for room in each other's queues: %s in %s a worker exceeded the"
                                + " capacity of this pool or ran its task itself, because no other worker could have made"
                                + " room",
                        enumerated(pools), Counted.of(cycle.broken(), "time"), Units.time(recent.seconds()))
                .advice("Tasks of these pools submit to each other, so each pool waits for the others when all are"
                        + " full. Limit how many tasks enter the cycle, where they come from outside, or give"
                        + " the stages"
                        + " that lead back a pool of their own. Larger queues only postpone it.")
                .evidence("cycle", String.join(", ", pools))
                .evidence("capacityExceeded", cycle.broken())
                .evidence("queued", recent.after().queued())
                .build();
    }

    private static Verdict explain(PoolWindow window, Judgement judgement) {
        List<Share> waiting = judgement.group().orElseThrow().shares();
        List<String> pools = new ArrayList<>();
        Estimate queued = Estimate.ZERO;
        for (Share share : waiting) {
            String pool = pool(share).orElse("");
            if (!pool.isEmpty() && !pools.contains(pool)) {
                pools.add(pool);
            }
            queued = isQueued(share) ? queued.plus(share.workers()) : queued;
        }
        if (pools.isEmpty()) {
            return judgement.standsStill() && Bottlenecks.circle(window).isEmpty()
                    ? Verdict.clear() // what stands-still says
                    : Verdict.found(unknownProvider(window, waiting));
        }
        List<String> cycle = List.of();
        for (int i = 0; i < pools.size() && cycle.isEmpty(); i++) {
            cycle = path(window, pools.get(i), window.pool(), new TreeSet<>());
        }
        return cycle.isEmpty() && queued.low() < judgement.threshold()
                ? Limits.fewerThan(judgement.threshold(), queued, window) // a hand-over that moves
                : Verdict.found(finding(window, pools, waiting, cycle));
    }

    private static Finding unknownProvider(PoolWindow window, List<Share> waiting) {
        int workers = window.after().size();
        Map<String, Integer> busyThreads = window.busyThreads();
        String others = busyThreads.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(pool -> pool.getValue() == 1
                        ? "thread " + pool.getKey()
                        : Units.format("all %d threads of %s", pool.getValue(), pool.getKey()))
                .collect(Collectors.joining(" and "));
        Finding.Builder finding = Finding.of(ID, window)
                .evidence("waitingWorkers", WaitingWorkers.sum(waiting).value())
                .evidence("workers", workers);
        if (window.countsQueue()) {
            finding.evidence("queued", window.after().queued());
        } else {
            finding.severity(Severity.INFO); // that tasks wait is a guess
        }
        Places.add(finding, waiting);
        String who = who(waiting, workers);
        Set<String> circle = Bottlenecks.circle(window);
        if (!circle.isEmpty()) {
            String beginning = NothingMoves.mark(
                    finding, window, Standstill.stoodStill(window).orElse(Duration.ZERO));
            return circle(finding, beginning + who, circle);
        }
        Optional<FullLender> full = FullLender.now();
        if (full.isPresent()) {
            return full.get()
                    .add(finding)
                    .summary(
                            "%s wait for results, and meanwhile %s",
                            who, full.get().summary())
                    .advice(
                            "The results probably come over these connections. More workers only lengthen the queue for"
                                    + " them. Raise their limit (%s), or use them for a shorter time.",
                            full.get().setting())
                    .build();
        }
        if (others.isEmpty()) {
            return finding.summary("%s wait for results; it is unknown which threads provide them", who)
                    .advice("Look at what completes these results. Whether more workers here help is unknown: try a few"
                            + " more, and go back if each wait gets longer. If tasks of this pool complete them, as in a"
                            + " cache that loads on the pool that waits for it, give those tasks a pool of their own, or"
                            + " continue with thenCompose or thenCombine instead of waiting.")
                    .build();
        }
        return finding.evidence("busyThreads", String.join(", ", new TreeSet<>(busyThreads.keySet())))
                .summary(
                        "%s wait for results; it is unknown which threads provide them, but %s %s busy all the time",
                        who, others, busyThreads.size() == 1 && busyThreads.containsValue(1) ? "is" : "are")
                .advice("Look at these threads first: more workers here only make their queue longer. If they provide"
                        + " the results, give them more threads where what they wait for can take it, or ask them less"
                        + " often. Or continue with thenCompose or thenCombine instead of waiting.")
                .build();
    }

    private static Finding circle(Finding.Builder finding, String who, Set<String> circle) {
        List<String> pools = circle.stream().sorted().toList();
        return finding.summary(
                        "%s wait for results of tasks that only %s can have, and all workers of these pools wait like"
                                + " that: nothing will ever run again",
                        who, enumerated(pools))
                .advice(BREAK_THE_CYCLE)
                .evidence("cycle", String.join(", ", pools))
                .evidence("deadlock", true)
                .build();
    }

    private static String enumerated(List<String> pools) {
        int last = pools.size() - 1;
        return last == 0 ? pools.get(0) : String.join(", ", pools.subList(0, last)) + " and " + pools.get(last);
    }

    private static String who(List<Share> waiting, int workers) {
        String places = Places.clause(waiting, workers);
        return places.isEmpty()
                ? Places.count(WaitingWorkers.sum(waiting).value()) + " of " + Counted.of(workers, "worker")
                : places + " and";
    }

    private static Optional<String> pool(Share share) {
        return share.awaited().orElse(null) instanceof Awaited.Result result ? result.pool() : Optional.empty();
    }

    private static boolean isQueued(Share share) {
        return share.awaited().orElse(null) instanceof Awaited.Result result && result.queued();
    }

    /** The pools from one to another, both included, of which each waits for the next; empty when there is no way. */
    private static List<String> path(PoolWindow window, String from, String to, Set<String> seen) {
        if (from.equals(to)) {
            return List.of(to);
        }
        seen.add(from);
        for (String next : new TreeSet<>(window.waitsOfOthers().getOrDefault(from, Set.of()))) {
            List<String> rest = seen.contains(next) ? List.of() : path(window, next, to, seen);
            if (!rest.isEmpty()) {
                List<String> all = new ArrayList<>(List.of(from));
                all.addAll(rest);
                return all;
            }
        }
        return List.of();
    }

    private static Finding finding(PoolWindow window, List<String> pools, List<Share> waiting, List<String> cycle) {
        String awaited = cycle.isEmpty() ? String.join(" and ", pools) : cycle.get(0);
        PoolWindow recent = window.last(Thresholds.DEADLOCK_SECONDS);
        boolean standsStill = !cycle.isEmpty()
                && recent.countsTasks()
                && recent.completed() == 0
                && recent.lasts(window.threshold(Thresholds.DEADLOCK_SECONDS));
        int workers = window.after().size();
        double waiters = WaitingWorkers.sum(waiting).value();
        String who = who(waiting, workers);
        Finding.Builder finding = Finding.of(ID, window)
                .severity(standsStill ? Severity.CRITICAL : Severity.WARNING)
                .evidence("waitingWorkers", waiters)
                .evidence("workers", workers)
                .evidence("awaitedPool", awaited)
                .evidence("deadlock", standsStill);
        Places.add(finding, waiting);
        if (cycle.isEmpty()) {
            return finding.summary("%s wait for results of tasks that sit in the queue of %s", who, awaited)
                    .advice(
                            "Look at %s first: its findings say what it lacks. More workers here only lengthen its"
                                    + " queue. Or continue with thenCompose or thenCombine instead of waiting.",
                            awaited)
                    .build();
        }
        String text = window.pool() + " → " + String.join(" → ", cycle);
        return finding.summary(
                        "%s wait for results of %s, which waits for this pool (%s)%s",
                        who, awaited, text, standsStill ? ": nothing will ever run again" : "")
                .advice(BREAK_THE_CYCLE)
                .evidence("cycle", text)
                .build();
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        return Suspicion.workersWait(window) ? Set.of(Evidence.STACKS) : Set.of();
    }
}
