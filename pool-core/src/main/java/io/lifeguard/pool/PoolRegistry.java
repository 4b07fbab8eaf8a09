package io.lifeguard.pool;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The names of the live pools, and who is told of new and terminated ones. Thread-safe. Users see {@link Pools}. */
final class PoolRegistry {

    /**
     * The live pools by name, and pools that are being constructed, which only have their name. Written by threads that
     * create or end a pool; a stale read misses the latest. An entry whose reference is cleared is free: the next pool
     * of that name replaces it.
     */
    private static final ConcurrentMap<String, Entry> LIVE = new ConcurrentHashMap<>();

    /** Entries of pools that were collected without having terminated. The next registration removes them. */
    private static final ReferenceQueue<InstrumentedPool> COLLECTED = new ReferenceQueue<>();

    /** Written by any thread; a stale read misses the latest change. */
    static final List<PoolObserver> OBSERVERS = new CopyOnWriteArrayList<>();

    private PoolRegistry() {}

    static List<InstrumentedPool> live() {
        List<InstrumentedPool> live = new ArrayList<>();
        for (Entry entry : LIVE.values()) {
            InstrumentedPool pool = entry.get();
            if (pool == null) {
                LIVE.remove(entry.name, entry);
            } else if (entry.isConstructed) {
                live.add(pool);
            }
        }
        return live;
    }

    /** Returns the live pool of that name, or null when there is none. */
    static @Nullable InstrumentedPool find(String name) {
        Entry entry = LIVE.get(name);
        return entry == null || !entry.isConstructed ? null : entry.get();
    }

    /**
     * Reserves a name for the pool: {@code wanted}, or {@code wanted#2}, {@code wanted#3}, … if live pools have that
     * name.
     */
    static String register(InstrumentedPool pool, String wanted) {
        removeCollected();
        String name = wanted;
        while (!reserve(pool, name)) {
            name = wanted + "#" + freeNumber(wanted);
        }
        return name;
    }

    /**
     * Returns a free number of at least 2: the lowest one, unless there are gaps. Doubles until a number is free, then
     * halves the interval. So the ten-thousandth pool of a name does not look up ten thousand names.
     */
    private static int freeNumber(String wanted) {
        int taken = 1;
        int free = 2;
        while (isTaken(wanted + "#" + free)) {
            taken = free;
            free *= 2;
        }
        while (free - taken > 1) {
            int between = (taken + free) >>> 1;
            if (isTaken(wanted + "#" + between)) {
                taken = between;
            } else {
                free = between;
            }
        }
        return free;
    }

    private static boolean isTaken(String name) {
        Entry entry = LIVE.get(name);
        return entry != null && !entry.refersTo(null);
    }

    /** For tests: whether an entry of that name exists, even if its pool was collected. */
    static boolean remembers(String name) {
        return LIVE.containsKey(name);
    }

    private static void removeCollected() {
        for (Reference<?> cleared = COLLECTED.poll(); cleared != null; cleared = COLLECTED.poll()) {
            Entry entry = (Entry) cleared;
            LIVE.remove(entry.name, entry);
        }
    }

    private static boolean reserve(InstrumentedPool pool, String name) {
        Entry created = new Entry(name, pool);
        Entry there = LIVE.putIfAbsent(name, created);
        return there == null || (there.get() == null && LIVE.replace(name, there, created));
    }

    /*
     * Plain loops: each lambda is a class, which the thread that makes the first pool of the JVM would wait for.
     */
    static void announceCreated(InstrumentedPool pool, String name) {
        Entry entry = LIVE.get(name);
        if (entry != null && entry.refersTo(pool)) {
            entry.isConstructed = true;
        }
        DiscoveredObservers.created(pool);
        for (PoolObserver observer : OBSERVERS) {
            created(observer, pool);
        }
    }

    static void created(PoolObserver observer, InstrumentedPool pool) {
        try {
            observer.created(pool);
        } catch (Throwable e) { // users' code
            Callbacks.failed(observer, e);
        }
    }

    /** Takes the pool out of the live ones. May be repeated, also when another pool has got the name. */
    static void unregister(InstrumentedPool pool, String name) {
        Entry there = LIVE.get(name);
        if (there != null && isFree(there, pool)) {
            LIVE.remove(name, there);
        }
    }

    static void announceTerminated(InstrumentedPool pool, String name) {
        unregister(pool, name);
        DiscoveredObservers.terminated(pool);
        for (PoolObserver observer : OBSERVERS) {
            terminated(observer, pool);
        }
    }

    static void terminated(PoolObserver observer, InstrumentedPool pool) {
        try {
            observer.terminated(pool);
        } catch (Throwable e) { // users' code
            Callbacks.failed(observer, e);
        }
    }

    private static boolean isFree(Entry entry, InstrumentedPool terminated) {
        InstrumentedPool pool = entry.get();
        return pool == null || pool == terminated;
    }

    private static final class Entry extends WeakReference<@Nullable InstrumentedPool> {
        private final String name;

        // Written by the thread that constructs the pool, once the pool's fields are set. After a stale read the pool
        // is not live yet.
        private volatile boolean isConstructed;

        Entry(String name, InstrumentedPool pool) {
            super(pool, COLLECTED);
            this.name = name;
        }
    }
}
