package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.PoolSnapshot;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Earlier snapshots of one pool, as many as it takes to look a minute back, or to the last reading where that is longer ago. Not thread-safe.
 */
final class RecentSnapshots {

    /** As long as it takes until a burst is over and one is not seen twice: the largest value, percentiles. */
    static final Duration LONG = Duration.ofSeconds(60);

    /** Enough for a mean, and shorter than most scrape intervals: utilisation, saturation. */
    static final Duration SHORT = Duration.ofSeconds(10);

    /** Readings that follow each other more closely are not kept apart. */
    private static final Duration APART = Duration.ofSeconds(5);

    private final Deque<PoolSnapshot> snapshots = new ArrayDeque<>(); // oldest first
    private boolean isSinceBirth;

    /** The pool is new: before its first snapshot nothing was that is not in it. */
    void sinceBirth() {
        isSinceBirth = true;
    }

    /** Adds what was read now. */
    void add(PoolSnapshot now) {
        if (snapshots.isEmpty() || age(snapshots.getLast(), now).compareTo(APART) >= 0) {
            snapshots.addLast(slim(now));
        }
        while (snapshots.size() > 1 && age(second(), now).compareTo(LONG) >= 0) {
            snapshots.removeFirst();
        }
    }

    /** The latest that is at least so old, or else the oldest; null before the first. To be asked before {@code now} is added. */
    @Nullable
    PoolSnapshot before(PoolSnapshot now, Duration atLeast) {
        PoolSnapshot found = null;
        for (PoolSnapshot each : snapshots) {
            if (found != null && age(each, now).compareTo(atLeast) < 0) {
                break;
            }
            found = each;
        }
        return found;
    }

    /** The same, but null as well while nothing that a new pool has recorded is so old. */
    @Nullable
    PoolSnapshot recordedBefore(PoolSnapshot now, Duration atLeast) {
        PoolSnapshot found = before(now, atLeast);
        boolean isYounger = found != null && age(found, now).compareTo(atLeast) < 0;
        return isSinceBirth && isYounger ? null : found;
    }

    /** Without the kinds of tasks, which may be many, and which nobody compares. */
    private static PoolSnapshot slim(PoolSnapshot full) {
        return new PoolSnapshot(
                full.name(),
                full.size(),
                full.active(),
                full.queued(),
                full.submitted(),
                full.completed(),
                full.failed(),
                full.rejected(),
                full.callerRuns(),
                full.queueWait(),
                full.serviceTime(),
                full.cpuTime(),
                full.blockedSubmit(),
                full.callerRunTime(),
                full.overhead(),
                full.limits(),
                full.saturation(),
                PoolSnapshot.Failures.NONE,
                List.of(),
                full.idleTime(),
                full.oldestQueued(),
                full.eventsDropped(),
                full.nanoTime());
    }

    int size() {
        return snapshots.size();
    }

    private PoolSnapshot second() {
        return snapshots.stream().skip(1).findFirst().orElseThrow();
    }

    private static Duration age(PoolSnapshot then, PoolSnapshot now) {
        return Duration.ofNanos(now.nanoTime() - then.nanoTime());
    }
}
