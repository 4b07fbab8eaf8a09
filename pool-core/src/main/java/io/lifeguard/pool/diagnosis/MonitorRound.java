package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.evidence.Disturbances;
import io.lifeguard.pool.diagnosis.evidence.EventLoopWatch;
import io.lifeguard.pool.diagnosis.evidence.EventLoops;
import io.lifeguard.pool.diagnosis.evidence.EvidenceSources;
import io.lifeguard.pool.diagnosis.evidence.MonitorClock;
import io.lifeguard.pool.diagnosis.external.PoolSource;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Stream;

/**
 * Makes the rounds over all watched pools: closes their windows, collects the requested evidence, asks the rules, and
 * keeps the findings. One thread makes the rounds and glances; any thread may add pools.
 */
final class MonitorRound {

    /*
     * Windows, ledgers and evidence belong to the monitor's thread. Other threads only add pools, end the watch, and
     * read raised findings, which are published as immutable lists. Adding checks for duplicates and for the end under
     * the lock of watches. So no pool is watched twice, and none is watched after the end. end() moves the watches to
     * left in the same step, so that the monitor's thread resolves their findings itself: a ledger has one writer. Each
     * pool is visited under a guard, so that one that throws does not stop the others. The first pool changes from
     * round to round, because the budget for evidence may not suffice for all.
     */

    private final MonitorSettings settings;
    private final MonitorClock clock;
    private final EvidenceSources sources;
    private final Guard guard = new Guard();
    private final RuleBook rules;
    private final FindingListener listeners;
    private final Disturbances disturbances = new Disturbances();
    private final EventLoops eventLoops = new EventLoops();

    // single writer: the monitor's thread; readers may lag by one window
    private final Map<EventLoopWatch, FindingLedger> loopLedgers = new ConcurrentHashMap<>();

    // added to under its own lock; the monitor's thread removes; readers may see a pool that has just ended
    private final CopyOnWriteArrayList<PoolWatch> watches = new CopyOnWriteArrayList<>();

    // filled once by the thread that ends the watch, emptied by the monitor's thread
    private final Queue<PoolWatch> left = new ConcurrentLinkedQueue<>();

    private boolean ended; // guarded by watches; from false to true
    private int first; // confined to the monitor's thread: the pool that gets its evidence first

    MonitorRound(MonitorSettings settings, MonitorClock clock, EvidenceSources sources, FindingListener log) {
        this.settings = settings;
        this.clock = clock;
        this.sources = sources;
        this.rules = new RuleBook(settings, guard);
        this.listeners = new Listeners(log, settings, guard);
    }

    /**
     * Watches a pool from now on. Has no effect if it is being watched, or after the {@linkplain #end() end}. Any
     * thread.
     */
    void add(PoolSource source, String name) {
        Object executor = source.executor();
        synchronized (watches) {
            if (!ended && executor != null && watches.stream().noneMatch(watch -> watch.isOf(executor))) {
                watches.add(new PoolWatch(source, name, sources.workerTimes(clock)));
            }
        }
    }

    RuleBook rules() {
        return rules;
    }

    /** {@return the wanted name, with a number where another pool has it} Any thread. */
    String freeName(String wanted) {
        String name = wanted;
        for (int n = 2; isTaken(name); n++) {
            name = wanted + "#" + n;
        }
        return name;
    }

    private boolean isTaken(String name) {
        return present().anyMatch(watch -> watch.name().equals(name));
    }

    /** Any thread. */
    boolean hasNothingToDo() {
        return watches.isEmpty();
    }

    /** Any thread. */
    List<PoolWatch> watches() {
        return watches;
    }

    /** {@return the watches of pools that have not ended since the last round} Any thread. */
    Stream<PoolWatch> present() {
        return watches.stream().filter(watch -> !isGone(watch));
    }

    /** A user's pool that throws when it is asked counts as alive, and does not hide others. */
    private boolean isGone(PoolWatch watch) {
        Object executor = watch.source().executor();
        return executor == null || guard.call(executor, false, watch.source()::isGone);
    }

    /** {@return the raised findings of event loops, and of all pools that have not ended} Any thread. */
    Stream<Finding> findings() {
        return Stream.concat(present().map(PoolWatch::ledger), loopLedgers.values().stream())
                .flatMap(ledger -> ledger.raised().stream());
    }

    /** Ends the watch of all pools for good. Their findings are resolved at the next {@link #rest()}. Any thread. */
    void end() {
        synchronized (watches) {
            ended = true;
            left.addAll(watches);
            watches.clear();
        }
    }

    /** Begins to measure. Called by the thread that is going to make the rounds. */
    void begin() {
        sources.budget().begin();
        sources.process().advance(Duration.ZERO);
    }

    /**
     * Closes the windows of all pools, and begins the next ones.
     *
     * @param late how long the thread was stopped since the last round
     */
    void make(Duration late) {
        sources.window(settings.window());
        long nanos = clock.nanoTime();
        ProcessWindow process = disturbances.excused(nanos, sources.process().advance(late));
        boolean disturbed = disturbances.isDisturbed(nanos, clock.now(), process, settings.window());
        Round round = new Round(process, disturbed, Map.copyOf(settings.thresholds()));
        List<PoolWatch> all = List.copyOf(watches);
        first++;
        for (int i = 0; i < all.size(); i++) {
            PoolWatch watch = all.get(Math.floorMod(first + i, all.size()));
            guard.run(watch, () -> visit(watch, round));
        }
        if (!watches.isEmpty() && rules.examineEventLoops()) {
            guard.run(eventLoops, () -> visitEventLoops(round));
        } else {
            rest();
        }
    }

    /**
     * Resolves the findings of event loops and of ended pools. Event loops are not watched again until there is a pool,
     * and a rule for them.
     */
    void rest() {
        for (PoolWatch watch = left.poll(); watch != null; watch = left.poll()) {
            FindingLedger ledger = watch.ledger();
            guard.run(watch, () -> ledger.end(id -> true, listeners));
        }
        eventLoops.watches().forEach(EventLoopWatch::forget);
        loopLedgers.values().forEach(ledger -> guard.run(ledger, () -> ledger.end(id -> true, listeners)));
        loopLedgers.clear();
        eventLoops.removeDead();
    }

    /** {@return whether a rule wants stacks} */
    boolean wantsGlances() {
        return eventLoops.isSuspected() || watches.stream().anyMatch(watch -> watch.wants(Evidence.STACKS));
    }

    /** Samples the stacks of the pools for which a rule wants them. */
    void glance() {
        if (eventLoops.isSuspected() && sources.budget().allows()) {
            guard.run(eventLoops, eventLoops::look);
        }
        for (PoolWatch watch : watches) {
            if (watch.wants(Evidence.STACKS) && sources.budget().allows()) {
                guard.run(watch, () -> sources.budget().spendWallTime(() -> glance(watch)));
            }
        }
    }

    private void visitEventLoops(Round round) {
        eventLoops.round();
        for (EventLoopWatch loop : eventLoops.watches()) {
            FindingLedger ledger = loopLedgers.computeIfAbsent(loop, key -> new FindingLedger());
            PoolWindow window = loop.advance(clock.now())
                    .process(round.process)
                    .thresholds(round.thresholds)
                    .build();
            if (!round.disturbed) {
                ledger.enter(rules.examine(window), 1, listeners);
            }
            ledger.end(settings::isOff, listeners);
        }
        for (EventLoopWatch dead : eventLoops.removeDead()) {
            FindingLedger ledger = loopLedgers.remove(dead);
            if (ledger != null) {
                ledger.end(id -> true, listeners);
            }
        }
    }

    private void glance(PoolWatch watch) {
        InstrumentedPool meter = watch.source().meter();
        if (meter != null) {
            ThreadPoolExecutor executor = watch.source().executor() instanceof ThreadPoolExecutor jdk ? jdk : null;
            sources.stacks().sample(meter.workers(), executor).ifPresent(watch::seen);
        }
    }

    private void visit(PoolWatch watch, Round round) {
        InstrumentedPool meter = watch.source().meter();
        if (meter == null) {
            leave(watch);
            return;
        }
        PoolState state = PoolState.of(watch.source().executor());
        try {
            PoolSnapshot now = meter.snapshot();
            List<WorkerState> workers = meter.workers();
            PoolSnapshot before = watch.advance(now);
            if (before != null) {
                close(watch, builder(watch, before, now, workers).state(state), workers, round);
            }
            watch.ledger().end(settings::isOff, listeners);
        } finally {
            if (state == PoolState.TERMINATED || isGone(watch)) {
                leave(watch); // also one that can no longer be read: it would be watched forever
            }
        }
    }

    private PoolWindow.Builder builder(
            PoolWatch watch, PoolSnapshot before, PoolSnapshot now, List<WorkerState> workers) {
        if (watch.wants(Evidence.WORKERS)) {
            watch.times().read(workers);
        }
        Duration length = Duration.ofNanos(Math.max(0, now.nanoTime() - before.nanoTime()));
        PoolWindow.Builder builder = PoolWindow.between(before, now)
                .end(clock.now())
                .workers(workers.stream()
                        .map(worker -> worker(worker, watch.times().within(worker, length)))
                        .toList());
        watch.takeStacks().ifPresent(builder::stacks);
        return builder;
    }

    private void close(PoolWatch watch, PoolWindow.Builder builder, List<WorkerState> workers, Round round) {
        PoolWindow alone =
                builder.process(round.process).thresholds(round.thresholds).build();
        if (round.disturbed) {
            watch.rememberDisturbed(alone);
            return;
        }
        PoolWindow window = watch.remember(alone);
        if (watch.windowsSeen() > settings.grace()) {
            watch.ledger().enter(rules.examine(window), standsFor(window), listeners);
        }
        // Also for a pool that is not judged yet, so that its first judged window has complete evidence.
        boolean already = watch.wants(Evidence.WORKERS);
        watch.wants(rules.needs(window));
        if (watch.wants(Evidence.WORKERS) && !already) {
            watch.times().read(workers); // the first reading, to compare with
            sources.sayIfUnknown(workers, watch.times());
        }
    }

    /** A late monitor makes fewer and longer windows. It is late where threads queue for the CPU. */
    private int standsFor(PoolWindow window) {
        double windows = (double) window.length().toNanos() / settings.window().toNanos();
        return (int) Math.max(1, Math.round(windows));
    }

    /** A worker, without the time for which everything stood still: its task did not run then. */
    private WorkerWindow worker(WorkerState worker, Optional<ThreadTimes> times) {
        Duration running = worker.runningFor();
        if (!running.isZero()) {
            long now = clock.nanoTime();
            running = running.minus(disturbances.stoodStill(now - running.toNanos(), now));
        }
        Thread thread = worker.thread();
        return new WorkerWindow(thread.getName(), thread.getId(), worker.busy(), worker.kind(), running, times);
    }

    private void leave(PoolWatch watch) {
        watch.ledger().end(id -> true, listeners);
        watches.remove(watch);
    }

    /** What all windows of one round have in common. */
    private record Round(ProcessWindow process, boolean disturbed, Map<String, Double> thresholds) {}
}
