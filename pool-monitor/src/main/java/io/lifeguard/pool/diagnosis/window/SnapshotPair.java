package io.lifeguard.pool.diagnosis.window;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Two snapshots of one pool, and what they show about the time between them without other evidence: counts, rates,
 * times, and how busy the workers were. Immutable. Users have a {@link PoolWindow}, which knows more.
 */
abstract sealed class SnapshotPair permits PoolWindow {

    /** Places in a queue: the JDK gives an unbounded queue MAX_VALUE, less the tasks in it. */
    private static final long ENDLESS = Integer.MAX_VALUE / 2;

    private final PoolSnapshot before;
    private final PoolSnapshot after;

    // Null until asked for. Written by any reader; after a stale read it is computed again.
    private @Nullable Occupancy occupancy;

    SnapshotPair(PoolSnapshot before, PoolSnapshot after) {
        this.before = before;
        this.after = after;
    }

    /** Throws an IllegalArgumentException if they are of pools with different names, or in the wrong order. */
    static void check(PoolSnapshot before, PoolSnapshot after) {
        if (!before.name().equals(after.name())) {
            throw new IllegalArgumentException(
                    "both snapshots must be of one pool (were of " + before.name() + " and " + after.name() + ")");
        }
        if (after.nanoTime() - before.nanoTime() < 0) {
            throw new IllegalArgumentException("the second snapshot of " + after.name() + " must be the later one (was "
                    + (before.nanoTime() - after.nanoTime()) + " ns earlier)");
        }
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

    /** {@return how long the window was, positive} */
    public Duration length() {
        return Duration.ofNanos(nanos());
    }

    final long nanos() {
        return Math.max(1, after.nanoTime() - before.nanoTime());
    }

    /** {@return how long the window was in seconds, positive} */
    public double seconds() {
        return Occupancy.seconds(before, after);
    }

    /**
     * {@return whether the pool measures its tasks}
     *
     * <p>An external pool does not: times, caller-runs, blocked submits and failures of its tasks are unknown.
     */
    public boolean isMeasured() {
        return after.serviceTime().isKnown();
    }

    /**
     * {@return whether the numbers of tasks submitted and completed are known}
     *
     * <p>A fork-join pool does not count tasks, nor does Jetty's pool. Where they are unknown, {@link #submitted()},
     * {@link #completed()} and the rates are 0, which says nothing.
     */
    public boolean countsTasks() {
        return before.countsTasks() && after.countsTasks();
    }

    /**
     * {@return whether the number of queued tasks is known}
     *
     * <p>From outside of a JVM the queues of its pools cannot be seen.
     */
    public boolean countsQueue() {
        return before.countsQueue() && after.countsQueue();
    }

    /** {@return how many tasks were accepted} */
    public long submitted() {
        return countsTasks() ? after.submitted() - before.submitted() : 0;
    }

    /** {@return how many tasks workers ran to their end} */
    public long completed() {
        return countsTasks() ? after.completed() - before.completed() : 0;
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

    /** {@return count and sum of the queue waits of the tasks begun in this window} */
    public Span queueWait() {
        return Span.between(before.queueWait(), after.queueWait());
    }

    /**
     * {@return count and sum of the wall times of the tasks ended in this window}
     *
     * <p>A long task belongs to the window in which it ends. {@link #busyWorkers()} says how busy the pool was.
     */
    public Span serviceTime() {
        return Span.between(before.serviceTime(), after.serviceTime());
    }

    /** {@return count and sum of the tasks' CPU times; empty where CPU time is unknown} */
    public Optional<Span> cpuTime() {
        return before.cpuTime().isKnown() && after.cpuTime().isKnown()
                ? Optional.of(Span.between(before.cpuTime(), after.cpuTime()))
                : Optional.empty();
    }

    /** {@return count and sum of the submitters' waits for room that ended in this window} */
    public Span blockedSubmit() {
        return Span.between(before.blockedSubmit(), after.blockedSubmit());
    }

    /** {@return count and sum of the runs by submitters that ended in this window} */
    public Span callerRunTime() {
        return Span.between(before.callerRunTime(), after.callerRunTime());
    }

    /** {@return the mean number of busy workers, between 0 and the number of workers} */
    public double busyWorkers() {
        return occupancy().busyWorkers();
    }

    /** {@return the mean share of the workers that were busy, 0 to 1; 0 when there were no workers} */
    public double utilisation() {
        return occupancy().utilisation();
    }

    /**
     * {@return the capacity of the queue; {@link Integer#MAX_VALUE} when it has no bound, 0 when tasks are handed over
     * directly}
     */
    public int queueCapacity() {
        long places = (long) after.limits().queueRemaining() + after.queued();
        return places >= ENDLESS ? Integer.MAX_VALUE : (int) places;
    }

    /**
     * {@return whether the queue has no bound, or one that memory sets before}
     *
     * <p>A linked queue of the JDK's counts down from {@link Integer#MAX_VALUE}.
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

    final Occupancy occupancy() {
        Occupancy known = occupancy;
        if (known == null) {
            known = Occupancy.between(before, after);
            occupancy = known;
        }
        return known;
    }
}
