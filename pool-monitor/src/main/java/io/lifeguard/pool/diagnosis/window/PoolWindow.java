package io.lifeguard.pool.diagnosis.window;

import io.lifeguard.pool.PoolSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * One window of one pool: what happened between two snapshots, with the workers, the process and the windows before it.
 * Immutable.
 *
 * <p>Rates are per second. Times of type {@code double} are in seconds.
 */
public final class PoolWindow extends SnapshotPair {

    /** For how many windows of the usual length single ones are remembered, and how many minutes before them. */
    public static final int HISTORY = 60;

    /** The share of a window that may be missing: windows are sometimes a little shorter than planned. */
    private static final double MAY_BE_MISSING = 0.05;

    /**
     * What a window is about. The window of a pool has its name; another one has the name of what it is about in place
     * of a pool's.
     */
    public enum Subject {
        /** A pool. */
        POOL,
        /** A group of event loops. */
        EVENT_LOOPS,
        /** The virtual threads of the JVM. */
        VIRTUAL_THREADS,
        /** The threads of the JVM, which may wait for each other. */
        THREADS
    }

    private static final int MOVES = 10; // windows, in most of which a worker ends a task

    private final Subject subject;
    private final WindowFacts facts;
    private final SeenParts seen;
    private final double busiestPart; // the highest busiest() of windows that were joined before; otherwise 0
    private final List<PoolWindow> joined; // the windows that this one joins, latest first; empty when it joins none
    private final List<PoolWindow> earlier; // latest first, each without a history of its own
    private final List<PoolWindow> minutes; // the same

    /** By the number of windows. Twenty rules ask for few numbers of windows, and joining costs more than they do. */
    private final Map<Integer, PoolWindow> joins = new ConcurrentHashMap<>(4);

    private final Map<Class<?>, Object> known; // what was computed of this window, by its type

    private PoolWindow(Builder builder) {
        super(builder.before, builder.after);
        this.subject = builder.subject;
        this.facts = builder.facts.copy();
        this.seen = builder.seen();
        this.busiestPart = builder.busiestPart;
        this.joined = builder.joined;
        this.earlier = builder.earlier;
        this.minutes = builder.minutes;
        this.known = builder.known;
    }

    /**
     * Begins a window between two snapshots of the same pool. Tests of a rule build their windows here.
     *
     * @param before the earlier snapshot, not null
     * @param after the later snapshot, not null
     * @return a builder
     * @throws IllegalArgumentException if they are of pools with different names, or in the wrong order
     */
    public static Builder between(PoolSnapshot before, PoolSnapshot after) {
        return new Builder(before, after);
    }

    /** {@return when the window ended, by the wall clock} */
    public Instant end() {
        return facts.end;
    }

    /** {@return the stage of the pool's life at the end} */
    public PoolState state() {
        return facts.state;
    }

    /** {@return what is known of the process in this window} */
    public ProcessWindow process() {
        return seen.process();
    }

    /** {@return the workers that were alive at the end; empty for pools whose workers cannot be followed} */
    public List<WorkerWindow> workers() {
        return seen.workers().all();
    }

    /** {@return where the workers' time went; all of it unknown when the workers were not looked at} */
    public TimeBreakdown breakdown() {
        return seen.breakdown();
    }

    /** {@return what limits the pool's throughput; changes only when as much evidence speaks for the change} */
    public Bottleneck bottleneck() {
        return facts.bottleneck;
    }

    /** {@return what the window is about} */
    public Subject subject() {
        return subject;
    }

    /**
     * {@return what else was seen, by its type; empty if nothing was} The types are known to the library's own rules.
     *
     * @param <T> the type of what was seen
     * @param type the same, not null
     */
    public <T> Optional<T> seen(Class<T> type) {
        return Optional.ofNullable(type.cast(facts.seen.get(type)));
    }

    /**
     * {@return the queues of virtual threads that wait for the same thing, in executors with a thread per task; empty
     * in windows of pools}
     */
    public List<WaitingThreads> waitingThreads() {
        return facts.waitingThreads;
    }

    /**
     * {@return the operating system's times of all workers together; empty unless they are known for at least nine in
     * ten workers}
     *
     * <p>The sum is scaled up to the workers, and to the joined windows, for which the times are unknown.
     */
    public Optional<ThreadTimes> workerTimes() {
        return seen.workers().times();
    }

    /**
     * {@return the value to compare with: what users have set, otherwise the default}
     *
     * @param threshold not null
     */
    public double threshold(Threshold threshold) {
        return facts.thresholds.getOrDefault(threshold.key(), threshold.value());
    }

    /**
     * {@return for the other pools, by name, the pools for whose results their workers wait}
     *
     * <p>As the latest windows show; pools that wait for none are absent. Rules find chains and cycles of pools here.
     *
     * <p>From outside it cannot be seen which pool has an awaited task. Then there is one entry at most, that of this
     * pool: the pools that wait only for each other, this one included.
     */
    public Map<String, Set<String>> waitsOfOthers() {
        return facts.waitsOfOthers;
    }

    /**
     * {@return the external pools of which no thread was idle lately: the number of threads by the beginning of their
     * names}
     *
     * <p>Within the process only looked for while many workers wait for results of unknown origin. Empty otherwise, in
     * a recording, and where there are too many to tell. Who brings the results is one of them, or none.
     */
    public Map<String, Integer> busyThreads() {
        return facts.busyThreads;
    }

    /**
     * {@return how many bytes of heap the process could still use when the window ended; garbage counts as used; empty
     * where that is unknown}
     */
    public OptionalLong freeHeap() {
        return facts.freeHeap;
    }

    /**
     * {@return what is computed of this window, which is done once; it travels with the window when the bottleneck is
     * decided}
     *
     * @param <T> the type of what is computed
     * @param type of what is computed, not null
     * @param compute must not read the {@linkplain #bottleneck() decision}, nor compute the same; not null
     */
    public <T> T once(Class<T> type, Function<? super PoolWindow, T> compute) {
        Object before = known.get(type);
        if (before == null) {
            T computed = compute.apply(this);
            known.put(type, computed);
            return computed;
        }
        return type.cast(before);
    }

    /**
     * {@return this window with the decision about what limits the pool, and with what was computed of it}
     *
     * @param decision not null
     */
    public PoolWindow decided(Bottleneck decision) {
        if (decision == bottleneck()) {
            return this;
        }
        Builder builder = toBuilder().bottleneck(decision);
        builder.known = known;
        return builder.build();
    }

    // ---- history ----

    /** {@return how many windows there are, this one included; at least 1} */
    public int windows() {
        return 1 + earlier.size();
    }

    /**
     * Joins this window and those before it.
     *
     * @param count how many windows to join, at least 1; as many as there are if that is fewer
     * @return one window from the first one's beginning to this one's end
     * @throws IllegalArgumentException if count is less than 1
     */
    public PoolWindow last(int count) {
        List<PoolWindow> parts = parts(count);
        if (parts.size() == 1) {
            return this;
        }
        PoolWindow known = joins.get(parts.size());
        if (known == null) { // several threads may join the same
            known = joined(parts);
            joins.put(parts.size(), known);
        }
        return known;
    }

    /**
     * Joins this window and those before it.
     *
     * @param time how much time to cover, positive. Up to 5 % of a window may be missing, as windows may be shorter
     *     than planned
     * @return one window, made of as few windows as cover that time; of all there are, if they are shorter together
     * @throws IllegalArgumentException if the time is not positive
     */
    public PoolWindow last(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("time must be > 0 (was " + time + ")");
        }
        double missing = time.toNanos() - (double) nanos();
        int count = 1;
        for (PoolWindow part : earlier) {
            if (missing <= MAY_BE_MISSING * part.nanos()) {
                break;
            }
            missing -= part.nanos();
            count++;
        }
        return last(count);
    }

    /**
     * Joins this window and those before it.
     *
     * @param seconds a threshold that is a number of seconds, not null; a negative number counts as 0
     * @return the same as {@link #last(Duration)}
     */
    public PoolWindow last(Threshold seconds) {
        long nanos = Math.round(threshold(seconds) * 1e9);
        return last(Duration.ofNanos(Math.max(1, nanos)));
    }

    /**
     * {@return whether this window is so long; a twentieth may be missing, as windows may be shorter than planned}
     *
     * @param seconds how long it has to be
     */
    public boolean lasts(double seconds) {
        return lasts(seconds(), seconds);
    }

    /**
     * {@return whether a time is as long as another one; a twentieth may be missing}
     *
     * @param seen the time that windows have covered, in seconds
     * @param wanted how long it has to be, in seconds
     */
    public static boolean lasts(double seen, double wanted) {
        return seen >= (1 - MAY_BE_MISSING) * wanted;
    }

    private PoolWindow joined(List<PoolWindow> parts) {
        PoolWindow oldest = parts.get(parts.size() - 1);
        Builder builder = new Builder(this, oldest.before());
        builder.joined = parts;
        builder.facts.failuresBefore = oldest.failuresBefore();
        builder.earlier = earlier.subList(parts.size() - 1, earlier.size());
        return builder.build();
    }

    /**
     * {@return this window and those before it, one by one, latest first}
     *
     * @param count how many windows, at least 1; as many as there are if that is fewer
     * @throws IllegalArgumentException if count is less than 1
     */
    public List<PoolWindow> parts(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count must be >= 1 (was " + count + ")");
        }
        if (count == 1 || earlier.isEmpty()) {
            return List.of(this);
        }
        List<PoolWindow> parts = new ArrayList<>(Math.min(count, windows()));
        parts.add(this);
        parts.addAll(earlier.subList(0, Math.min(count, windows()) - 1));
        return Collections.unmodifiableList(parts);
    }

    /** {@return the windows before this one, latest first; they have no history of their own} */
    public List<PoolWindow> earlier() {
        return earlier;
    }

    /**
     * {@return the last hour in coarse windows, latest first, at most sixty, without workers and breakdown}
     *
     * <p>Each of them is as long as sixty windows of the usual length: a minute, unless that length was changed. One
     * before a disturbance is at least a sixth of that. The list is empty until the pool has been watched for as long
     * as one of them is.
     */
    public List<PoolWindow> minutes() {
        return minutes;
    }

    /** {@return a builder that holds all parts of this window, its history included} */
    public Builder toBuilder() {
        return new Builder(this, before());
    }

    /**
     * {@return the failures that had not been seen when this window began, counted since the pool was created}
     *
     * <p>Windows right before this one may not have been judged, because everything stood still. Then these are the
     * failures before the first of those windows: a future that was collected during a long pause is counted as lost,
     * too.
     */
    public List<PoolSnapshot.Unseen> failuresBefore() {
        return facts.failuresBefore;
    }

    // ---- what happened ----

    /**
     * {@return the highest number of busy workers that was seen, at least {@link #busyWorkers()}}
     *
     * <p>Seen are the moments at which a window began or ended, and the mean over each window.
     */
    public double busiest() {
        double most = busiestPart;
        for (PoolWindow part : joined) {
            most = Math.max(most, part.busiest());
        }
        return Math.max(most, occupancy().busiest());
    }

    /**
     * {@return whether tasks waited all the time, so that more workers would have had something to do}
     *
     * <p>A task was queued or a submitter waited at both ends, and the workers were busy for at least 95 % of the time.
     * The other 5 % allow for changing tasks, starting threads and looking at two moments.
     *
     * <p>Where the queue is unknown, workers that were never seen idle show it, if they were switched on and off their
     * CPUs in the last ten windows: a worker that has to wait for its next task is idle in between.
     */
    public boolean isSaturated() {
        if (countsQueue()) {
            return occupancy().isSaturated();
        }
        List<WorkerWindow> each = new ArrayList<>();
        for (PoolWindow part : parts(MOVES)) {
            each.addAll(part.workers());
        }
        return NeverIdle.in(breakdown(), each);
    }

    /** Builds a window. Not thread-safe. No argument may be null; collections are copied. */
    @SuppressWarnings("doclint:missing") // all setters return this builder
    public static final class Builder {
        private final PoolSnapshot before;
        private final PoolSnapshot after;
        private final WindowFacts facts;
        private Subject subject = Subject.POOL;
        private ProcessWindow process;
        private WorkerParts workers;
        private TimeBreakdown breakdown;
        private Map<Class<?>, Object> known = new ConcurrentHashMap<>(4);
        private double busiestPart;
        private List<PoolWindow> joined = List.of();
        private List<PoolWindow> earlier = List.of();
        private List<PoolWindow> minutes = List.of();

        private Builder(PoolWindow window, PoolSnapshot before) {
            this.before = before;
            this.after = window.after();
            this.subject = window.subject;
            this.facts = window.facts.copy();
            this.process = window.process();
            this.workers = window.seen.workers();
            this.breakdown = window.breakdown();
            this.busiestPart = window.joined.isEmpty() ? window.busiestPart : window.busiest();
            this.earlier = window.earlier;
            this.minutes = window.minutes;
        }

        private Builder(PoolSnapshot before, PoolSnapshot after) {
            check(before, after);
            this.before = before;
            this.after = after;
            this.facts = new WindowFacts(before.unseenFailures());
            this.process = ProcessWindow.unknown(Runtime.getRuntime().availableProcessors());
            this.workers = WorkerParts.NONE;
            this.breakdown = TimeBreakdown.unknown(after.size());
        }

        private SeenParts seen() {
            if (joined.isEmpty()) {
                return new SeenParts(process, workers, breakdown);
            }
            List<SeenParts> parts = new ArrayList<>();
            List<Double> seconds = new ArrayList<>();
            for (PoolWindow part : joined) {
                parts.add(part.seen);
                seconds.add(part.seconds());
            }
            return new SeenParts(parts, seconds);
        }

        /** Sets when the window ended, by the wall clock; the epoch until told otherwise. */
        public Builder end(Instant when) {
            facts.end = Objects.requireNonNull(when, "end must not be null");
            return this;
        }

        /** Sets the stage of the pool's life at the end; running until told otherwise. */
        public Builder state(PoolState now) {
            facts.state = Objects.requireNonNull(now, "state must not be null");
            return this;
        }

        /** Sets what is known of the process; nothing until told otherwise. */
        public Builder process(ProcessWindow what) {
            process = Objects.requireNonNull(what, "process must not be null");
            return this;
        }

        /** Sets the workers; none until told otherwise. */
        public Builder workers(List<WorkerWindow> all) {
            workers = new WorkerParts(List.of(List.copyOf(all)), List.of(Occupancy.seconds(before, after)));
            return this;
        }

        /** Sets where the workers' time went; all of it unknown until told otherwise. */
        public Builder breakdown(TimeBreakdown times) {
            breakdown = Objects.requireNonNull(times, "breakdown must not be null");
            return this;
        }

        /** Sets what limits the pool's throughput; unknown until told otherwise. */
        public Builder bottleneck(Bottleneck limit) {
            facts.bottleneck = Objects.requireNonNull(limit, "bottleneck must not be null");
            return this;
        }

        /** Sets the names of awaited pools, by the name of another pool that waits; for none until told otherwise. */
        public Builder waitsOfOthers(Map<String, Set<String>> byPool) {
            facts.waitsOfOthers = Map.copyOf(byPool);
            return this;
        }

        /**
         * Sets how many threads those external pools have that had no idle thread lately, by the beginning of their
         * names; none until told otherwise.
         */
        public Builder busyThreads(Map<String, Integer> byName) {
            facts.busyThreads = Map.copyOf(byName);
            return this;
        }

        /** Sets how many bytes of heap the process could still use at the end; unknown until told otherwise. */
        public Builder freeHeap(OptionalLong bytes) {
            facts.freeHeap = Objects.requireNonNull(bytes, "freeHeap must not be null");
            return this;
        }

        /** Sets what the window is about; a pool until told otherwise. */
        public Builder subject(Subject what) {
            subject = Objects.requireNonNull(what, "subject must not be null");
            return this;
        }

        /** Adds what else was seen, by its type. */
        public <T> Builder seen(Class<T> type, T what) {
            Map<Class<?>, Object> all = new HashMap<>(facts.seen);
            all.put(type, what);
            facts.seen = all;
            return this;
        }

        /** Sets which virtual threads wait for the same things; none until told otherwise. */
        public Builder waitingThreads(List<WaitingThreads> lines) {
            facts.waitingThreads = List.copyOf(lines);
            return this;
        }

        /** Removes the workers and what they did, which rules look at in the latest windows only. */
        public Builder withoutWorkers() {
            workers = WorkerParts.NONE;
            breakdown = TimeBreakdown.unknown(after.size());
            return this;
        }

        /**
         * Sets the failures that had not been seen before, counted since the pool was created; those of the earlier
         * snapshot until told otherwise.
         */
        public Builder failuresBefore(List<PoolSnapshot.Unseen> failures) {
            facts.failuresBefore = List.copyOf(failures);
            return this;
        }

        /** Sets the windows right before this one, latest first; none until told otherwise. */
        public Builder earlier(List<PoolWindow> windows) {
            earlier = List.copyOf(windows);
            return this;
        }

        /**
         * Sets the {@linkplain PoolWindow#minutes() minutes} before this window, latest first, of which
         * {@value #HISTORY} are of use; none until told otherwise.
         */
        public Builder minutes(List<PoolWindow> windows) {
            minutes = List.copyOf(windows);
            return this;
        }

        /** Sets the values of the thresholds that were changed, by key; none until told otherwise. */
        public Builder thresholds(Map<String, Double> byKey) {
            facts.thresholds = Map.copyOf(byKey);
            return this;
        }

        /** {@return the window} */
        public PoolWindow build() {
            return new PoolWindow(this);
        }
    }
}
