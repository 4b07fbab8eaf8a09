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
 * The way around all pools under watch: closes their windows, collects the evidence that was asked for, asks the rules,
 * and keeps the findings. Rounds and glances are made by one thread; pools are added by any.
 */
final class MonitorRound {

    private final MonitorSettings settings;
    private final MonitorClock clock;
    private final EvidenceSources sources;
    private final Guard guard = new Guard();
    private final RuleBook rules;
    private final FindingListener audience;
    private final Disturbances disturbances = new Disturbances();
    private final EventLoops eventLoops = new EventLoops();
    private final Map<EventLoopWatch, FindingLedger> loopLedgers =
            new ConcurrentHashMap<>(); // written by the monitor's thread only
    private final CopyOnWriteArrayList<PoolWatch> watches = new CopyOnWriteArrayList<>();
    private final Queue<PoolWatch> left = new ConcurrentLinkedQueue<>(); // at the end, by whoever ended it
    private boolean ended; // guarded by watches
    private int first; // whose turn it is to be first at the evidence

    MonitorRound(MonitorSettings settings, MonitorClock clock, EvidenceSources sources, FindingListener log) {
        this.settings = settings;
        this.clock = clock;
        this.sources = sources;
        this.rules = new RuleBook(settings, guard);
        this.audience = new Listeners(log, settings, guard);
    }

    /**
     * Watches a pool from now on; nothing happens if it is being watched, or after the {@linkplain #end() end}. Any
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

    /** Finds the rules that come with the library, and users', unless that has been done. Any thread. */
    void findRules() {
        rules.find();
    }

    /** Refuses the key of a threshold that no rule has. Any thread. */
    void checkThreshold(String key, double value) {
        rules.checkThreshold(key, value);
    }

    /** The wanted name, with a number where another pool has it. Any thread. */
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

    /** Those of pools that have not ended since the last round. Any thread. */
    Stream<PoolWatch> present() {
        return watches.stream().filter(watch -> !isGone(watch));
    }

    /** A user's pool that throws when it is asked has not ended as far as anybody knows, and hides no other. */
    private boolean isGone(PoolWatch watch) {
        Object executor = watch.source().executor();
        return executor == null || guard.call(executor, false, watch.source()::isGone);
    }

    /** Findings of all pools that have not ended, and of event loops, that are raised. Any thread. */
    Stream<Finding> findings() {
        return Stream.concat(present().map(PoolWatch::ledger), loopLedgers.values().stream())
                .flatMap(ledger -> ledger.raised().stream());
    }

    /** Watches no pool any more, for good; what was said of them is over with the next {@link #rest()}. Any thread. */
    void end() {
        synchronized (watches) {
            ended = true;
            left.addAll(watches);
            watches.clear();
        }
    }

    /** To be called by the thread that is going to make the rounds. */
    void begin() {
        sources.budget().begin();
        sources.process().advance(Duration.ZERO);
    }

    /**
     * Closes the windows of all pools, and begins the next ones.
     *
     * @param late how much of the time since the last round the thread was kept from making this one
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
     * Nobody looks at event loops from here on until there is a pool again, and a rule for them: what was said of them
     * holds no longer.
     */
    void rest() {
        for (PoolWatch watch = left.poll(); watch != null; watch = left.poll()) {
            FindingLedger ledger = watch.ledger();
            guard.run(watch, () -> ledger.end(id -> true, audience));
        }
        eventLoops.watches().forEach(EventLoopWatch::forget);
        loopLedgers.values().forEach(ledger -> guard.run(ledger, () -> ledger.end(id -> true, audience)));
        loopLedgers.clear();
        eventLoops.removeDead();
    }

    /** Whether somebody wants to see stacks. */
    boolean wantsGlances() {
        return eventLoops.isSuspected() || watches.stream().anyMatch(watch -> watch.wants(Evidence.STACKS));
    }

    /** Looks at the stacks of those pools of which somebody wants to see them. */
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
                ledger.enter(rules.examine(window), audience);
            }
            ledger.end(settings::isOff, audience);
        }
        for (EventLoopWatch dead : eventLoops.removeDead()) {
            FindingLedger ledger = loopLedgers.remove(dead);
            if (ledger != null) {
                ledger.end(id -> true, audience);
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
            watch.ledger().end(settings::isOff, audience);
        } finally {
            if (state == PoolState.TERMINATED || isGone(watch)) {
                leave(watch); // also one that cannot be read any more: it would be watched for ever
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
            watch.ledger().enter(rules.examine(window), standsFor(window), audience);
        }
        // Also of a pool that is not judged yet, so that what is known of its first judged window is complete.
        boolean already = watch.wants(Evidence.WORKERS);
        watch.wants(rules.needs(window));
        if (watch.wants(Evidence.WORKERS) && !already) {
            watch.times().read(workers); // to compare with
            sources.sayIfUnknown(workers, watch.times());
        }
    }

    /**
     * A monitor that comes late, as it does where threads queue for the CPU, makes fewer and longer windows of the same
     * time.
     */
    private int standsFor(PoolWindow window) {
        return (int) Math.max(
                1,
                Math.round(
                        (double) window.length().toNanos() / settings.window().toNanos()));
    }

    /** A task has not been running while everything stood still. */
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
        watch.ledger().end(id -> true, audience);
        watches.remove(watch);
    }

    /** What all windows of one round have in common. */
    private record Round(ProcessWindow process, boolean disturbed, Map<String, Double> thresholds) {}
}
