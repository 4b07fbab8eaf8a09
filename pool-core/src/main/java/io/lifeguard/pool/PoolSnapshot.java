package io.lifeguard.pool;

import io.lifeguard.pool.Distribution.Accuracy;
import io.lifeguard.pool.measure.KindReading;
import io.lifeguard.pool.measure.PoolReading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The measurements of a pool since its creation: cumulative counts, five distributions, and its present state.
 * Immutable.
 *
 * <p>A snapshot never shows more tasks completed than submitted. When the pool is at rest, {@code submitted = completed
 * + queued + removed} exactly. The <em>removed</em> tasks were taken out of the queue again: by {@code remove},
 * {@code purge} or {@code shutdownNow}, by code that takes tasks from {@code getQueue()}, or by a
 * {@code DiscardOldestPolicy}. The snapshot counts the last ones only, as {@link RejectionReason#DISCARDED_OLDEST}.
 *
 * <p>A sum of durations stops at 292 years ({@link Long#MAX_VALUE} ns). Ten million tasks of 30 minutes take longer.
 *
 * @param name the pool's name
 * @param nanoTime {@link System#nanoTime()} when the snapshot was taken
 * @param load the workers and the queue at that moment
 * @param limits what the pool may grow to
 * @param counts how many tasks were submitted, completed, and so on
 * @param times how long tasks waited and ran
 * @param saturation what happened when the pool was full
 * @param unseenFailures failed tasks whose exception no code has seen, most first; at most 16 entries, and one for the
 *     rest
 * @param kinds the tasks by kind, most wall time first: the class of the task, the owner of a lambda, or the name the
 *     task was {@linkplain Tasks#named given}. At most 128 kinds; later ones are counted as {@code (other)}
 * @param overhead what the pool itself costs: measuring, and CPU time of workers without a task
 */
public record PoolSnapshot(
        String name,
        long nanoTime,
        Load load,
        Limits limits,
        Counts counts,
        Times times,
        Saturation saturation,
        List<Unseen> unseenFailures,
        List<TaskKind> kinds,
        Overhead overhead) {

    /** The number of tasks that were submitted or completed, or that are queued, where it is unknown. */
    public static final long UNKNOWN = -1;

    /** Stands for all threads, kinds or failures beyond the number that is kept apart. */
    static final String OTHER = "(other)";

    /** Copies the lists. */
    public PoolSnapshot {
        unseenFailures = List.copyOf(unseenFailures);
        kinds = List.copyOf(kinds);
    }

    /**
     * Makes a builder for pools that are measured by other means, and for tests.
     *
     * @param name the pool's name, not null
     * @return a builder of a snapshot taken now, of a pool without workers and tasks, whose times are unknown
     */
    public static Builder builder(String name) {
        return new Builder(Objects.requireNonNull(name, "name must not be null"));
    }

    /** {@return a new builder that begins with the values of this snapshot} */
    public Builder toBuilder() {
        return new Builder(name)
                .nanoTime(nanoTime)
                .load(load)
                .limits(limits)
                .counts(counts)
                .times(times)
                .saturation(saturation)
                .unseenFailures(unseenFailures)
                .kinds(kinds)
                .overhead(overhead);
    }

    /** {@return workers alive} */
    public int size() {
        return load.size();
    }

    /** {@return workers that run a task} */
    public int active() {
        return load.active();
    }

    /** {@return tasks waiting in the queue; {@value #UNKNOWN} if unknown} */
    public int queued() {
        return load.queued();
    }

    /** {@return whether the number of queued tasks is known; false for a pool in another JVM} */
    public boolean countsQueue() {
        return load.queued() != UNKNOWN;
    }

    /** {@return tasks that were {@linkplain Counts#submitted accepted}; {@value #UNKNOWN} if unknown} */
    public long submitted() {
        return counts.submitted();
    }

    /** {@return tasks that workers {@linkplain Counts#completed ran to their end}; {@value #UNKNOWN} if unknown} */
    public long completed() {
        return counts.completed();
    }

    /**
     * {@return whether the numbers of tasks submitted and completed are known; false for an external pool that does not
     * count tasks}
     *
     * <p>Where they are unknown, {@link #submitted()} and {@link #completed()} are {@value #UNKNOWN}.
     */
    public boolean countsTasks() {
        return counts.completed() != UNKNOWN;
    }

    /** {@return tasks that ended with an exception} */
    public long failed() {
        return counts.failed();
    }

    /** {@return tasks that were {@linkplain Counts#rejected turned away}} */
    public long rejected() {
        return counts.rejected();
    }

    /** {@return tasks run by the thread that submitted them because the pool was saturated} */
    public long callerRuns() {
        return counts.callerRuns();
    }

    /** {@return the time from acceptance to the start of the run; for scheduled tasks their lateness} */
    public Distribution queueWait() {
        return times.queueWait();
    }

    /** {@return the wall time of the runs} */
    public Distribution serviceTime() {
        return times.serviceTime();
    }

    /** {@return the CPU time that the runs burnt} */
    public Distribution cpuTime() {
        return times.cpuTime();
    }

    /** {@return how long submitters waited for room, whether they got it or not} */
    public Distribution blockedSubmit() {
        return times.blockedSubmit();
    }

    /** {@return the wall time of the tasks that callers ran} */
    public Distribution callerRunTime() {
        return times.callerRunTime();
    }

    /** {@return the snapshot as a table for people: several lines, each ending with a line separator} */
    public String toTable() {
        return new SnapshotTable(this).render();
    }

    /** Shows the most important numbers in one line. */
    @Override
    public String toString() {
        return SnapshotTable.line(this);
    }

    /**
     * The workers and the queue at the moment of the snapshot.
     *
     * @param size workers alive
     * @param active workers that run a task
     * @param queued tasks waiting in the queue; {@link #UNKNOWN} if unknown
     * @param oldestQueued age of the queue's head, in a pool for scheduled tasks how late the head is; zero when the
     *     queue is empty or cannot tell
     */
    public record Load(int size, int active, int queued, Duration oldestQueued) {}

    /**
     * The sizes that the pool may grow to.
     *
     * @param coreSize workers that stay
     * @param maximumSize workers at most
     * @param queueRemaining free places in the queue; {@link Integer#MAX_VALUE} when it has no bound
     */
    public record Limits(int coreSize, int maximumSize, int queueRemaining) {}

    /**
     * The numbers of tasks that came to the pool since it was created, and what became of them.
     *
     * @param submitted tasks that were accepted. A task that its caller ran is not counted, nor a rejected one, unless
     *     it was {@linkplain RejectionReason#DISCARDED_OLDEST discarded as the oldest} later. Each further run of a
     *     periodic task counts as one
     * @param completed tasks that workers ran to their end, including the failed and, as in the JDK, the cancelled
     * @param failed tasks that ended with an exception, whether it was thrown or is kept in a future
     * @param rejected tasks turned away, for any {@linkplain Saturation#rejections() reason} except
     *     {@link RejectionReason#LEFT_TO_HANDLER}
     * @param callerRuns tasks run by the thread that submitted them because the pool was saturated
     * @param eventsDropped events that a slow {@link PoolListener} missed
     */
    public record Counts(
            long submitted, long completed, long failed, long rejected, long callerRuns, long eventsDropped) {}

    /**
     * The times for which tasks waited and ran since the pool was created.
     *
     * @param queueWait from acceptance to the start of the run; for scheduled tasks their lateness
     * @param serviceTime wall time of the runs
     * @param cpuTime CPU time that the runs burnt
     * @param blockedSubmit how long submitters waited for room, whether they got it or not
     * @param callerRunTime wall time of the tasks that callers ran
     * @param idle how long workers were idle, summed over all workers
     */
    public record Times(
            Distribution queueWait,
            Distribution serviceTime,
            Distribution cpuTime,
            Distribution blockedSubmit,
            Distribution callerRunTime,
            Duration idle) {

        private static final String NO_CPU_CLOCK = "the CPU time of this pool is unknown: its threads have no CPU clock"
                + " (virtual threads, or a system or JVM that does not measure it), or none of its few tasks was chosen"
                + " for the sample yet";

        /** The recorders' times; {@code cpuNanos} is the CPU time of all tasks. */
        private static Times of(PoolReading reading, Accuracy queueWaitAccuracy, long cpuNanos) {
            return new Times(
                    new SnapshotDistribution(reading.queueWait(), queueWaitAccuracy),
                    new SnapshotDistribution(reading.service(), Accuracy.EXACT),
                    reading.cpuKnown()
                            ? new SnapshotDistribution(
                                    reading.cpu(), reading.completed(), cpuNanos, Accuracy.SAMPLED, null)
                            : Distribution.unknown(NO_CPU_CLOCK),
                    new SnapshotDistribution(reading.blockedSubmit(), Accuracy.EXACT),
                    new SnapshotDistribution(reading.callerRun(), Accuracy.EXACT),
                    Duration.ofNanos(Math.max(0, reading.idleNanos())));
        }
    }

    /**
     * The events of times when the pool was full.
     *
     * @param blockedNow submitters that wait for room now
     * @param workerRuns tasks that a worker submitted to its own full pool, or to a full pool whose workers wait for
     *     the worker's pool. The worker ran them at once, because waiting would be a deadlock
     * @param workerRunTime total wall time of those tasks
     * @param rejections tasks turned away, by reason; reasons that did not occur are absent
     * @param callers the threads that ran tasks themselves, busiest first; at most 32, and one entry for the rest. Of
     *     an external pool those that were seen doing it
     * @param eventLoops the threads that must not block and yet ran tasks or waited, busiest first; at most 32, and one
     *     entry for the rest
     * @param cycles the cycles of full pools in which this pool was found, most frequent first; at most 8, and one
     *     entry for the rest
     */
    public record Saturation(
            int blockedNow,
            long workerRuns,
            Duration workerRunTime,
            Map<RejectionReason, Long> rejections,
            List<Caller> callers,
            List<EventLoop> eventLoops,
            List<Cycle> cycles) {

        /** The value of a pool that was never full. */
        public static final Saturation NONE =
                new Saturation(0, 0, Duration.ZERO, Map.of(), List.of(), List.of(), List.of());

        /** Copies the collections. */
        public Saturation {
            rejections = Map.copyOf(rejections);
            callers = List.copyOf(callers);
            eventLoops = List.copyOf(eventLoops);
            cycles = List.copyOf(cycles);
        }

        /** Tasks turned away. Leaves out tasks that a user's own handler got, because their fate is unknown. */
        long rejected() {
            long rejected = 0;
            for (long each : rejections.values()) {
                rejected += each;
            }
            return rejected - rejections.getOrDefault(RejectionReason.LEFT_TO_HANDLER, 0L);
        }
    }

    /**
     * Full pools whose workers all waited for room in each other: a deadlock, had they gone on waiting.
     *
     * @param pools their names in alphabetical order, this pool included; {@code (other)} alone for all cycles beyond
     *     the eighth together. An executor that is not instrumented has no name here, and is listed as {@code an
     *     executor that is not instrumented}
     * @param broken how often a worker did not wait for room in this pool then. Its task was enqueued beyond the
     *     capacity of the queue; if the queue does not allow that, the worker ran it
     */
    public record Cycle(List<String> pools, long broken) {

        /** Copies the list. */
        public Cycle {
            pools = List.copyOf(pools);
        }
    }

    /**
     * A thread that ran tasks of this pool because the pool was saturated.
     *
     * @param thread its name
     * @param runs how many tasks it ran; of an external pool how often it was seen running one
     * @param time total wall time of those runs; of an external pool an estimate from these looks
     * @param idleWorkers mean number of workers that were idle meanwhile, weighted by time
     */
    public record Caller(String thread, long runs, Duration time, double idleWorkers) {

        /** {@return whether this entry stands for all threads beyond the 32nd together} */
        public boolean isOther() {
            return thread.equals(OTHER);
        }
    }

    /**
     * A thread that must not block (an event loop of Netty or Vert.x, a non-blocking thread of Reactor) and that this
     * pool held up.
     *
     * @param thread its name; {@code (other)} for all threads beyond the 32nd together
     * @param runs how many tasks it ran because the pool was saturated
     * @param runTime total wall time of those runs
     * @param waits how often it waited for room, because the policy allows it to
     * @param waitTime total time that it waited
     */
    public record EventLoop(String thread, long runs, Duration runTime, long waits, Duration waitTime) {

        /** {@return whether this entry stands for all threads beyond the 32nd together} */
        public boolean isOther() {
            return thread.equals(OTHER);
        }
    }

    /**
     * Failures of one kind of task, with one class of exception, that no code has seen.
     *
     * <p>The exception of a {@code submit}ted task is kept in its future, and the exception of a periodic task ends
     * that task in silence. An exception of a task that was given to {@code execute} is never unseen: it reaches the
     * thread's uncaught-exception handler.
     *
     * @param kind kind of the tasks
     * @param exception class of the exception
     * @param lost futures that were garbage-collected before anybody asked for their result. Cumulative, and a lower
     *     bound: of a flood of failures only some are followed
     * @param waiting futures that no code has asked for their result yet, among those that are followed
     * @param oldestWaiting how long ago the first of those failed; zero when there is none
     * @param stopped periodic tasks that will never run again because they threw, and that were not scheduled anew
     */
    public record Unseen(
            String kind, String exception, long lost, long waiting, Duration oldestWaiting, long stopped) {}

    /**
     * The tasks of one kind.
     *
     * @param name the kind
     * @param count tasks that ran
     * @param wall their total wall time
     * @param cpu their total CPU time, from an unbiased sample where tasks are short; zero where CPU time is
     *     {@linkplain PoolSnapshot#cpuTime() unknown}
     * @param queueWait their total queue wait, as far as it is known
     */
    public record TaskKind(String name, long count, Duration wall, Duration cpu, Duration queueWait) {

        private static List<TaskKind> of(PoolReading reading) {
            List<TaskKind> kinds = new ArrayList<>();
            for (KindReading kind : reading.kinds()) {
                kinds.add(new TaskKind(
                        kind.kind(),
                        kind.count(),
                        Duration.ofNanos(kind.wallNanos()),
                        Duration.ofNanos(Math.max(0, kind.cpuNanos())),
                        Duration.ofNanos(kind.waitNanos())));
            }
            if (kinds.size() > 1) { // the classes of a comparison are loaded only then
                kinds.sort(Comparator.comparing(TaskKind::wall).reversed());
            }
            return List.copyOf(kinds);
        }
    }

    /**
     * The costs of the pool beside its tasks: measuring, and the CPU time of workers that have no task.
     *
     * <p>The cost of measuring is an estimate. It is the number of clock reads and recorded tasks, times the unit costs
     * on this machine in compiled code. The first thousands of tasks of a JVM cost more. The first snapshots measure
     * the unit costs, which takes them 1 to 10 ms. The cheapest measurement counts, so the figure falls at first.
     * Recording also evicts other data from the CPU caches. The estimate leaves that out; with it, measuring tasks of 1
     * µs costs about twice as much.
     *
     * <p>{@link PoolSnapshot#cpuTime() cpuTime().total()} and {@code idleCpuTime} together are the CPU time that the
     * operating system reports for the workers' threads, without the start of a thread and the reads of its CPU clock.
     * The work of measuring between two tasks is part of the CPU time of the tasks.
     *
     * @param total cost of measuring, summed over all workers and submitters
     * @param perTask cost of measuring per completed task
     * @param idleCpuTime CPU time that workers used to search for a task, to park and to wake, summed over all workers;
     *     zero where CPU time is {@linkplain PoolSnapshot#cpuTime() unknown} or only sampled task by task, as in pools
     *     without workers of their own
     */
    public record Overhead(Duration total, Duration perTask, Duration idleCpuTime) {

        private static Overhead of(PoolReading reading) {
            long nanos = reading.overhead().totalNanos();
            long idleCpuNanos = reading.cpuKnown() ? Math.max(0, reading.idleCpuNanos()) : 0;
            return new Overhead(
                    Duration.ofNanos(nanos),
                    Duration.ofNanos(nanos / Math.max(1, reading.completed())),
                    Duration.ofNanos(idleCpuNanos));
        }
    }

    /**
     * Builds a snapshot part by part. Not thread-safe; may build more than once. Every setter sets the component of the
     * same name, which must not be null, and returns this builder.
     */
    @SuppressWarnings("doclint:missing") // the setters
    public static final class Builder {

        private static final Distribution UNKNOWN =
                Distribution.unknown("unknown: the pool is watched from outside, and does not measure its tasks");

        private final String name;
        private long nanoTime = System.nanoTime();
        private Load load = new Load(0, 0, 0, Duration.ZERO);
        private Limits limits = new Limits(0, 0, 0);
        private Counts counts = new Counts(0, 0, 0, 0, 0, 0);
        private Times times = new Times(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, Duration.ZERO);
        private Saturation saturation = Saturation.NONE;
        private List<Unseen> unseenFailures = List.of();
        private List<TaskKind> kinds = List.of();
        private Overhead overhead = new Overhead(Duration.ZERO, Duration.ZERO, Duration.ZERO);

        private Builder(String name) {
            this.name = name;
        }

        /** Takes times, kinds and overhead from a pool's recorders; {@code cpuNanos} is the CPU time of all tasks. */
        Builder measured(PoolReading reading, Accuracy queueWaitAccuracy, long cpuNanos) {
            return times(Times.of(reading, queueWaitAccuracy, cpuNanos))
                    .kinds(TaskKind.of(reading))
                    .overhead(Overhead.of(reading));
        }

        public Builder nanoTime(long nanoTime) {
            this.nanoTime = nanoTime;
            return this;
        }

        public Builder load(Load load) {
            this.load = Objects.requireNonNull(load, "load must not be null");
            return this;
        }

        public Builder limits(Limits limits) {
            this.limits = Objects.requireNonNull(limits, "limits must not be null");
            return this;
        }

        public Builder counts(Counts counts) {
            this.counts = Objects.requireNonNull(counts, "counts must not be null");
            return this;
        }

        public Builder times(Times times) {
            this.times = Objects.requireNonNull(times, "times must not be null");
            return this;
        }

        public Builder saturation(Saturation saturation) {
            this.saturation = Objects.requireNonNull(saturation, "saturation must not be null");
            return this;
        }

        public Builder unseenFailures(List<Unseen> unseenFailures) {
            this.unseenFailures = Objects.requireNonNull(unseenFailures, "unseenFailures must not be null");
            return this;
        }

        public Builder kinds(List<TaskKind> kinds) {
            this.kinds = Objects.requireNonNull(kinds, "kinds must not be null");
            return this;
        }

        public Builder overhead(Overhead overhead) {
            this.overhead = Objects.requireNonNull(overhead, "overhead must not be null");
            return this;
        }

        /** Makes a snapshot of the parts that were set so far. */
        public PoolSnapshot build() {
            return new PoolSnapshot(
                    name, nanoTime, load, limits, counts, times, saturation, unseenFailures, kinds, overhead);
        }
    }
}
