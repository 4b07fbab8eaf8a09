package io.lifeguard.pool;

import io.lifeguard.pool.measure.KindNames;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Follows the futures of one pool's failed tasks until somebody asks for the result, or nobody can any more. Thread-safe; a task that succeeds
 * never comes here, and one that fails does not wait here: if another thread holds the lock, its failure is not followed.
 */
/*
 * What is held of a user's: a weak reference to the future, and names. The future holds its entry here, and marks it as seen; an entry whose
 * future is collected and that is not marked was never seen, and never will be. So "lost" is certain, and only "waiting" is a matter of patience.
 * At most MOST_FOLLOWED futures are followed at once, so a flood of failures is known by its first ones.
 */
final class UnseenFailures {

    private static final int MOST_FOLLOWED = 128;
    private static final int MOST_KINDS = 16;
    private static final Key OTHERS = new Key(PoolSnapshot.OTHER, PoolSnapshot.OTHER);
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ReentrantLock lock = new ReentrantLock();
    // all below: guarded by lock
    private final ArrayDeque<Followed> followed = new ArrayDeque<>();
    private final Map<Key, Counts> counts = new LinkedHashMap<>();
    private long sweptNanos = System.nanoTime();

    /** How many periodic tasks have ever stopped. Written under the lock; a stale read leaves a task counted that was scheduled anew. */
    private volatile long stops;

    /** To be called on the thread that ran the task, before its future shows the failure. */
    Followed failed(MeasuredFutureTask<?> future, Throwable failure) {
        Followed entry = new Followed(future, key(future.kind(), failure));
        if (lock.tryLock()) {
            try {
                if (followed.size() >= MOST_FOLLOWED && entry.sinceNanos - sweptNanos > SWEEP_NANOS) {
                    sweep(entry.sinceNanos);
                }
                if (followed.size() < MOST_FOLLOWED) {
                    followed.add(entry);
                }
            } finally {
                lock.unlock();
            }
        }
        return entry;
    }

    /** A periodic task will not run again, because it threw. */
    void stopped(String kind, Throwable failure) {
        lock.lock();
        try {
            long number = stops + 1;
            countsOf(key(kind, failure)).stops(number);
            stops = number;
        } finally {
            lock.unlock();
        }
    }

    /** How many periodic tasks have stopped so far: to be asked before another is scheduled. */
    long stops() {
        return stops;
    }

    /**
     * A periodic task of that kind was scheduled: if one had stopped before, this is its successor.
     *
     * @param stopsBefore how many had stopped before it was scheduled: it may have stopped itself by now
     */
    void scheduledPeriodically(Object kind, long stopsBefore) {
        if (stopsBefore == 0) {
            return;
        }
        String name = name(kind);
        lock.lock();
        try {
            counts.entrySet().stream()
                    .filter(entry -> entry.getKey().kind().equals(name)
                            && entry.getValue().stopped > 0
                            && entry.getValue().firstStop <= stopsBefore)
                    .findFirst()
                    .ifPresent(entry -> entry.getValue().stopped--);
        } finally {
            lock.unlock();
        }
    }

    List<PoolSnapshot.Unseen> read() {
        lock.lock();
        try {
            if (followed.isEmpty() && counts.isEmpty()) {
                return List.of();
            }
            long now = System.nanoTime();
            sweep(now);
            followed.forEach(entry -> countsOf(entry.key).waits(now - entry.sinceNanos));
            List<PoolSnapshot.Unseen> unseen = new ArrayList<>();
            counts.forEach((key, of) -> {
                if (of.lost + of.waiting + of.stopped > 0) {
                    unseen.add(of.toUnseen(key));
                }
                of.waiting = 0;
                of.oldestWaitingNanos = 0;
            });
            unseen.sort(Comparator.comparingLong(
                            (PoolSnapshot.Unseen some) -> some.lost() + some.waiting() + some.stopped())
                    .reversed());
            return unseen;
        } finally {
            lock.unlock();
        }
    }

    private void sweep(long now) {
        sweptNanos = now;
        followed.removeIf(entry -> {
            boolean isCollected = entry.refersTo(null);
            if (isCollected && !entry.seen) {
                countsOf(entry.key).lost++;
            }
            return isCollected || entry.seen;
        });
    }

    private Counts countsOf(Key key) {
        Key kept = counts.containsKey(key) || counts.size() < MOST_KINDS ? key : OTHERS;
        return counts.computeIfAbsent(kept, created -> new Counts());
    }

    private static Key key(Object kind, Throwable failure) {
        return new Key(name(kind), KindNames.of(failure.getClass()));
    }

    private static String name(Object kind) {
        return kind instanceof Class<?> type ? KindNames.of(type) : KindNames.clean((String) kind);
    }

    /** A failed task: its future, held weakly, and whether somebody has asked for the result. */
    static final class Followed extends WeakReference<@Nullable Object> {
        private final Key key;
        private final long sinceNanos = System.nanoTime();

        // written by whoever asks the future; a stale read is corrected by the next sweep
        private volatile boolean seen;

        private Followed(Object future, Key key) {
            super(future);
            this.key = key;
        }

        void seen() {
            seen = true;
        }
    }

    private record Key(String kind, String exception) {}

    /** Guarded by the lock. */
    private static final class Counts {
        private long lost;
        private long stopped;
        private long firstStop; // the number of the first of these, or of one before it
        private long waiting; // while it is being read
        private long oldestWaitingNanos;

        void stops(long number) {
            firstStop = stopped++ == 0 ? number : firstStop;
        }

        void waits(long nanos) {
            waiting++;
            oldestWaitingNanos = Math.max(oldestWaitingNanos, nanos);
        }

        PoolSnapshot.Unseen toUnseen(Key key) {
            return new PoolSnapshot.Unseen(
                    key.kind(), key.exception(), lost, waiting, Duration.ofNanos(oldestWaitingNanos), stopped);
        }
    }
}
