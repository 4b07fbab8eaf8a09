package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.evidence.AwaitedTasks;
import io.lifeguard.pool.diagnosis.evidence.Disturbances;
import io.lifeguard.pool.diagnosis.evidence.EvidenceBudget;
import io.lifeguard.pool.diagnosis.evidence.EvidenceSources;
import io.lifeguard.pool.diagnosis.evidence.MonitorClock;
import io.lifeguard.pool.diagnosis.evidence.PoolEvidence;
import io.lifeguard.pool.diagnosis.evidence.StackRounds;
import io.lifeguard.pool.diagnosis.external.ExternalPools;
import io.lifeguard.pool.diagnosis.external.PoolSource;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Peer;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import io.lifeguard.pool.recording.JudgedWindow;
import io.lifeguard.pool.recording.JudgedWindow.Entry;
import io.lifeguard.pool.recording.LiveSink;
import io.lifeguard.pool.recording.Recorder;
import io.lifeguard.pool.recording.RoundListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the rounds over all watched pools: closes their windows, collects the requested evidence, asks the rules, and
 * keeps the findings. One thread makes the rounds and glances; any thread may add pools.
 */
final class MonitorRound {

    /*
     * Windows, ledgers and evidence belong to the monitor's thread. Other threads only add pools, end the watch, and
     * read raised findings, which are published as immutable lists. Adding checks for duplicates and for the end under
     * the lock of watches. So no pool is watched twice, and none is watched after the end. end() moves the watches to
     * left in the same step, so that the monitor's thread ends their findings itself: a ledger has one writer. Each
     * pool is visited under a guard, so that one that throws does not stop the others. The first pool changes from
     * round to round, because the budget for evidence may not suffice for all.
     */

    /** A quarter of the usual window. */
    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(250);

    /** Ten seconds: a program that ends after two, and one whose code is still being compiled, are seen in detail. */
    private static final Duration YOUTH = Duration.ofSeconds(10);

    /** While windows are shorter than usual, rounds may use 1 % of a core: about half of what evidence may cost. */
    private static final int ROUNDS_AFFORDED = 100;

    /** In CPU time: the first rounds load classes, and are interpreted at 5 to 12 ms each, which is free once. */
    private static final long WARM_UP = TimeUnit.MILLISECONDS.toNanos(600);

    /**
     * The thread is starved when it was late for half a window: with 120 computing threads on two CPUs its fair share
     * is 1.7 % of a core, which it gets in slices 180 ms apart. Each look at stacks stops all threads, and may wait for
     * as long until they go on.
     */
    private static final double STARVED = 0.5;

    /**
     * A starved thread that has used 20 ms of CPU in a round asks no more rules in it: at a fair share of 1.7 % of a
     * core these take a second, and the window must end. One pool is judged in any case. In a young JVM the round alone
     * takes as long.
     */
    private static final long MOST_IN_STARVED_ROUND = TimeUnit.MILLISECONDS.toNanos(20);

    /** A quarter of a second is between the moments of a usual window at which a sleeping pool may wake up. */
    private static final int LOOKS_AT_SLEEPERS = 4;

    static final String SWITCHED_OFF = "it was switched off";

    private final MonitorSettings settings;
    private final MonitorClock clock;
    private final EvidenceSources sources;
    private final Function<PoolWindow, Bottleneck> limits;
    private final Guard guard = new Guard();
    private final RuleBook rules;
    private final FindingListener listeners;
    private final RoundRecorder recorder;
    private final Disturbances disturbances = new Disturbances();
    private final EventLoopRound eventLoops;
    private final VirtualThreadRound virtualThreads;

    // added to under its own lock; the monitor's thread removes; readers may see a pool that has just ended
    private final CopyOnWriteArrayList<PoolWatch> watches = new CopyOnWriteArrayList<>();

    // filled once by the thread that ends the watch, emptied by the monitor's thread
    private final Queue<PoolWatch> left = new ConcurrentLinkedQueue<>();

    // Pools that have terminated since the last round. Held, so that none is collected before its last window is
    // closed. Added to by any thread, emptied by the monitor's thread.
    private final Queue<Object> departed = new ConcurrentLinkedQueue<>();

    private volatile boolean ended; // written under the lock of watches; from false to true

    // Confined to the monitor's thread.
    private int first; // the pool that gets its evidence first
    private long roundCpuNanos; // CPU time of the latest rounds, in the mean
    private long allRoundsCpuNanos; // CPU time of all rounds
    private boolean isStarved; // in the latest window
    private int poolsBefore; // in the round before
    private int momentsPerSleeper = 1; // it is asked in one of so many whether something has happened
    private boolean hasJudged; // a pool, in this round
    private boolean isSpent; // the budget for evidence, after the latest round; a window keeps its length meanwhile
    private boolean seeksRoundListeners; // set before the thread starts
    private List<RoundListener> roundListeners = List.of();
    private @Nullable PoolWatch commonPool; // watched without having been asked for

    MonitorRound(MonitorSettings settings, MonitorClock clock, EvidenceSources sources, FindingListener log) {
        this(settings, clock, sources, log, window -> Bottleneck.UNKNOWN, new Recorder(LiveSink.NONE));
    }

    /**
     * Makes rounds that have not begun.
     *
     * @param limits what limits a pool's throughput, as one window with its history shows it
     * @param recorder records what the rounds see
     */
    MonitorRound(
            MonitorSettings settings,
            MonitorClock clock,
            EvidenceSources sources,
            FindingListener log,
            Function<PoolWindow, Bottleneck> limits,
            Recorder recorder) {
        this.limits = limits;
        this.recorder = new RoundRecorder(recorder, clock);
        this.settings = settings;
        this.clock = clock;
        this.sources = sources;
        this.rules = new RuleBook(settings, guard);
        if (!settings.discoversRules()) {
            rules.choose(); // otherwise the thread that makes the first pool would pay for finding them
        }
        BlackBoxWriter blackBox = new BlackBoxWriter(settings, recorder, clock);
        this.listeners = new Listeners(List.of(log, this.recorder, blackBox), settings, guard);
        this.eventLoops = new EventLoopRound(settings, clock, guard, rules, listeners, this.recorder);
        this.virtualThreads = new VirtualThreadRound(settings, clock, guard, rules, listeners);
    }

    /**
     * Watches a pool from now on. Has no effect if it is being watched, or after the {@linkplain #end() end}. Any
     * thread.
     */
    void add(PoolSource source, String name) {
        Object executor = source.executor();
        synchronized (watches) {
            if (!ended && executor != null && watches.stream().noneMatch(watch -> watch.isOf(executor))) {
                PoolEvidence evidence = sources.evidence(name, clock);
                evidence.recordTo(recorder.recorder());
                watches.add(new PoolWatch(
                        source,
                        name,
                        sources.workerTimes(clock),
                        evidence,
                        new PoolDiagnosis(rules, guard, limits, listeners),
                        clock.nanoTime()));
            }
        }
    }

    /** Keeps a watched pool that has terminated from being collected before its last window is closed. Any thread. */
    void terminated(Object executor) {
        if (watches.stream().anyMatch(watch -> watch.isOf(executor))) {
            departed.add(executor);
        }
    }

    /**
     * {@return how long the present window is meant to be}
     *
     * <p>It is short while a pool is young and works, or a finding is suspected. It is never so short that the rounds alone use
     * more than 1 % of a core, the first ones apart. It is never short while this thread is starved, or while the
     * budget is spent: more rounds without evidence decide nothing, and keep evidence away for longer.
     */
    Duration length() {
        Duration usual = settings.window();
        long afforded = allRoundsCpuNanos < WARM_UP ? 0 : ROUNDS_AFFORDED * roundCpuNanos;
        long least = Math.max(SHORTEST, afforded);
        boolean isShort = least < usual.toNanos() && !isStarved && !isSpent && wantsShortWindows();
        return isShort ? Duration.ofNanos(least) : usual;
    }

    private boolean wantsShortWindows() {
        long now = clock.nanoTime();
        for (PoolWatch watch : watches) {
            boolean isYoung = watch.isYoungerThan(YOUTH, now) && !watch.isCalm();
            if (isYoung || watch.ledger().isUndecided()) {
                return true;
            }
        }
        return eventLoops.isUndecided() || virtualThreads.isUndecided();
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

    /**
     * Watches the common fork-join pool while it has threads and another pool is watched. Alone it would keep the
     * monitor's thread from ending. One that a user watches is left alone. The monitor's thread only.
     */
    void watchCommonPool() {
        ForkJoinPool common = ForkJoinPool.commonPool();
        boolean isAlone = watches.stream().allMatch(watch -> watch.isOf(common));
        if (isAlone && commonPool != null) {
            leave(commonPool);
            commonPool = null;
        } else if (!isAlone && commonPool == null && common.getPoolSize() > 0) {
            String name = freeName("ForkJoinPool.commonPool");
            add(ExternalPools.of(common, name), name);
            commonPool = watches.stream()
                    .filter(watch -> watch.isOf(common) && watch.name().equals(name))
                    .findFirst()
                    .orElse(null);
        }
    }

    /** {@return whether there is neither a pool nor an event loop, nor time left to look for one} Any thread. */
    boolean hasNothingToDo() {
        return watches.isEmpty() && (ended || !eventLoops.isSearching());
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

    /** {@return the raised findings of all pools that have not ended, event loops and carriers} Any thread. */
    Stream<Finding> findings() {
        return Stream.of(
                        present().flatMap(watch -> watch.ledger().raised().stream()),
                        eventLoops.findings(),
                        virtualThreads.findings())
                .flatMap(each -> each);
    }

    /** Ends the watch of all pools for good. Their findings end at the next {@link #rest()}. Any thread. */
    void end() {
        synchronized (watches) {
            ended = true;
            left.addAll(watches);
            watches.clear();
        }
    }

    /** Tells listeners of rounds from the first round on. Before the thread starts. */
    void findRoundListeners() {
        seeksRoundListeners = true;
    }

    private void tellRoundListeners() {
        if (seeksRoundListeners) {
            seeksRoundListeners = false;
            roundListeners =
                    guard.loadAll(ServiceLoader.load(RoundListener.class, MonitorRound.class.getClassLoader()));
        }
        roundListeners.forEach(listener -> guard.run(listener, listener::roundEnded));
    }

    /** Begins to measure. Called by the thread that is going to make the rounds. */
    void begin() {
        guard.run(recorder, recorder::advance);
        sources.budget().begin();
        sources.process().advance(Duration.ZERO);
    }

    /**
     * Closes the windows of all pools, and begins the next ones.
     *
     * @param late how long the thread was stopped since the last round
     */
    void make(Duration late) {
        sources.budget().window(settings.window());
        long cpu = EvidenceBudget.cpuOfThisThread();
        rules.choose();
        guard.run(recorder, recorder::advance);
        int gone = departed.size();
        Duration planned = length();
        isStarved = late.toNanos() >= STARVED * planned.toNanos();
        long nanos = clock.nanoTime();
        ProcessWindow process = disturbances.excused(nanos, sources.process().advance(late));
        boolean disturbed = disturbances.isDisturbed(nanos, clock.now(), process, planned);
        List<PoolWatch> all = List.copyOf(watches);
        boolean hasMorePools = all.size() > poolsBefore;
        poolsBefore = all.size();
        Round round = new Round(
                process,
                disturbed,
                hasMorePools,
                isStarved ? cpu + MOST_IN_STARVED_ROUND : Long.MAX_VALUE,
                freeHeap(),
                Map.copyOf(settings.thresholds()),
                awaitedPools(all));
        first++;
        hasJudged = false;
        for (int i = 0; i < all.size(); i++) {
            PoolWatch watch = all.get(Math.floorMod(first + i, all.size()));
            guard.run(watch, () -> visit(watch, round));
        }
        for (int i = 0; i < gone; i++) {
            departed.poll(); // not before all were visited
        }
        if (ended) {
            rest();
        } else {
            eventLoops.make(round, isStarved, !watches.isEmpty());
            virtualThreads.make(round);
        }
        tellRoundListeners();
        long used = Math.max(0, EvidenceBudget.cpuOfThisThread() - cpu);
        roundCpuNanos = (3 * roundCpuNanos + used) / 4;
        allRoundsCpuNanos += used;
        isSpent = !sources.budget().allows();
    }

    /** Ends the findings of event loops, and of the pools that were left when the watch ended. */
    void rest() {
        for (PoolWatch watch = left.poll(); watch != null; watch = left.poll()) {
            FindingLedger ledger = watch.ledger();
            guard.run(watch, () -> ledger.end(id -> true, "the monitor was closed", listeners));
        }
        eventLoops.rest();
        virtualThreads.rest();
    }

    /** Tells the listeners of rounds that the monitor's thread ends. No thread may make rounds meanwhile. */
    void tellOfEnd() {
        for (RoundListener listener : roundListeners) {
            guard.run(listener, listener::watchEnded);
        }
    }

    /** Logs a failure of the monitor's own code, unless one has been logged before. The monitor's thread only. */
    void report(Throwable failure) {
        guard.failed(this, failure);
    }

    /** {@return at how many moments of this window workers are looked at} */
    int looks() {
        boolean isAllAsleep = isAllAsleep();
        momentsPerSleeper = isAllAsleep ? 1 : StackRounds.USUAL / LOOKS_AT_SLEEPERS;
        return isAllAsleep ? LOOKS_AT_SLEEPERS : StackRounds.USUAL;
    }

    private boolean isAllAsleep() {
        for (PoolWatch watch : watches) {
            if (!watch.sleep().sleeps()) {
                return false;
            }
        }
        return !eventLoops.isUndecided() && !virtualThreads.isUndecided();
    }

    /**
     * Looks at the workers of all pools, whatever was spent. Takes stacks as far as the budget allows, and a few to name
     * new groups of workers.
     */
    void glance() {
        guard.run(recorder, recorder.recorder()::collect);
        virtualThreads.glance();
        if (sources.budget().allows()) {
            eventLoops.glance();
        }
        List<PoolWatch> all = List.copyOf(watches);
        int suspected = 0;
        int others = 0;
        for (PoolWatch watch : all) {
            boolean isSuspected = watch.wants(Evidence.STACKS);
            suspected += isSuspected ? 1 : 0;
            others += !isSuspected && watch.evidence().hasWork() ? 1 : 0;
        }
        sources.share(suspected, others);
        List<AwaitedTasks.Candidate> candidates = new ArrayList<>(all.size());
        for (PoolWatch watch : all) {
            candidates.add(watch.candidate());
        }
        AwaitedTasks tasks = new AwaitedTasks(candidates);
        first++;
        for (int i = 0; i < all.size(); i++) {
            PoolWatch watch = all.get(Math.floorMod(first + i, all.size()));
            guard.run(watch, () -> glance(watch, tasks));
        }
    }

    /** {@return for which pools the workers of each pool waited in its latest window} */
    private static Map<String, Set<String>> awaitedPools(List<PoolWatch> all) {
        Map<String, Set<String>> awaited = new HashMap<>();
        for (PoolWatch watch : all) {
            List<PoolWindow> windows = watch.sleep().sleeps() ? List.of() : watch.windows();
            Set<String> pools = windows.isEmpty() ? Set.of() : Bottlenecks.awaitedPools(windows.get(0));
            if (!pools.isEmpty()) {
                awaited.put(watch.name(), pools);
            }
        }
        return awaited;
    }

    private void glance(PoolWatch watch, AwaitedTasks tasks) {
        InstrumentedPool meter = watch.source().meter();
        if (meter != null && !staysAsleep(watch)) {
            if (watch.isUnread()) {
                PoolSnapshot now = meter.snapshot();
                watch.advance(now); // its first window begins now
                readIfMany(watch, now, meter);
            }
            watch.evidence().look(meter, watch.wants(Evidence.STACKS), watch.isWaitedFor(), tasks);
        }
    }

    /** Whether nothing happens in a pool that sleeps. Otherwise it is looked at now, and at each moment from now on. */
    private boolean staysAsleep(PoolWatch watch) {
        Sleep sleep = watch.sleep();
        if (!sleep.sleeps()) {
            return false;
        }
        Object executor = watch.source().executor();
        int moments = sleep.moment();
        if (moments % momentsPerSleeper != 0 || sleep.lasts(executor)) {
            return true;
        }
        watch.evidence().wakes(moments - momentsPerSleeper);
        return false;
    }

    /** Where more workers than CPUs are busy at first sight, the first window shall tell how long they wait for one. */
    private static void readIfMany(PoolWatch watch, PoolSnapshot now, InstrumentedPool meter) {
        if (now.active() > Runtime.getRuntime().availableProcessors()) {
            watch.wants(Set.of(Evidence.WORKERS));
            watch.times().read(meter.workers());
        }
    }

    private void visit(PoolWatch watch, Round round) {
        InstrumentedPool meter = watch.source().meter();
        if (meter == null) {
            leave(watch);
            return;
        }
        Object executor = watch.source().executor();
        PoolState state = PoolState.of(executor);
        if (guard.call(watch, false, () -> sleepsOn(watch, meter, state, round) || goesOn(watch, state, round))) {
            return; // a pool that ends just now gets its last window in the next round
        }
        try {
            watch.sleep().read(executor);
            PoolSnapshot now = meter.snapshot();
            List<WorkerState> workers = meter.workers();
            PoolSnapshot before = watch.advance(now);
            if (before != null) {
                PoolWindow.Builder window = builder(watch, before, now, workers).state(state);
                close(watch, watch.evidence().close(complete(window, round)), workers, round);
                boolean mayRest = mayRest(watch, meter, state, round);
                if (mayRest) {
                    watch.sleep().begin(executor, before, now);
                }
                watch.lightLoad()
                        .closed(
                                watch.windows().get(0),
                                mayRest && !watch.sleep().sleeps());
            } else {
                readIfMany(watch, now, meter);
            }
            watch.evidence().listed(workers);
            if (watch.sleep().sleeps()) {
                watch.evidence().sleeps();
            }
            watch.ledger().end(settings::isOff, SWITCHED_OFF, listeners);
        } finally {
            if (state == PoolState.TERMINATED || isGone(watch)) {
                leave(watch); // also one that can no longer be read: it would be watched forever
            }
        }
    }

    /**
     * Whether a pool sleeps on, so that no window is closed. A pool that has woken up gets a window for its sleep, and
     * its next window begins with the moment at which it was last seen asleep.
     */
    private boolean sleepsOn(PoolWatch watch, InstrumentedPool meter, PoolState state, Round round) {
        Sleep sleep = watch.sleep();
        boolean slept = sleep.sleeps();
        boolean sleeps = sleep.lasts(watch.source().executor());
        boolean maySleep = state == PoolState.RUNNING && !round.disturbed && rules.areStandard();
        if (sleeps && maySleep && !round.hasMorePools && !sleep.isLong()) { // more pools may be a leak, judged with one
            watch.evidence().sleeps();
            sleep.goesOn();
            return true;
        }
        if (sleeps) {
            watch.evidence().sleptThrough(meter, StackRounds.USUAL);
        } else if (slept) {
            watch.evidence().wakes(sleep.moments());
        }
        if (!sleeps && sleep.nanos() > 0 && !round.disturbed) {
            closeSleep(watch, round);
        }
        return false;
    }

    private void closeSleep(PoolWatch watch, Round round) {
        PoolSnapshot end = watch.sleep().end(Objects.requireNonNull(watch.last()));
        PoolSnapshot before = Objects.requireNonNull(watch.advance(end));
        PoolWindow window = complete(
                PoolWindow.between(before, end)
                        .end(clock.now().minusNanos(System.nanoTime() - end.nanoTime()))
                        .workers(watch.workers()),
                round);
        close(watch, PoolEvidence.asleep(window, StackRounds.USUAL), List.of(), round);
    }

    /** Whether the window of a pool that has little to do goes on over this round. */
    private static boolean goesOn(PoolWatch watch, PoolState state, Round round) {
        return state == PoolState.RUNNING
                && !round.disturbed
                && !round.hasMorePools
                && !watch.wantsAny()
                && watch.lightLoad()
                        .goesOn(watch.source().executor(), watch.evidence().working());
    }

    /** Whether nothing is suspected of a pool, so that it may be looked at more rarely. */
    private boolean mayRest(PoolWatch watch, InstrumentedPool meter, PoolState state, Round round) {
        return meter == watch.source().executor()
                && state == PoolState.RUNNING
                && !round.disturbed
                && !isStarved
                && rules.areStandard()
                && !watch.wantsAny()
                && !watch.ledger().isUndecided()
                && watch.ledger().raised().isEmpty();
    }

    private PoolWindow.Builder builder(
            PoolWatch watch, PoolSnapshot before, PoolSnapshot now, List<WorkerState> workers) {
        if (watch.wants(Evidence.WORKERS)) {
            watch.times().read(workers);
        }
        Duration length = Duration.ofNanos(Math.max(0, now.nanoTime() - before.nanoTime()));
        return PoolWindow.between(before, now)
                .end(clock.now())
                .workers(watch.workers(workers.stream()
                        .map(worker -> worker(worker, watch.times().within(worker, length)))
                        .toList()));
    }

    private static PoolWindow complete(PoolWindow.Builder builder, Round round) {
        return builder.process(round.process)
                .thresholds(round.thresholds)
                .waitsOfOthers(round.awaitedPools)
                .peers(MonitorRound::peers)
                .freeHeap(OptionalLong.of(round.freeHeap))
                .build();
    }

    private void close(PoolWatch watch, PoolWindow alone, List<WorkerState> workers, Round round) {
        Duration usual = settings.window();
        boolean isScheduler = watch.source().executor() instanceof ScheduledExecutorService;
        if (round.disturbed) {
            watch.diagnosis().enterUnseen(alone, usual, JudgedWindow.STOOD_STILL);
            guard.run(recorder, () -> recorder.window(alone));
            record(alone, round, isScheduler, Entry.STOOD_STILL, false);
            return;
        }
        if (watch.mayMiss() && isPutOff(alone, round, hasJudged)) {
            watch.missed();
            watch.diagnosis().enterUnjudged(alone, usual, JudgedWindow.STARVED_OF_CPU);
            guard.run(recorder, () -> recorder.window(alone));
            record(alone, round, isScheduler, Entry.NOT_JUDGED, false);
            return;
        }
        hasJudged = true;
        watch.judged();
        boolean mayRaise = !watch.isYoungerThan(settings.grace(), clock.nanoTime());
        PoolWindow window = watch.diagnosis().enter(alone, usual, mayRaise, round.isStarved());
        guard.run(recorder, () -> recorder.window(window));
        record(alone, round, isScheduler, Entry.JUDGED, mayRaise);
        boolean already = watch.wants(Evidence.WORKERS);
        watch.wants(rules.needs(window));
        if (watch.wants(Evidence.WORKERS) && !already) {
            watch.times().read(workers); // the first reading, to compare with
            sources.sayIfUnknown(workers, watch.times());
        }
    }

    private static long freeHeap() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.maxMemory() - (runtime.totalMemory() - runtime.freeMemory());
    }

    private static List<Peer> peers() {
        return Pools.live().stream().map(Peer::of).toList();
    }

    private void record(PoolWindow alone, Round round, boolean isScheduler, Entry entry, boolean mayRaise) {
        guard.run(
                recorder,
                () -> recorder.evidence(alone, isScheduler, round.thresholds, entry, settings.window(), mayRaise));
    }

    /** Whether a starved thread leaves a window unjudged. Pools without tasks can wait, and the others take turns. */
    private static boolean isPutOff(PoolWindow window, Round round, boolean hasJudged) {
        return round.isStarved()
                && window.state() == PoolState.RUNNING
                && (hadNoTasks(window) || (hasJudged && EvidenceBudget.cpuOfThisThread() - round.cpuUntil >= 0));
    }

    private static boolean hadNoTasks(PoolWindow window) {
        PoolSnapshot before = window.before();
        PoolSnapshot after = window.after();
        return window.countsTasks()
                && window.submitted() + window.completed() + window.rejected() + window.callerRuns() == 0
                && before.active() + before.queued() + before.saturation().blockedNow() == 0
                && after.active() + after.queued() + after.saturation().blockedNow() == 0;
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
        watch.ledger().endOfPool(listeners);
        recorder.forget(watch.name());
        watches.remove(watch);
    }

    /**
     * What all windows of one round have in common.
     *
     * @param cpuUntil the CPU time of the monitor's thread after which no more rules are asked; the largest number
     *     unless it is starved
     * @param freeHeap bytes that this JVM may still use, where garbage counts as used
     */
    record Round(
            ProcessWindow process,
            boolean disturbed,
            boolean hasMorePools,
            long cpuUntil,
            long freeHeap,
            Map<String, Double> thresholds,
            Map<String, Set<String>> awaitedPools) {

        boolean isStarved() {
            return cpuUntil != Long.MAX_VALUE;
        }
    }
}
