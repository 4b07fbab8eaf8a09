package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.attention.RoundPace;
import io.lifeguard.pool.diagnosis.attention.Starvation;
import io.lifeguard.pool.diagnosis.attention.Unjudged;
import io.lifeguard.pool.diagnosis.evidence.EvidenceSources;
import io.lifeguard.pool.diagnosis.evidence.PoolEvidence;
import io.lifeguard.pool.diagnosis.evidence.cpu.CpuShortage;
import io.lifeguard.pool.diagnosis.evidence.cpu.Disturbances;
import io.lifeguard.pool.diagnosis.evidence.cpu.EvidenceBudget;
import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.evidence.stack.StackRounds;
import io.lifeguard.pool.diagnosis.log.Guard;
import io.lifeguard.pool.diagnosis.log.LogLines;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import io.lifeguard.pool.diagnosis.seen.SaidFinding;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.VirtualThreadLoad;
import io.lifeguard.pool.os.JavaManagement;
import io.lifeguard.pool.recording.LiveSink;
import io.lifeguard.pool.recording.Recorder;
import io.lifeguard.pool.recording.RoundListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Makes the rounds over all that is watched: pools, event loops and carriers of virtual threads. Each part closes its
 * windows, asks the rules, and keeps its findings. One thread makes the rounds and glances.
 */
final class MonitorRound implements WatchedPools.NewWatch {

    private final Engine engine;
    private final Listeners listeners;
    private final Starvation starvation = new Starvation();
    private final Unjudged unjudged = new Unjudged(LogLines.MONITOR);
    private final RoundPace pace = new RoundPace();
    private final WatchedPools pools;
    private final PoolGlance poolGlance;
    private final PoolRound poolRound;
    private final EventLoopRound eventLoops;
    private final VirtualThreadRound virtualThreads;
    private final DeadlockRound deadlocks;
    private final Function<PoolWindow, Bottleneck> limits;

    // Confined to the monitor's thread.
    private boolean seeksRoundListeners; // set before the thread starts
    private List<SaidFinding> said = List.of(); // the same
    private long looked; // when workers were looked at last, by the monitor's clock
    private List<RoundListener> roundListeners = List.of();

    MonitorRound(MonitorSettings settings, MonitorClock clock, EvidenceSources sources, FindingListener log) {
        this(settings, clock, sources, log, window -> Bottleneck.UNKNOWN, new Recorder(LiveSink.NONE));
    }

    /**
     * Makes rounds that have not begun.
     *
     * @param limits what limits a pool's throughput, as one window with its history shows it
     * @param to records what the rounds see
     */
    MonitorRound(
            MonitorSettings settings,
            MonitorClock clock,
            EvidenceSources sources,
            FindingListener log,
            Function<PoolWindow, Bottleneck> limits,
            Recorder to) {
        this.limits = limits;
        Guard guard = new Guard();
        RuleBook rules = new RuleBook(settings, guard);
        if (!settings.discoversRules()) {
            rules.choose(); // otherwise the thread that makes the first pool would pay for finding them
        }
        RoundRecorder recorder = new RoundRecorder(to, clock);
        this.listeners =
                new Listeners(List.of(log, recorder, new BlackBoxWriter(settings, to, clock)), settings, guard);
        this.engine = new Engine(settings, clock, sources, sources.disturbances(), guard, rules, listeners, recorder);
        this.pools = new WatchedPools(engine, this);
        this.poolGlance = new PoolGlance(pools, engine);
        this.poolRound = new PoolRound(engine, starvation, pools);
        this.eventLoops = new EventLoopRound(engine);
        this.virtualThreads = new VirtualThreadRound(engine);
        this.deadlocks = new DeadlockRound(engine);
        rules.between(
                new Runnable() { // no lambda: each costs a start as much as three classes
                    @Override
                    public void run() {
                        lookIfDue();
                    }
                });
    }

    @Override
    public PoolWatch of(PoolSource source, String name, long bornNanos) {
        PoolEvidence evidence = engine.sources().evidence(name, engine.clock());
        evidence.recordTo(engine.recorder().recorder());
        PoolDiagnosis diagnosis = new PoolDiagnosis(engine.rules(), engine.guard(), limits, listeners);
        for (SaidFinding before : said) {
            if (before.isOf(source.executor())) {
                diagnosis.ledger().takeOver(finding(before, name), before.under());
            }
        }
        return new PoolWatch(
                source, name, engine.sources().workerTimes(engine.clock()), evidence, diagnosis, bornNanos);
    }

    private Finding finding(SaidFinding before, String pool) {
        return new Finding(
                before.id(),
                before.saysWhy() ? Severity.WARNING : Severity.INFO,
                pool,
                before.summary(),
                before.advice(),
                before.evidence(),
                OptionalInt.empty(),
                engine.clock().now().minusNanos(System.nanoTime() - before.seenNanos()));
    }

    RuleBook rules() {
        return engine.rules();
    }

    /** {@return the watched pools} Any thread. */
    WatchedPools pools() {
        return pools;
    }

    private boolean othersAreUndecided() {
        return eventLoops.isUndecided() || virtualThreads.isUndecided();
    }

    /** {@return how long the present window is meant to be} */
    Duration length() {
        return pace.length(
                engine.settings().window(),
                starvation.isStarved(),
                othersAreUndecided() || pools.wantShortWindows(engine.clock().nanoTime()));
    }

    /** {@return whether the calling thread, which is new and going to make the rounds, is short of CPU} */
    boolean beginsStarved() {
        starvation.begin(CpuShortage.isOfCaller(engine.sources().threads()));
        return starvation.isStarved();
    }

    /** {@return at how many moments of this window workers are looked at} */
    int looks() {
        return poolGlance.moments(othersAreUndecided());
    }

    /** {@return whether there is neither a pool nor an event loop, nor time left to look for one} Any thread. */
    boolean hasNothingToDo() {
        return pools.all().isEmpty() && (pools.hasEnded() || !eventLoops.isSearching());
    }

    /** {@return the raised findings of all pools that have not ended, event loops and carriers} Any thread. */
    Stream<Finding> findings() {
        return Stream.of(
                        pools.present().flatMap(watch -> watch.ledger().raised().stream()),
                        eventLoops.findings(),
                        virtualThreads.findings(),
                        deadlocks.findings())
                .flatMap(each -> each);
    }

    /** {@return what the latest window showed of virtual threads} Any thread. */
    Optional<VirtualThreadLoad> virtualThreads() {
        return virtualThreads.load();
    }

    /** Tells listeners of rounds, once there may be something to tell. Before the thread starts. */
    void findRoundListeners() {
        seeksRoundListeners = true;
    }

    /** Takes over the findings that were logged before there was a monitor. Called before the first pool. */
    void takeOver(List<SaidFinding> before) {
        said = before;
    }

    private void tellRoundListeners() {
        if (seeksRoundListeners && (System.getProperty(RoundListener.PROPERTY) != null || JavaManagement.hasServer())) {
            seeksRoundListeners = false;
            roundListeners = engine.guard()
                    .loadAll(ServiceLoader.load(RoundListener.class, MonitorRound.class.getClassLoader()));
        }
        for (RoundListener listener : roundListeners) {
            try {
                listener.roundEnded(LogLines.MONITOR);
            } catch (Throwable e) {
                engine.guard().failed(listener, e);
            }
        }
    }

    private void advance() {
        try {
            engine.recorder().advance();
        } catch (Throwable e) {
            engine.guard().failed(engine.recorder(), e);
        }
    }

    /** Begins to measure. Called by the thread that is going to make the rounds. */
    void begin() {
        advance();
        engine.sources().budget().begin();
        engine.sources().process().advance(Duration.ZERO);
        engine.disturbances().begin(engine.clock().nanoTime(), engine.clock().now());
    }

    /**
     * Closes the windows of all that is watched, and begins the next ones.
     *
     * @param late how long the thread was stopped since the last round
     */
    void make(Duration late) {
        engine.sources().budget().window(engine.settings().window());
        long cpu = EvidenceBudget.cpuOfThisThread();
        engine.rules().choose();
        advance();
        int departed = pools.departed(); // none that ends later is let go before it was visited
        Duration planned = length();
        long nanos = engine.clock().nanoTime();
        Disturbances disturbances = engine.disturbances();
        ProcessWindow process =
                disturbances.excused(nanos, engine.sources().process().advance(late));
        boolean isStarved = starvation.begin(
                cpu, late, planned, disturbances.queued(), engine.settings().window());
        boolean disturbed = disturbances.isDisturbed(nanos, engine.clock().now(), process, planned);
        String why =
                unjudged.closed(!disturbed, planned.plus(late), process.gcTime().orElse(Duration.ZERO), process.late());
        Round round = new Round(
                process, disturbed, isStarved, Map.copyOf(engine.settings().thresholds()), why);
        poolRound.make(round);
        pools.release(departed);
        if (pools.hasEnded()) {
            rest();
        } else if (pools.all().isEmpty() || !starvation.isPoolsTurn()) {
            eventLoops.make(round, !pools.all().isEmpty());
            virtualThreads.make(round);
            deadlocks.make(round);
        }
        listeners.deliverLate();
        tellRoundListeners();
        pace.ended(
                EvidenceBudget.cpuOfThisThread() - cpu,
                !engine.sources().budget().allows());
    }

    /** Ends the findings of all that was watched when the watch ended. */
    void rest() {
        pools.rest();
        eventLoops.rest();
        virtualThreads.rest();
        deadlocks.rest();
    }

    /** Tells the listeners of rounds that the monitor's thread ends. No thread may make rounds meanwhile. */
    void tellOfEnd() {
        for (RoundListener listener : roundListeners) {
            engine.guard().run(listener, listener::watchEnded);
        }
    }

    /** Logs a failure of the monitor's own code, unless one has been logged before. The monitor's thread only. */
    void report(Throwable failure) {
        engine.guard().failed(this, failure);
    }

    /** Looks at the workers of all pools, and at what is suspected of others. */
    void glance() {
        try {
            engine.recorder().recorder().collect();
        } catch (Throwable e) {
            engine.guard().failed(engine.recorder(), e);
        }
        virtualThreads.glance();
        if (engine.sources().budget().allows()) {
            eventLoops.glance();
        }
        look();
    }

    private void look() {
        poolGlance.make();
        looked = engine.clock().nanoTime();
    }

    /**
     * The round of a starved thread may take seconds, in which the workers would be unseen. What is seen of a pool that
     * is being judged belongs to its next window.
     */
    private void lookIfDue() {
        long apart = engine.settings().window().toNanos() / StackRounds.USUAL;
        if (starvation.isStarved() && engine.clock().nanoTime() - looked >= apart) {
            look();
        }
    }
}
