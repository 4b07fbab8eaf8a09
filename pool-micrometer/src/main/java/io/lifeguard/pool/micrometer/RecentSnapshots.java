package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.PoolSnapshot;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Earlier snapshots of one pool, with which the latest is compared. Not thread-safe.
 *
 * <p>They reach one minute back, or to the previous reading if that is older.
 */
final class RecentSnapshots {

    /** How far the largest value and percentiles look back: long enough to show a burst, short enough to forget it. */
    static final Duration LONG = Duration.ofSeconds(60);

    /** How far utilisation and saturation look back: enough for a mean, and shorter than most scrape intervals. */
    static final Duration SHORT = Duration.ofSeconds(10);

    /** A snapshot that is less than 5 s younger than the last one is not kept, so that at most 14 are. */
    private static final Duration APART = Duration.ofSeconds(5);

    private final Deque<PoolSnapshot> snapshots = new ArrayDeque<>(); // oldest first
    private final boolean isNew;

    /**
     * @param isNew whether the pool has just been created, so that its first snapshot has everything it ever recorded
     */
    RecentSnapshots(boolean isNew) {
        this.isNew = isNew;
    }

    /** Adds the latest snapshot. */
    void add(PoolSnapshot now) {
        if (snapshots.isEmpty() || age(snapshots.getLast(), now).compareTo(APART) >= 0) {
            snapshots.addLast(slim(now));
        }
        while (snapshots.size() > 1 && age(second(), now).compareTo(LONG) >= 0) {
            snapshots.removeFirst();
        }
    }

    /**
     * Returns the latest snapshot that is at least so old, otherwise the oldest; null if there is none. Call it before
     * {@code now} is added.
     */
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

    /** Does the same as {@link #before}, but returns null while a new pool is not yet so old. */
    @Nullable
    PoolSnapshot recordedBefore(PoolSnapshot now, Duration atLeast) {
        PoolSnapshot found = before(now, atLeast);
        boolean isYounger = found != null && age(found, now).compareTo(atLeast) < 0;
        return isNew && isYounger ? null : found;
    }

    /** Drops the kinds of tasks, which may be many, and which are never compared. */
    private static PoolSnapshot slim(PoolSnapshot full) {
        return full.toBuilder().unseenFailures(List.of()).kinds(List.of()).build();
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
