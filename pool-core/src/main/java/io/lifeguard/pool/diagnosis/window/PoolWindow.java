package io.lifeguard.pool.diagnosis.window;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What happened in one pool between two snapshots, with what is known of its workers and of the process meanwhile, and
 * with the windows before it. Immutable.
 *
 * <p>Rates are per second, times in seconds where they are of type {@code double}.
 */
public final class PoolWindow {

    /** How many windows, and how many minutes before them, are remembered at most. */
    public static final int HISTORY = 60;

    private static final long ENDLESS = Integer.MAX_VALUE / 2;

    private final PoolSnapshot before;
    private final PoolSnapshot after;
    private final List<PoolSnapshot.Unseen>
            failuresBefore; // before the windows right before this one that were not judged
    private final Instant end;
    private final PoolState state;
    private final ProcessWindow process;
    private final WorkerParts workers;
    private final Optional<StackSample> stacks;
    private final Optional<EventLoopLooks> eventLoop;
    private final Map<String, Double> thresholds; // those that were changed, by key
    private final double busiestPart; // the most of those that were joined; 0 when none were
    private final List<PoolWindow> earlier; // latest first, each without a history of its own
    private final List<PoolWindow> minutes; // the same

    /** The latest window and those right before it, latest first, as one. */
    private PoolWindow(PoolWindow latest, List<PoolWindow> previous, List<PoolWindow> earlier) {
        ProcessWindow all = latest.process;
        double seconds = latest.seconds();
        double most = latest.busiest();
        Optional<StackSample> seen = latest.stacks;
        for (PoolWindow part : previous) {
            all = all.after(part.process, part.seconds(), seconds);
            seconds += part.seconds();
            most = Math.max(most, part.busiest());
            seen = seen.isPresent() ? seen : part.stacks;
        }
        PoolWindow first = previous.get(previous.size() - 1);
        this.before = first.before;
        this.failuresBefore = first.failuresBefore;
        this.after = latest.after;
        this.end = latest.end;
        this.state = latest.state;
        this.process = all;
        List<PoolWindow> parts =
                Stream.concat(Stream.of(latest), previous.stream()).toList();
        this.workers = new WorkerParts(
                parts.stream().map(PoolWindow::workers).toList(),
                parts.stream().map(PoolWindow::seconds).toList());
        this.stacks = seen;
        this.eventLoop = latest.eventLoop;
        this.thresholds = latest.thresholds;
        this.busiestPart = most;
        this.earlier = earlier;
        this.minutes = latest.minutes;
    }

    private PoolWindow(Builder builder) {
        this.before = builder.before;
        this.failuresBefore = builder.failuresBefore;
        this.after = builder.after;
        this.end = builder.end;
        this.state = builder.state;
        this.process = builder.process;
        this.workers = WorkerParts.of(builder.workers, seconds());
        this.stacks = builder.stacks;
        this.eventLoop = builder.eventLoop;
        this.thresholds = builder.thresholds;
        this.busiestPart = builder.busiestPart;
        this.earlier = builder.earlier;
        this.minutes = builder.minutes;
    }

    /**
     * Begins a window between two snapshots of the same pool, to test a {@link Rule} with, for instance.
     *
     * @param before the earlier snapshot, not null
     * @param after the later snapshot, not null
     * @return a builder
     * @throws IllegalArgumentException if they are of pools with different names, or in the wrong order
     */
    public static Builder between(PoolSnapshot before, PoolSnapshot after) {
        return new Builder(before, after);
    }

    /** {@return the pool's name} */
    public String pool() {
        return after.name();
    }

    /** {@return the snapshot at the beginning} */
    public PoolSnapshot before() {
        return before;
    }

    /** {@return the snapshot at the end} */
    public PoolSnapshot after() {
        return after;
    }

    /** {@return when the window ended, by the wall clock} */
    public Instant end() {
        return end;
    }

    /** {@return how long the window was, positive} */
    public Duration length() {
        return Duration.ofNanos(Math.max(1, after.nanoTime() - before.nanoTime()));
    }

    /** {@return how long the window was in seconds, positive} */
    public double seconds() {
        return Occupancy.seconds(before, after);
    }

    /** {@return what the pool was doing at the end} */
    public PoolState state() {
        return state;
    }

    /** {@return what is known of the process in this window} */
    public ProcessWindow process() {
        return process;
    }

    /**
     * The workers that were alive at the end.
     *
     * @return one entry each; empty for pools whose workers cannot be followed
     */
    public List<WorkerWindow> workers() {
        return workers.all();
    }

    /**
     * The workers' stacks.
     *
     * @return the sample; empty while no rule has asked for {@code Evidence.STACKS}
     */
    public Optional<StackSample> stacks() {
        return stacks;
    }

    /**
     * What an event loop was seen to do, in a window of an event loop. Such a window has the name of the loop's thread
     * in place of a pool's, and only rules that {@code examinesEventLoops()} are given it.
     *
     * @return the looks; empty in the windows of pools
     */
    public Optional<EventLoopLooks> eventLoop() {
        return eventLoop;
    }

    /**
     * What the operating system says of all workers together.
     *
     * @return the sum; empty unless it is known for at least nine in ten workers, and scaled up to all of them then,
     *     and to all of the joined windows if it is known for some of them only
     */
    public Optional<ThreadTimes> workerTimes() {
        return workers.times();
    }

    /**
     * The present value of a threshold.
     *
     * @param threshold not null
     * @return what users have set, else its default
     */
    public double threshold(Threshold threshold) {
        return thresholds.getOrDefault(threshold.key(), threshold.value());
    }

    // ---- history ----

    /**
     * How many windows there are, this one included.
     *
     * @return at least 1
     */
    public int windows() {
        return 1 + earlier.size();
    }

    /**
     * This window and those before it, as one.
     *
     * @param count how many windows to join, at least 1; as many as there are if that is fewer
     * @return the joined window: from the first one's beginning to this one's end. Its stacks are the latest that there
     *     are
     * @throws IllegalArgumentException if count is less than 1
     */
    public PoolWindow last(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count must be >= 1 (was " + count + ")");
        }
        int more = Math.min(count - 1, earlier.size());
        return more == 0 ? this : new PoolWindow(this, earlier.subList(0, more), earlier.subList(more, earlier.size()));
    }

    /**
     * The windows before this one.
     *
     * @return latest first; they have no history of their own
     */
    public List<PoolWindow> earlier() {
        return earlier;
    }

    /**
     * The last hour, coarsely: windows that each join sixty, so that they are a minute long unless the window's length
     * was changed; or ten at least, before one that was not judged since everything stood still.
     *
     * @return latest first, at most sixty, without workers and stacks; none before the pool has been watched for as
     *     long as one of them is
     */
    public List<PoolWindow> minutes() {
        return minutes;
    }

    /**
     * Begins a copy of this window.
     *
     * @return a builder that holds all parts of this window, its history included
     */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /**
     * The failures that nobody had seen when this window began. Where windows right before it were not judged, because
     * everything stood still, these are the failures before the first of those: a future that was collected during a
     * long pause is counted as lost, too.
     *
     * @return the failures, counted since the pool was created
     */
    public List<PoolSnapshot.Unseen> failuresBefore() {
        return failuresBefore;
    }

    // ---- what happened ----

    /** {@return how many tasks were accepted} */
    public long submitted() {
        return after.submitted() - before.submitted();
    }

    /** {@return how many tasks workers ran to their end} */
    public long completed() {
        return after.completed() - before.completed();
    }

    /** {@return how many tasks ended with an exception} */
    public long failed() {
        return after.failed() - before.failed();
    }

    /** {@return how many tasks were turned away} */
    public long rejected() {
        return after.rejected() - before.rejected();
    }

    /** {@return how many tasks were run by their submitters} */
    public long callerRuns() {
        return after.callerRuns() - before.callerRuns();
    }

    /** {@return how many tasks were accepted per second} */
    public double arrivalRate() {
        return submitted() / seconds();
    }

    /** {@return how many tasks workers ran to their end per second} */
    public double throughput() {
        return completed() / seconds();
    }

    /**
     * Queue wait of the tasks begun in this window.
     *
     * @return count and sum
     */
    public Span queueWait() {
        return Span.between(before.queueWait(), after.queueWait());
    }

    /**
     * Wall time of the tasks ended in this window. A long task belongs to the window in which it ends, so see
     * {@link #busyWorkers()} for how busy the pool was.
     *
     * @return count and sum
     */
    public Span serviceTime() {
        return Span.between(before.serviceTime(), after.serviceTime());
    }

    /**
     * CPU time of the tasks.
     *
     * @return count and sum; empty where CPU time is unknown
     */
    public Optional<Span> cpuTime() {
        return before.cpuTime().isKnown() && after.cpuTime().isKnown()
                ? Optional.of(Span.between(before.cpuTime(), after.cpuTime()))
                : Optional.empty();
    }

    /**
     * How long submitters waited for room.
     *
     * @return count and sum of the waits that ended in this window
     */
    public Span blockedSubmit() {
        return Span.between(before.blockedSubmit(), after.blockedSubmit());
    }

    /**
     * How long submitters ran tasks themselves.
     *
     * @return count and sum of the runs that ended in this window
     */
    public Span callerRunTime() {
        return Span.between(before.callerRunTime(), after.callerRunTime());
    }

    /**
     * How many workers were busy, in the mean over the window.
     *
     * @return between 0 and the number of workers
     */
    public double busyWorkers() {
        return Occupancy.busyWorkers(before, after);
    }

    /**
     * How many workers were busy at most, as far as can be seen: at the moments at which a window began or ended, or in
     * the mean over one. Of joined windows, the most in any of them.
     *
     * @return at least {@link #busyWorkers()}
     */
    public double busiest() {
        return Math.max(busiestPart, Occupancy.busiest(before, after));
    }

    /**
     * The share of its workers that were busy, in the mean over the window.
     *
     * @return 0 to 1; 0 when there were no workers
     */
    public double utilisation() {
        return Occupancy.utilisation(before, after);
    }

    /**
     * Whether tasks waited all the time: something was queued, or a submitter waited, at both ends, and at least 95 %
     * of the workers' time was busy. The 5 % are what changing tasks, starting threads and looking at two moments leave
     * open.
     *
     * @return true when more workers would have had something to do
     */
    public boolean isSaturated() {
        return Occupancy.isSaturated(before, after);
    }

    /**
     * How many tasks the queue takes.
     *
     * @return its capacity; {@link Integer#MAX_VALUE} when it has no bound, 0 when tasks are handed over directly
     */
    public int queueCapacity() {
        long places = (long) after.limits().queueRemaining() + after.queued();
        return places >= ENDLESS ? Integer.MAX_VALUE : (int) places;
    }

    /**
     * Whether the queue takes any number of tasks.
     *
     * @return true when it has no bound, or one that memory sets before: a linked queue of the JDK's counts down from
     *     {@link Integer#MAX_VALUE}
     */
    public boolean isQueueUnbounded() {
        return queueCapacity() == Integer.MAX_VALUE;
    }

    @Override
    public String toString() {
        return Units.format(
                "%s, %.3f s: %d in, %d out, %.1f of %d busy, %d queued",
                pool(), seconds(), submitted(), completed(), busyWorkers(), after.size(), after.queued());
    }

    /** Builds a window. Not thread-safe. */
    public static final class Builder {
        private final PoolSnapshot before;
        private final PoolSnapshot after;
        private Instant end = Instant.EPOCH;
        private PoolState state = PoolState.RUNNING;
        private ProcessWindow process =
                ProcessWindow.unknown(Runtime.getRuntime().availableProcessors());
        private List<WorkerWindow> workers = List.of();
        private Optional<StackSample> stacks = Optional.empty();
        private Optional<EventLoopLooks> eventLoop = Optional.empty();
        private Map<String, Double> thresholds = Map.of();
        private double busiestPart;
        private List<PoolSnapshot.Unseen> failuresBefore;
        private List<PoolWindow> earlier = List.of();
        private List<PoolWindow> minutes = List.of();

        private Builder(PoolWindow window) {
            this.before = window.before;
            this.after = window.after;
            this.end = window.end;
            this.state = window.state;
            this.process = window.process;
            this.workers = window.workers();
            this.stacks = window.stacks;
            this.eventLoop = window.eventLoop;
            this.thresholds = window.thresholds;
            this.busiestPart = window.busiestPart;
            this.failuresBefore = window.failuresBefore;
            this.earlier = window.earlier;
            this.minutes = window.minutes;
        }

        private Builder(PoolSnapshot before, PoolSnapshot after) {
            if (!before.name().equals(after.name())) {
                throw new IllegalArgumentException(
                        "both snapshots must be of one pool (were of " + before.name() + " and " + after.name() + ")");
            }
            if (after.nanoTime() - before.nanoTime() < 0) {
                throw new IllegalArgumentException("the second snapshot of " + after.name()
                        + " must be the later one (was " + (before.nanoTime() - after.nanoTime()) + " ns earlier)");
            }
            this.before = before;
            this.after = after;
            this.failuresBefore = before.unseenFailures();
        }

        /**
         * Sets when the window ended; the epoch until told otherwise.
         *
         * @param when wall-clock time, not null
         * @return this
         */
        public Builder end(Instant when) {
            end = Objects.requireNonNull(when, "end must not be null");
            return this;
        }

        /**
         * Sets what the pool was doing at the end; running until told otherwise.
         *
         * @param now not null
         * @return this
         */
        public Builder state(PoolState now) {
            state = Objects.requireNonNull(now, "state must not be null");
            return this;
        }

        /**
         * Sets what is known of the process; nothing until told otherwise.
         *
         * @param what not null
         * @return this
         */
        public Builder process(ProcessWindow what) {
            process = Objects.requireNonNull(what, "process must not be null");
            return this;
        }

        /**
         * Sets the workers; none until told otherwise.
         *
         * @param all not null, is copied
         * @return this
         */
        public Builder workers(List<WorkerWindow> all) {
            workers = List.copyOf(all);
            return this;
        }

        /**
         * Sets the sampled stacks; none until told otherwise.
         *
         * @param sample not null
         * @return this
         */
        public Builder stacks(StackSample sample) {
            stacks = Optional.of(sample);
            return this;
        }

        /**
         * Makes this the window of an event loop; of a pool until told otherwise.
         *
         * @param looks what the loop was seen to do, not null
         * @return this
         */
        public Builder eventLoop(EventLoopLooks looks) {
            eventLoop = Optional.of(looks);
            return this;
        }

        /**
         * Removes the workers and their stacks, which rules look at in the latest windows only.
         *
         * @return this
         */
        public Builder withoutWorkers() {
            workers = List.of();
            stacks = Optional.empty();
            return this;
        }

        /**
         * Sets the failures that nobody had seen before; those of the earlier snapshot until told otherwise.
         *
         * @param failures counted since the pool was created, not null, is copied
         * @return this
         */
        public Builder failuresBefore(List<PoolSnapshot.Unseen> failures) {
            failuresBefore = List.copyOf(failures);
            return this;
        }

        /**
         * Sets the windows right before this one; none until told otherwise.
         *
         * @param windows latest first, not null, is copied; at most {@value #HISTORY} are of use
         * @return this
         */
        public Builder earlier(List<PoolWindow> windows) {
            earlier = List.copyOf(windows);
            return this;
        }

        /**
         * Sets the {@linkplain PoolWindow#minutes() minutes} before this window; none until told otherwise.
         *
         * @param windows latest first, not null, is copied; at most {@value #HISTORY} are of use
         * @return this
         */
        public Builder minutes(List<PoolWindow> windows) {
            minutes = List.copyOf(windows);
            return this;
        }

        /**
         * Sets the thresholds that were changed; none until told otherwise.
         *
         * @param byKey their values by key, not null, is copied
         * @return this
         */
        public Builder thresholds(Map<String, Double> byKey) {
            thresholds = Map.copyOf(byKey);
            return this;
        }

        /**
         * Builds the window.
         *
         * @return the window
         */
        public PoolWindow build() {
            return new PoolWindow(this);
        }
    }
}
