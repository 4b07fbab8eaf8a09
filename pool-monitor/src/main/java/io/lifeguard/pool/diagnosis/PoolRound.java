package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.RejectionReason;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.attention.Attention;
import io.lifeguard.pool.diagnosis.attention.Starvation;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.evidence.stack.StackRounds;
import io.lifeguard.pool.diagnosis.log.LogLines;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.outside.ExternalThreadPool;
import io.lifeguard.pool.diagnosis.seen.Peer;
import io.lifeguard.pool.diagnosis.seen.WaitChain;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/**
 * The part of a round that is about pools: closes their windows, and has them judged. Confined to the monitor's thread.
 */
final class PoolRound implements Peer.All {

    /* Each pool is visited under a guard, so that one that throws does not stop the others. */

    private final Engine engine;
    private final Starvation starvation;
    private final WatchedPools pools;

    private int poolsBefore; // in the round before
    private boolean hasMorePools; // than in the round before
    private long freeHeap; // in this round: bytes that this JVM may still use, where garbage counts as used
    private Map<String, Set<String>> awaitedPools = Map.of(); // for which others each pool's workers waited last

    PoolRound(Engine engine, Starvation starvation, WatchedPools pools) {
        this.engine = engine;
        this.starvation = starvation;
        this.pools = pools;
    }

    void make(Round round) {
        List<PoolWatch> all = pools.answering(pools.inTurn(), true);
        hasMorePools = all.size() > poolsBefore;
        poolsBefore = all.size();
        freeHeap = freeHeap();
        awaitedPools = awaitedPools(all);
        for (PoolWatch watch : all) {
            try {
                visit(watch, round);
            } catch (Throwable e) {
                engine.guard().failed(watch, e);
            }
        }
    }

    private static Map<String, Set<String>> awaitedPools(List<PoolWatch> all) {
        if (all.size() < 2) {
            return Map.of(); // there is no other pool to wait for
        }
        Map<String, Set<String>> awaited = new HashMap<>();
        for (PoolWatch watch : all) {
            List<PoolWindow> windows = watch.attention().sleeps() ? List.of() : watch.windows();
            Set<String> pools = windows.isEmpty() ? Set.of() : Bottlenecks.awaitedPools(windows.get(0));
            if (!pools.isEmpty()) {
                awaited.put(watch.name(), pools);
            }
        }
        return awaited;
    }

    private static long freeHeap() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.maxMemory() - (runtime.totalMemory() - runtime.freeMemory());
    }

    private void visit(PoolWatch watch, Round round) {
        InstrumentedPool meter = watch.source().meter();
        if (meter == null) {
            pools.leave(watch);
            return;
        }
        Object executor = watch.source().executor();
        PoolState state = PoolState.of(executor);
        if (rests(watch, meter, state, round)) {
            return; // a pool that ends just now gets its last window in the next round
        }
        try {
            watch.attention().read(executor);
            PoolSnapshot now = meter.snapshot();
            List<WorkerState> workers = meter.workers();
            PoolSnapshot before = watch.advance(now);
            if (before != null) {
                PoolWindow.Builder window = builder(watch, before, now, workers).state(state);
                close(watch, watch.evidence().close(complete(window, round)), workers, round);
                boolean mayRest = mayRest(watch, meter, state, round);
                if (mayRest) {
                    watch.attention().begin(executor, before, now);
                }
                watch.attention().closed(watch.windows().get(0), mayRest);
            } else {
                watch.readIfMany(now, meter);
            }
            watch.evidence().listed(workers);
            if (watch.attention().sleeps()) {
                watch.evidence().sleeps();
            }
            watch.ledger().endSwitchedOff(engine.settings(), engine.listeners());
        } finally {
            if (state == PoolState.TERMINATED || pools.isGone(watch)) {
                pools.leave(watch); // also one that can no longer be read: it would be watched forever
            }
        }
    }

    private boolean rests(PoolWatch watch, InstrumentedPool meter, PoolState state, Round round) {
        try {
            return sleepsOn(watch, meter, state, round) || goesOn(watch, state, round);
        } catch (Throwable e) {
            engine.guard().failed(watch, e);
            return false;
        }
    }

    /**
     * Whether a pool sleeps on, so that no window is closed. A pool that has woken up gets a window for its sleep, and
     * its next window begins with the moment at which it was last seen asleep.
     */
    private boolean sleepsOn(PoolWatch watch, InstrumentedPool meter, PoolState state, Round round) {
        Attention attention = watch.attention();
        boolean slept = attention.sleeps();
        boolean sleeps = attention.lasts(watch.source().executor());
        boolean maySleep = state == PoolState.RUNNING
                && !round.disturbed()
                && engine.rules().areStandard();
        if (sleeps && maySleep && !hasMorePools && !attention.isLong()) { // more pools may be a leak, judged with one
            watch.evidence().sleeps();
            attention.sleepsOn();
            return true;
        }
        if (sleeps) {
            watch.evidence().sleptThrough(meter, StackRounds.USUAL);
        } else if (slept) {
            watch.evidence().wakes(attention.moments());
        }
        if (!sleeps && attention.nanos() > 0 && !round.disturbed()) {
            closeSleep(watch, round);
        }
        return false;
    }

    private void closeSleep(PoolWatch watch, Round round) {
        PoolSnapshot end = watch.attention().end(Objects.requireNonNull(watch.last()));
        PoolSnapshot before = Objects.requireNonNull(watch.advance(end));
        PoolWindow window = complete(
                PoolWindow.between(before, end)
                        .end(engine.clock().now().minusNanos(System.nanoTime() - end.nanoTime()))
                        .workers(watch.workers()),
                round);
        close(watch, watch.evidence().asleep(window, StackRounds.USUAL), List.of(), round);
    }

    /** Whether the window of a pool that has little to do goes on over this round. */
    private boolean goesOn(PoolWatch watch, PoolState state, Round round) {
        return state == PoolState.RUNNING
                && !round.disturbed()
                && !hasMorePools
                && !watch.wantsAny()
                && watch.attention()
                        .staysLight(watch.source().executor(), watch.evidence().working());
    }

    /** Whether nothing is suspected of a pool, so that it may be looked at more rarely. */
    private boolean mayRest(PoolWatch watch, InstrumentedPool meter, PoolState state, Round round) {
        return meter == watch.source().executor()
                && state == PoolState.RUNNING
                && !round.disturbed()
                && !round.isStarved()
                && engine.rules().areStandard()
                && !watch.wantsAny()
                && watch.ledger().isAtRest();
    }

    private PoolWindow.Builder builder(
            PoolWatch watch, PoolSnapshot before, PoolSnapshot now, List<WorkerState> workers) {
        boolean isWanted = watch.wants(Evidence.WORKERS);
        if (isWanted || watch.evidence().hasWork()) {
            watch.times().read(workers);
        }
        Duration length = Duration.ofNanos(Math.max(0, now.nanoTime() - before.nanoTime()));
        Map<Long, ThreadTimes> times = new HashMap<>();
        List<WorkerWindow> seen = new ArrayList<>(workers.size());
        for (WorkerState worker : workers) {
            Optional<ThreadTimes> known = watch.times().within(worker, length);
            if (known.isPresent()) {
                times.put(worker.thread().getId(), known.get());
            }
            seen.add(worker(worker, isWanted ? known : Optional.empty()));
        }
        watch.evidence().times(times);
        PoolWindow.Builder window =
                PoolWindow.between(before, now).end(engine.clock().now()).workers(watch.workers(seen));
        RejectionReason discards = watch.source() instanceof ExternalThreadPool pool ? pool.discards() : null;
        return discards == null ? window : window.seen(RejectionReason.class, discards);
    }

    private PoolWindow complete(PoolWindow.Builder builder, Round round) {
        return builder.process(round.process())
                .thresholds(round.thresholds())
                .waitsOfOthers(awaitedPools)
                .seen(Peer.All.class, this)
                .freeHeap(OptionalLong.of(freeHeap))
                .build();
    }

    /** The window with what the workers wait for, if the pool has stood still for a while. */
    private PoolWindow withChain(PoolWatch watch, PoolWindow alone) {
        if (!watch.stands(alone)) {
            return alone;
        }
        Optional<WaitChain> chain = engine.guard()
                .call(
                        watch,
                        Optional.<WaitChain>empty(),
                        () -> engine.sources()
                                .chain(
                                        watch.name(),
                                        pools.inTurn().stream()
                                                .filter(pools::mayBeAsked)
                                                .map(PoolWatch::candidate)
                                                .toList()));
        return chain.isEmpty()
                ? alone
                : alone.toBuilder().seen(WaitChain.class, chain.get()).build();
    }

    /** {@return the live pools that answer, and those that are watched from outside} */
    @Override
    public List<Peer> get() {
        List<Peer> peers = new ArrayList<>();
        for (InstrumentedPool pool : Pools.live()) {
            if (!pools.isSilent(pool)) {
                peers.add(Peer.of(pool));
            }
        }
        long now = engine.clock().nanoTime();
        for (PoolWatch watch : pools.all()) {
            if (watch.source() instanceof ExternalPool<?> pool && !watch.isUnread()) {
                boolean isScheduler = pool.executor() instanceof ScheduledExecutorService;
                peers.add(new Peer(watch.name(), isScheduler, new UseSeen(watch, now)));
            }
        }
        return peers;
    }

    private record UseSeen(PoolWatch watch, long nanos) implements Supplier<Peer.Use> {
        @Override
        public Peer.Use get() {
            return watch.useSeen(nanos);
        }
    }

    /** A worker, without the time for which everything stood still: its task did not run then. */
    private WorkerWindow worker(WorkerState worker, Optional<ThreadTimes> times) {
        Duration running = worker.runningFor();
        if (!running.isZero()) {
            long now = engine.clock().nanoTime();
            running = running.minus(engine.disturbances().stoodStill(now - running.toNanos(), now));
        }
        Thread thread = worker.thread();
        return new WorkerWindow(thread.getName(), thread.getId(), worker.busy(), worker.kind(), running, times);
    }

    private void close(PoolWatch watch, PoolWindow seen, List<WorkerState> workers, Round round) {
        PoolWindow alone = withChain(watch, seen);
        Duration usual = engine.settings().window();
        String blind = watch.blindness().closed(alone);
        if (round.disturbed()) {
            watch.diagnosis().enterUnseen(alone, usual, SubjectWindows.STOOD_STILL);
            record(alone, false, blind.isEmpty() ? round.unjudged() : blind);
            return;
        }
        if (watch.mayMiss() && starvation.putsOff(alone)) {
            watch.missed();
            watch.diagnosis().enterUnjudged(alone, usual, RuleBook.STARVED_OF_CPU);
            record(alone, false, blind);
            return;
        }
        starvation.judged();
        watch.judged();
        boolean mayRaise =
                !watch.isYoungerThan(engine.settings().grace(), engine.clock().nanoTime());
        PoolWindow window = watch.diagnosis().enter(alone, usual, mayRaise, round.isStarved());
        boolean withCurve =
                !round.isStarved() || engine.rules().hasAskedAll(); // a first curve costs as much as a few rules
        record(window, withCurve, blind);
        boolean already = watch.wants(Evidence.WORKERS);
        // the monitor looks at no workers of an executor with a thread per task, so evidence about them never comes
        watch.wants(
                Attention.hasThreadPerTask(watch.source().executor())
                        ? Set.of()
                        : engine.rules().needs(window));
        if (watch.wants(Evidence.WORKERS) && !already) {
            watch.times().read(workers); // the first reading, to compare with
            String line = engine.sources().blindness(workers, watch.times()).orElse("");
            if (!line.isEmpty()) {
                LogLines.MONITOR.write(log -> log.info(line));
            }
        }
    }

    private void record(PoolWindow window, boolean withCurve, String blind) {
        try {
            engine.recorder().window(window, withCurve, blind);
        } catch (Throwable e) {
            engine.guard().failed(engine.recorder(), e);
        }
    }
}
