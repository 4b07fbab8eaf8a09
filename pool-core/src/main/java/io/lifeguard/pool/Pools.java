package io.lifeguard.pool;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The live pools of this JVM, held weakly, and those who want to know when one is created or has terminated. Thread-safe.
 *
 * <p>A pool is live from its construction until it has terminated or is garbage-collected.
 */
public final class Pools {

    /** By name. An entry whose reference is cleared is free: the next pool that wants the name replaces it. */
    private static final ConcurrentMap<String, Entry> LIVE = new ConcurrentHashMap<>();

    /** Pools that were dropped without having terminated; whoever registers the next takes their entries away. */
    private static final ReferenceQueue<InstrumentedPool> COLLECTED = new ReferenceQueue<>();

    private static final List<PoolObserver> ADDED = new CopyOnWriteArrayList<>();

    private Pools() {}

    /**
     * The pools that live now.
     *
     * @return a new list, in no particular order; holding it keeps the pools reachable
     */
    public static List<InstrumentedPool> live() {
        List<InstrumentedPool> live = new ArrayList<>();
        for (Entry entry : LIVE.values()) {
            InstrumentedPool pool = entry.get();
            if (pool != null) {
                live.add(pool);
            } else {
                LIVE.remove(entry.name, entry);
            }
        }
        return live;
    }

    /**
     * The live pool of that name.
     *
     * @param name the name, not null
     * @return the pool, or empty when no live pool has that name
     */
    public static Optional<InstrumentedPool> find(String name) {
        Entry entry = LIVE.get(Objects.requireNonNull(name, "name must not be null"));
        return entry == null ? Optional.empty() : Optional.ofNullable(entry.get());
    }

    /**
     * Adds an observer. It is told of pools created from now on; ask {@link #live()} for the others.
     *
     * @param observer the observer, not null; added twice it is told twice
     */
    public static void addObserver(PoolObserver observer) {
        ADDED.add(Objects.requireNonNull(observer, "observer must not be null"));
    }

    /**
     * Removes an observer that was added by {@link #addObserver}.
     *
     * @param observer the observer, not null
     * @return whether it was there
     */
    public static boolean removeObserver(PoolObserver observer) {
        return ADDED.remove(Objects.requireNonNull(observer, "observer must not be null"));
    }

    /** Reserves a name for the pool: the wanted one, or {@code wanted#2}, {@code wanted#3}, … while others live under it. */
    static String register(InstrumentedPool pool, String wanted) {
        forgetCollected();
        String name = wanted;
        while (!reserve(pool, name)) {
            name = wanted + "#" + freeNumber(wanted);
        }
        return name;
    }

    /** The lowest number from 2 on that is free, as long as there are no gaps; found in steps that double, and then halve. */
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

    /** For tests: whether there is an entry of that name, be its pool collected or not. */
    static boolean remembers(String name) {
        return LIVE.containsKey(name);
    }

    private static void forgetCollected() {
        for (Reference<?> gone = COLLECTED.poll(); gone != null; gone = COLLECTED.poll()) {
            Entry entry = (Entry) gone;
            LIVE.remove(entry.name, entry);
        }
    }

    private static boolean reserve(InstrumentedPool pool, String name) {
        Entry mine = new Entry(name, pool);
        Entry now = LIVE.compute(name, (key, there) -> there == null || there.get() == null ? mine : there);
        return now == mine;
    }

    static void announceCreated(InstrumentedPool pool) {
        tellAll(observer -> observer.created(pool));
    }

    static void announceTerminated(InstrumentedPool pool, String name) {
        LIVE.computeIfPresent(name, (key, there) -> isFree(there, pool) ? null : there);
        tellAll(observer -> observer.terminated(pool));
    }

    private static void tellAll(Consumer<PoolObserver> news) {
        Discovered.observers().forEach(observer -> Callbacks.call(observer, () -> news.accept(observer)));
        ADDED.forEach(observer -> Callbacks.call(observer, () -> news.accept(observer)));
    }

    private static boolean isFree(Entry entry, InstrumentedPool terminated) {
        InstrumentedPool pool = entry.get();
        return pool == null || pool == terminated;
    }

    private static final class Entry extends WeakReference<@Nullable InstrumentedPool> {
        private final String name;

        Entry(String name, InstrumentedPool pool) {
            super(pool, COLLECTED);
            this.name = name;
        }
    }

    /** Loaded with the first pool. A provider that cannot be loaded is logged and left out. */
    private static final class Discovered {
        private static final List<PoolObserver> OBSERVERS =
                Callbacks.loadAll(ServiceLoader.load(PoolObserver.class, Pools.class.getClassLoader()));

        /** None yet while a provider's constructor itself makes a pool. */
        @SuppressWarnings("ConstantValue")
        static List<PoolObserver> observers() {
            List<PoolObserver> observers = OBSERVERS;
            return observers == null ? List.of() : observers;
        }
    }
}
