package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolObserver;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.attention.Blindness;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.evidence.EvidenceSources;
import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.external.PoolReader;
import io.lifeguard.pool.diagnosis.log.LogLines;
import io.lifeguard.pool.diagnosis.outside.ExternalExecutor;
import io.lifeguard.pool.diagnosis.outside.ExternalForkJoinPool;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.outside.ExternalThreadPool;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import io.lifeguard.pool.diagnosis.seen.SaidFinding;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.VirtualThreadLoad;
import io.lifeguard.pool.jfr.FlightRecorderSink;
import io.lifeguard.pool.os.Room;
import io.lifeguard.pool.recording.Recorder;
import io.lifeguard.pool.recording.Recorders;
import io.lifeguard.pool.text.LogText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at all live pools once per window, and reports what is wrong with them. Thread-safe.
 *
 * <p>The {@linkplain #global() global} monitor starts once a pool may be in trouble, unless the system property
 * {@value #PROPERTY} is {@code off}. It is one daemon thread. It ends when there has been neither a pool nor an event
 * loop for a minute. It keeps no pool from being collected.
 */
public final class PoolMonitor implements AutoCloseable {

    /** The system property that keeps the global monitor from starting by itself, when it is {@code off}. */
    public static final String PROPERTY = "lifeguard.monitor";

    /** The system property with the directory for {@linkplain #blackBox(Path) black boxes}; none when it is not set. */
    public static final String BLACK_BOX_PROPERTY = MonitorSettings.BLACK_BOX_PROPERTY;

    /*
     * The monitor itself has no lock. Its state is in its parts. The settings are written by users' threads and read at
     * each window. The round belongs to the monitor's thread. The thread starts and ends under a lock of its own. The
     * global monitor is made under the lock of Global, so all callers see the same one. Making it does not call users'
     * code, because another thread may wait for that lock while it holds a lock of theirs. The actions
     * that waited for a start are therefore run afterwards, by DeferredStart. A pool made while the observer is being
     * added may be announced twice; the round watches it once.
     */

    // Guarded by the class. No static initialiser makes it, because one that fails once fails forever.
    private static @Nullable DeferredStart<PoolMonitor> start;

    private final MonitorSettings settings;
    private final MonitorClock clock;
    private final RuleBook rules;
    private final MonitorRound round;
    private final MonitorThread thread;
    private final FullLookout lookout = new FullLookout(this);
    private final Recorder recorder;
    private final PoolObserver observer = new PoolObserver() {
        @Override
        public void created(InstrumentedPool pool) {
            add(pool, clock.nanoTime());
        }

        @Override
        public void terminated(InstrumentedPool pool) {
            round.pools().terminated(pool);
        }
    };

    private PoolMonitor(MonitorSettings settings, MonitorClock clock, boolean isGlobal) {
        this.settings = settings;
        this.clock = clock;
        this.recorder = new Recorder(FlightRecorderSink.ofThisJvm());
        Recorders.findBy(new RecorderOf()); // for the report, which is another module
        recorder.synchronise(clock.nanoTime(), clock.now()); // its events begin before its first round
        FindingLog log = new FindingLog(clock, new Supplier<>() {
            @Override
            public Duration get() {
                return settings.reminder();
            }
        });
        this.round =
                new MonitorRound(settings, clock, EvidenceSources.ofThisMachine(clock), log, new Limits(), recorder);
        if (isGlobal) {
            round.findRoundListeners();
            List<SaidFinding> said = SaidFinding.takeOver();
            for (SaidFinding each : said) {
                log.noteSaid(each.pool(), each.id(), each.saysWhy() ? Severity.WARNING : Severity.INFO);
            }
            round.takeOver(said);
        }
        this.rules = round.rules();
        this.thread = new MonitorThread(round, clock);
    }

    /**
     * {@return the monitor of this JVM, always the same} Starts it if it has not been started.
     *
     * @throws IllegalStateException if it has not been started, and there are not 2 MB of heap and 16 file descriptors
     *     for that. A later call may succeed
     */
    public static PoolMonitor global() {
        Global.requireRoom();
        start().now();
        PoolMonitor monitor = Global.get();
        start().catchUp(monitor);
        return monitor;
    }

    private static synchronized DeferredStart<PoolMonitor> start() {
        DeferredStart<PoolMonitor> made = start;
        if (made == null) {
            made = new DeferredStart<>();
            start = made;
        }
        return made;
    }

    /**
     * Puts off the start of the global monitor until a caller asks for {@link #global()}. Otherwise it starts once a
     * pool may be in trouble.
     *
     * <p>For code that brings up an application, so that the monitor does not compete with it. Pools measure meanwhile,
     * and are watched after the start. Has no effect once the monitor has started.
     */
    public static void startLater() {
        SaidFinding.leaveToMonitor();
        start().putOff();
    }

    /**
     * Passes the global monitor to an action: at once, starting it if necessary; or when it starts, while that is
     * {@linkplain #startLater() put off}.
     *
     * @param action what to do, not null; called once, by any thread
     * @throws IllegalStateException as {@link #global()}
     */
    public static void onGlobal(Consumer<? super PoolMonitor> action) {
        Objects.requireNonNull(action, "action must not be null");
        Global.requireRoom();
        if (!start().defer(action)) {
            start().now();
            // Actions that waited are run by the caller that ended the delay: here, locks may be held.
            action.accept(Global.get());
        }
    }

    /** {@return a builder of a further monitor, which watches all pools too} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the rules that come with the library, immutable} */
    public static List<Rule> standardRules() {
        return StandardRules.all();
    }

    // ---- what it has found ----

    /** {@return the raised findings of all pools and of event loops, in a new list: worst first, then oldest first} */
    public List<Finding> findings() {
        return sorted(round.findings());
    }

    /**
     * {@return the raised findings of one pool in a new list, worst first, then oldest first; empty also when the pool
     * is not watched}
     *
     * @param pool the pool, not null
     */
    public List<Finding> findings(ThreadPoolExecutor pool) {
        Objects.requireNonNull(pool, "pool must not be null");
        List<Finding> found = new ArrayList<>();
        for (PoolWatch watch : round.pools().all()) { // no stream: the lookout asks in a young JVM
            if (watch.isOf(pool) && !round.pools().isGone(watch)) {
                found.addAll(watch.ledger().raised());
            }
        }
        found.sort(new WorstFirst());
        return found;
    }

    /**
     * {@return the raised findings of the pool of that name in a new list, worst first, then oldest first; empty also
     * when no such pool is watched}
     *
     * @param pool the pool's name, not null
     */
    public List<Finding> findings(String pool) {
        Objects.requireNonNull(pool, "pool must not be null");
        return sorted(round.findings().filter(finding -> finding.pool().equals(pool)));
    }

    /**
     * {@return the windows of the pool of that name in the last minute, latest first, each without a history of its
     * own; empty also when no such pool is watched}
     *
     * <p>A minute holds when windows are a second long. In general it is sixty times their usual length.
     *
     * @param pool the pool's name, not null
     */
    public List<PoolWindow> windows(String pool) {
        Objects.requireNonNull(pool, "pool must not be null");
        return round.pools()
                .present()
                .filter(watch -> watch.name().equals(pool))
                .findFirst()
                .map(PoolWatch::windows)
                .orElse(List.of());
    }

    /**
     * {@return what the latest window showed of this JVM's virtual threads; empty while none have run, and while no
     * pool is watched}
     */
    public Optional<VirtualThreadLoad> virtualThreads() {
        return round.virtualThreads();
    }

    /**
     * {@return the watched pools that have not terminated, instrumented and external ones, in a new list in no
     * particular order}
     *
     * <p>The {@linkplain InstrumentedPool#snapshot() snapshots} of an external pool know what
     * {@link #watch(ThreadPoolExecutor, String) watch} says. Holding the list keeps instrumented pools from being
     * collected.
     */
    public List<InstrumentedPool> pools() {
        return round.pools()
                .present()
                .map(watch -> watch.source().meter())
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
    }

    /**
     * {@return why it is unknown which threads are the workers of a pool, so that nothing is known of what they do;
     * empty if they are known, if they were not searched for yet, and for every instrumented pool}
     *
     * @param pool one of {@link #pools()}, not null
     */
    public static Optional<String> blindness(InstrumentedPool pool) {
        return Blindness.of(Objects.requireNonNull(pool, "pool must not be null"));
    }

    /**
     * Writes what happened in the last minute: long tasks, waits, caller-runs, rejections, looks at workers, windows
     * and findings.
     *
     * <p>The file is a flight recording. {@code lifeguard report} draws it, and {@code jfr} and JDK Mission Control
     * read it. It takes at most 1 MiB, so where much happened it leaves out some tasks and looks of each second.
     *
     * @param file where to write, not null; a file that is there is replaced
     * @throws IOException if it cannot be written
     */
    public void dump(Path file) throws IOException {
        Objects.requireNonNull(file, "file must not be null");
        try (OutputStream out = Files.newOutputStream(file)) {
            dump(out);
        }
    }

    /**
     * Writes the same as {@link #dump(Path)} to a stream.
     *
     * @param out where to write, not null; is flushed and not closed
     * @throws IOException if the stream throws it
     */
    public void dump(OutputStream out) throws IOException {
        recorder.writeTo(Objects.requireNonNull(out, "out must not be null"));
    }

    // ---- what it does ----

    /**
     * Sets how long windows are at most: a second until told otherwise. Windows are shorter, but not under 250 ms, in a
     * pool's first ten seconds, and while a finding is suspected.
     *
     * @param length from 10 ms to 10 minutes, not null
     * @throws IllegalArgumentException if it is shorter or longer
     */
    public void window(Duration length) {
        settings.window(length);
        thread.wake();
    }

    /** {@return how long windows are at most} */
    public Duration window() {
        return settings.window();
    }

    /**
     * Sets how often the log repeats a finding that lasts: once a minute until told otherwise.
     *
     * @param interval from 1 second to 1 day, not null
     * @throws IllegalArgumentException if it is shorter or longer
     */
    public void reminder(Duration interval) {
        settings.reminder(interval);
    }

    /**
     * Sets where the {@linkplain #dump(Path) last minute} is written to when a finding is or becomes critical. The
     * default is the system property {@value #BLACK_BOX_PROPERTY}; without it, no file is written.
     *
     * <p>A thread of its own writes, one file a minute at most. The newest ten files of the directory are kept, each of
     * at most about 1 MiB. If a file cannot be written, the log says so.
     *
     * @param directory where to write, not null; is created when needed
     */
    public void blackBox(Path directory) {
        settings.blackBox(Objects.requireNonNull(directory, "directory must not be null"));
    }

    /** Writes black boxes where the system property {@value #BLACK_BOX_PROPERTY} says, which is the default. */
    public void blackBoxFromProperty() {
        settings.blackBoxFromProperty();
    }

    /**
     * Adds a rule, from the next window on.
     *
     * @param rule the rule, not null
     */
    public void addRule(Rule rule) {
        settings.rules().add(Objects.requireNonNull(rule, "rule must not be null"));
    }

    /**
     * Adds a rule, from the next window on, that never compares with its own numbers where others are given.
     *
     * @param rule the rule, not null
     * @param thresholds what to compare with, finite, by {@linkplain Threshold#key() key}; not null, may be empty
     * @throws IllegalArgumentException if the rule has no threshold with that key, or the value is not finite; then the
     *     rule is not added
     */
    public void addRule(Rule rule, Map<String, Double> thresholds) {
        Objects.requireNonNull(thresholds, "thresholds must not be null");
        rules.checkThresholds(Objects.requireNonNull(rule, "rule must not be null"), thresholds.keySet());
        thresholds.forEach(settings::threshold);
        addRule(rule);
    }

    /**
     * Removes a rule. Its findings end after three windows.
     *
     * @param rule the rule, not null
     * @return whether it was there
     */
    public boolean removeRule(Rule rule) {
        Objects.requireNonNull(rule, "rule must not be null");
        rules.find();
        return settings.rules().remove(rule);
    }

    /**
     * Stops making findings of that id.
     *
     * @param id the id, not null; one that no rule knows has no effect
     */
    public void switchOff(String id) {
        settings.switchOff(Objects.requireNonNull(id, "id must not be null"));
    }

    /**
     * Makes findings of that id again.
     *
     * @param id the id, not null
     */
    public void switchOn(String id) {
        settings.switchOn(Objects.requireNonNull(id, "id must not be null"));
    }

    /**
     * {@return whether findings of that id are made: true unless they are switched off, also if no rule knows the id}
     *
     * @param id the id, not null
     */
    public boolean isOn(String id) {
        return !settings.isOff(Objects.requireNonNull(id, "id must not be null"));
    }

    /**
     * Changes a number that rules compare with. The thresholds on the pages of findings keep their keys and meanings.
     *
     * @param key the {@linkplain Threshold#key() key}, not null
     * @param value what to compare with, finite
     * @throws IllegalArgumentException if no rule {@linkplain Rule#thresholds() has} that key; add a rule of your own
     *     first
     */
    public void threshold(String key, double value) {
        rules.checkThreshold(Objects.requireNonNull(key, "key must not be null"), value);
        settings.threshold(key, value);
    }

    /**
     * Adds a listener.
     *
     * @param listener the listener, not null
     */
    public void addListener(FindingListener listener) {
        settings.listeners().add(Objects.requireNonNull(listener, "listener must not be null"));
    }

    /**
     * Removes a listener.
     *
     * @param listener the listener, not null
     * @return whether it was there
     */
    public boolean removeListener(FindingListener listener) {
        return settings.listeners().remove(Objects.requireNonNull(listener, "listener must not be null"));
    }

    /**
     * Watches an external pool under the name of its class.
     *
     * @param pool the pool, not null
     * @see #watch(ThreadPoolExecutor, String)
     */
    public void watch(ThreadPoolExecutor pool) {
        Objects.requireNonNull(pool, "pool must not be null");
        String simple = pool.getClass().getSimpleName();
        watch(pool, simple.isEmpty() ? pool.getClass().getName() : simple);
    }

    /**
     * Watches an external pool until it terminates or is collected.
     *
     * <p>From outside one sees sizes, the queue, the number of busy workers when a window ends, and the number of
     * completed tasks. One sees no times: neither of waiting, nor of running, nor of computing. Tasks that failed, were
     * rejected or were run by their submitters are not seen either, nor what a worker does within a window. All of
     * these are {@linkplain io.lifeguard.pool.Distribution.Accuracy#UNKNOWN unknown} or zero, and findings that need
     * them are not made.
     *
     * <p>The pool's threads are found by their names, their number, the class of the queue that they wait at, and how
     * many of them wait. Where several groups of threads fit, names must begin with {@code name}. Otherwise there are
     * no stacks of them.
     *
     * @param pool the pool, not null; an instrumented one is watched as such, under its own name
     * @param name what to call it in findings, not blank; where another pool has that name, a number is added
     * @throws IllegalArgumentException if the name is blank
     */
    public void watch(ThreadPoolExecutor pool, String name) {
        watch(pool, name, "");
    }

    /**
     * Watches an external pool whose thread factory is known, as {@link #watch(ThreadPoolExecutor, String)}.
     *
     * @param pool the pool, not null; an instrumented one is watched as such, under its own name
     * @param name what to call it in findings, not blank; where another pool has that name, a number is added
     * @param threadPrefix what the names of its threads consist of but for the number at the end, not null; empty if
     *     that is unknown
     * @throws IllegalArgumentException if the name is blank
     */
    public void watch(ThreadPoolExecutor pool, String name, String threadPrefix) {
        Objects.requireNonNull(threadPrefix, "threadPrefix must not be null");
        watchFrom(pool, name, free -> new ExternalThreadPool(pool, free, threadPrefix));
    }

    /**
     * Watches an external pool whose threads are known, as {@link #watch(ThreadPoolExecutor, String)}.
     *
     * @param pool the pool, not null; an instrumented one is watched as such, under its own name
     * @param name what to call it in findings, not blank; where another pool has that name, a number is added
     * @param workers gives the pool's threads, or none while they are unknown, not null; must be quick and thread-safe,
     *     and must not hold the pool
     * @throws IllegalArgumentException if the name is blank
     */
    public void watch(
            ThreadPoolExecutor pool, String name, Function<? super ThreadPoolExecutor, List<Thread>> workers) {
        Objects.requireNonNull(workers, "workers must not be null");
        watchFrom(pool, name, free -> new ExternalThreadPool(pool, free, workers::apply));
    }

    /**
     * Watches an external fork-join pool until it terminates or is collected. The common pool is watched for as long as
     * the JVM lives.
     *
     * <p>As {@link #watch(ThreadPoolExecutor, String)}, but its threads are known for certain. It does not count tasks,
     * so how many were completed is {@linkplain io.lifeguard.pool.PoolSnapshot#countsTasks() unknown}.
     *
     * @param pool the pool, not null; an instrumented one is watched as such, under its own name
     * @param name what to call it in findings, not blank; where another pool has that name, a number is added
     * @throws IllegalArgumentException if the name is blank
     */
    public void watch(ForkJoinPool pool, String name) {
        watchFrom(pool, name, free -> new ExternalForkJoinPool(pool, free));
    }

    /**
     * Watches an external executor of any type until it is collected or, if it is an {@link ExecutorService},
     * terminates.
     *
     * <p>As {@link #watch(ThreadPoolExecutor, String)}, but the reader decides what is seen.
     *
     * @param <E> its type
     * @param pool the executor, not null
     * @param name what to call it in findings, not blank; where another pool has that name, a number is added
     * @param reader reads it; it must not hold the executor, or that will never be collected
     * @throws IllegalArgumentException if the name is blank
     */
    public <E extends Executor> void watch(E pool, String name, PoolReader<? super E> reader) {
        Objects.requireNonNull(reader, "reader must not be null");
        watchFrom(pool, name, free -> new ExternalExecutor<>(pool, free, reader));
    }

    /** {@code PoolSource} is an interface, so verifying the callers' lambdas loads none of their pools' classes. */
    private void watchFrom(Executor pool, String name, Function<String, PoolSource> outside) {
        Objects.requireNonNull(pool, "pool must not be null");
        if (Objects.requireNonNull(name, "name must not be null").isBlank()) {
            throw new IllegalArgumentException("name must not be blank (was \"" + name + "\")");
        }
        if (pool instanceof InstrumentedPool instrumented) {
            add(instrumented, clock.nanoTime());
        } else {
            ExternalPool<?> source =
                    (ExternalPool<?>) outside.apply(round.pools().freeName(name));
            round.pools().add(source, source.name());
            thread.ensureRunning();
            lookout.add(source);
        }
    }

    /**
     * Ends this monitor for good, also the global one. It no longer watches pools, and listeners are told that raised
     * findings have ended.
     */
    @Override
    public void close() {
        Pools.removeObserver(observer);
        thread.close();
        recorder.close();
    }

    /** {@return whether this monitor was closed, so that it finds nothing any longer} */
    public boolean isClosed() {
        return round.pools().hasEnded();
    }

    /**
     * The global monitor starts by itself, perhaps after one that a user has made to record with: it then stands back.
     */
    private PoolMonitor start(boolean isGlobal, Begin begin) {
        if (isGlobal) {
            recorder.openUnlessTaken();
        } else {
            recorder.open();
        }
        Pools.addObserver(observer);
        for (InstrumentedPool pool : Pools.live()) {
            add(pool, begin.pools.contains(pool) ? begin.nanos : clock.nanoTime());
        }
        thread.ensureRunning(); // also without a pool: there may be event loops
        return this;
    }

    private void add(InstrumentedPool pool, long bornNanos) {
        if (round.pools().announce(PoolSource.of(pool), Pools.nameOf(pool), bornNanos)) {
            thread.ensureRunning(); // otherwise the pool that waits has seen to it
        }
    }

    private static List<Finding> sorted(Stream<Finding> findings) {
        return new ArrayList<>(findings.sorted(new WorstFirst()).toList());
    }

    private static final class WorstFirst implements Comparator<Finding> {
        @Override
        public int compare(Finding one, Finding other) {
            int worse = other.severity().compareTo(one.severity());
            return worse == 0 ? one.since().compareTo(other.since()) : worse;
        }
    }

    /* No lambdas where each start of a monitor needs them: the JVM takes a millisecond to make the class of one. */

    private static final class RecorderOf implements Function<Object, Recorder> {
        @Override
        public Recorder apply(Object monitor) {
            return ((PoolMonitor) monitor).recorder;
        }
    }

    private static final class Limits implements Function<PoolWindow, Bottleneck> {
        @Override
        public Bottleneck apply(PoolWindow window) {
            return Bottlenecks.of(window);
        }
    }

    /** The global monitor. No static initialiser makes it, because one that fails once fails forever. */
    private static final class Global {

        // Written once, under the lock of the class. A stale read takes the lock.
        private static volatile @Nullable PoolMonitor monitor;
        private static boolean hasFailed; // guarded by the class: it could not be started, which was said

        /** A class whose initialiser fails in a shortage fails forever, so none is loaded in one. */
        static void requireRoom() {
            if (monitor == null && !Room.isThere()) {
                throw new IllegalStateException("the monitor cannot start yet: the JVM is out of memory or of file"
                        + " descriptors; call again later");
            }
        }

        static PoolMonitor get() {
            PoolMonitor made = monitor;
            return made == null ? make() : made;
        }

        private static synchronized PoolMonitor make() {
            PoolMonitor made = monitor;
            if (made == null) {
                try {
                    made = builder().global().build(Begin.now());
                } catch (Throwable e) {
                    sayOnce(e);
                    throw e;
                }
                monitor = made;
                SaidFinding.forget();
                if (hasFailed) {
                    LogLines.MONITOR.write(log -> log.warn("Pools are watched again"));
                }
            }
            return made;
        }

        private static void sayOnce(Throwable failure) {
            if (!hasFailed) {
                hasFailed = true;
                String why = LogText.clean(String.valueOf(failure));
                LogLines.MONITOR.write(log -> log.error(
                        "Not watched: the monitor could not start ({}). Pools work and are measured; the start is tried"
                                + " again every few seconds",
                        why));
            }
        }
    }

    /**
     * The begin of a monitor's start. On full CPUs the start lasts for seconds, in which further pools are made.
     *
     * @param nanos when it was, by the monitor's clock
     * @param pools those that were there, compared by identity
     */
    private record Begin(long nanos, Set<InstrumentedPool> pools) {

        static Begin now() {
            Set<InstrumentedPool> pools = Collections.newSetFromMap(new IdentityHashMap<>());
            pools.addAll(Pools.live());
            return new Begin(MonitorClock.SYSTEM.nanoTime(), pools);
        }
    }

    /** Builds a monitor beside the global one. Not thread-safe. No argument may be null. */
    @SuppressWarnings("doclint:missing") // all setters return this builder
    public static final class Builder {
        private final MonitorSettings settings = new MonitorSettings();
        private final List<Rule> more = new ArrayList<>();
        private List<Rule> rules = List.of(); // the standard ones are loaded later, with users'
        private boolean isGlobal;

        private Builder() {}

        private Builder global() {
            isGlobal = true;
            return this;
        }

        /**
         * Sets how long windows are at most, from 10 ms to 10 minutes: a second until told otherwise.
         *
         * @throws IllegalArgumentException if it is shorter or longer
         */
        public Builder window(Duration length) {
            settings.window(length);
            return this;
        }

        /**
         * Sets for how long no findings are raised about a new pool: 3 seconds until told otherwise, or three windows
         * where these are shorter than a second. Code is loaded and compiled in that time. What is found in it and
         * still holds afterwards counts. A pool that is there when a monitor begins to start counts as new from then
         * on.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder grace(Duration length) {
            settings.grace(length);
            return this;
        }

        /** Adds a rule. */
        public Builder rule(Rule rule) {
            more.add(Objects.requireNonNull(rule, "rule must not be null"));
            return this;
        }

        /** Replaces all rules, including those that {@link ServiceLoader} would load. */
        public Builder onlyRules(List<Rule> only) {
            rules = List.copyOf(Objects.requireNonNull(only, "only must not be null"));
            more.clear();
            settings.discoversRules(false);
            return this;
        }

        /** Switches findings of that id off. */
        public Builder without(String id) {
            settings.switchOff(Objects.requireNonNull(id, "id must not be null"));
            return this;
        }

        /**
         * Changes a number that rules compare with. Whether a rule has the {@linkplain Threshold#key() key} is known
         * when the monitor is built.
         *
         * @throws IllegalArgumentException if the value is not finite
         */
        public Builder threshold(String key, double value) {
            settings.threshold(Objects.requireNonNull(key, "key must not be null"), value);
            return this;
        }

        /** Adds a listener. */
        public Builder listener(FindingListener listener) {
            settings.listeners().add(Objects.requireNonNull(listener, "listener must not be null"));
            return this;
        }

        /**
         * Builds the monitor and starts it.
         *
         * @return a monitor that watches all pools, present and future, until it is closed
         * @throws IllegalArgumentException if a threshold was set that no rule {@linkplain Rule#thresholds() has}
         */
        public PoolMonitor build() {
            return build(Begin.now());
        }

        private PoolMonitor build(Begin begin) {
            if (ModuleLayer.boot().findModule("java.management").isEmpty()) {
                throw new IllegalStateException("no monitor: this Java runtime has no module java.management, which"
                        + " 'jlink --add-modules java.management,...' adds");
            }
            MonitorSettings copy = new MonitorSettings(settings);
            copy.rules().addAll(rules);
            copy.rules().addAll(more);
            PoolMonitor monitor = new PoolMonitor(copy, MonitorClock.SYSTEM, isGlobal);
            try {
                for (Map.Entry<String, Double> each : settings.thresholds().entrySet()) {
                    monitor.threshold(each.getKey(), each.getValue());
                }
                return monitor.start(isGlobal, begin);
            } catch (Throwable e) {
                monitor.close();
                throw e;
            }
        }
    }
}
