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
 * Counts one pool's failed tasks whose exception no code has asked for, by following their futures. Thread-safe. A task
 * that succeeds never calls this class. A task that fails does not wait for the lock: if another thread holds it, the
 * failure is not followed.
 */
/*
 * An entry holds the future weakly, and otherwise only names, so it pins no object of the user. The future holds its
 * entry and marks it as seen when a caller asks for the result. If the future was collected and its entry is not
 * marked, the failure was never seen and never will be. So the count of lost failures is certain, whereas a failure
 * that still waits may yet be seen. At most MOST_FOLLOWED futures are followed at once. If more fail, the others are
 * not followed.
 */
final class UnseenFailures {

    private static final int MOST_FOLLOWED = 128;
    private static final int MOST_KINDS = 16;
    private static final long OLD_NANOS = TimeUnit.SECONDS.toNanos(10); // most results are asked for sooner
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ReentrantLock lock = new ReentrantLock();
    // all below: guarded by lock
    private final ArrayDeque<Followed> followed = new ArrayDeque<>();
    private final ArrayDeque<WeakReference<@Nullable Object>> stopped = new ArrayDeque<>(); // the latest periodic tasks
    private final Map<Key, Counts> counts = new LinkedHashMap<>();
    private long sweptNanos = System.nanoTime();

    /**
     * All periodic tasks that have stopped. Written under the lock. After a stale read, a task that was scheduled anew
     * stays counted.
     */
    private volatile long stops;

    /** Called by the thread that ran the task, before the future becomes done. */
    Followed failed(Object future, Object kind, Throwable failure) {
        Followed entry = new Followed(future, key(kind, failure));
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

    /**
     * Counts a periodic task that will not run again because it threw. Returns false if it was counted before: a worker
     * that has run it successfully may look at its future only after the next run, by another worker, has failed.
     */
    boolean stopped(Object future, String kind, Throwable failure) {
        lock.lock();
        try {
            for (WeakReference<@Nullable Object> other : stopped) {
                if (other.refersTo(future)) {
                    return false;
                }
            }
            stopped.addLast(new WeakReference<>(future));
            if (stopped.size() > MOST_FOLLOWED) {
                stopped.removeFirst();
            }
            long number = stops + 1;
            countsOf(key(kind, failure)).stops(number);
            stops = number;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** How many periodic tasks have stopped so far. Call it before another periodic task is scheduled. */
    long stops() {
        return stops;
    }

    /**
     * A periodic task of that kind was scheduled. If a task of the same kind had stopped before, the new task replaces
     * it, and it no longer counts as stopped.
     *
     * @param stopsBefore {@link #stops()} before it was scheduled, because the new task itself may have stopped by now
     */
    void scheduledPeriodically(Object kind, long stopsBefore) {
        if (stopsBefore == 0) {
            return;
        }
        String name = name(kind);
        lock.lock();
        try {
            counts.entrySet().stream()
                    .filter(entry -> entry.getKey().kind.equals(name)
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

    /** How many failures nobody has asked for, or nobody will, and how many periodic tasks have stopped. */
    long unasked() {
        long now = System.nanoTime();
        long unasked = 0;
        lock.lock();
        try {
            for (Followed entry : followed) {
                unasked += !entry.seen && (entry.refersTo(null) || now - entry.sinceNanos > OLD_NANOS) ? 1 : 0;
            }
            for (Counts of : counts.values()) {
                unasked += of.lost + of.stopped;
            }
        } finally {
            lock.unlock();
        }
        return unasked;
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
        Key kept = counts.containsKey(key) || counts.size() < MOST_KINDS ? key : Key.OTHER;
        return counts.computeIfAbsent(kept, created -> new Counts());
    }

    private static Key key(Object kind, Throwable failure) {
        return new Key(name(kind), KindNames.of(failure.getClass()));
    }

    private static String name(Object kind) {
        return kind instanceof Class<?> type ? KindNames.of(type) : KindNames.clean((String) kind);
    }

    /** The future of a failed task, held weakly, and whether a caller has asked for its result. */
    static final class Followed extends WeakReference<@Nullable Object> {
        private final Key key;
        private final long sinceNanos = System.nanoTime();

        // written by any thread that asks for the result; the next sweep corrects a stale read
        private volatile boolean seen;

        private Followed(Object future, Key key) {
            super(future);
            this.key = key;
        }

        void seen() {
            seen = true;
        }
    }

    /**
     * Not a record: the JDK caches the equals method of records by class, and would keep the class loader reachable.
     */
    private static final class Key {
        static final Key OTHER = new Key(PoolSnapshot.OTHER, PoolSnapshot.OTHER);

        private final String kind;
        private final String exception;

        Key(String kind, String exception) {
            this.kind = kind;
            this.exception = exception;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && kind.equals(key.kind) && exception.equals(key.exception);
        }

        @Override
        public int hashCode() {
            return 31 * kind.hashCode() + exception.hashCode();
        }
    }

    /** Unseen failures of one kind and exception. Guarded by the lock. */
    private static final class Counts {
        private long lost;
        private long stopped;
        private long firstStop; // number of the first of these stops, or of an earlier one
        private long waiting; // used only within read()
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
                    key.kind, key.exception, lost, waiting, Duration.ofNanos(oldestWaitingNanos), stopped);
        }
    }
}
