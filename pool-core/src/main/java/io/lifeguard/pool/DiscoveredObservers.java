package io.lifeguard.pool;

import io.lifeguard.pool.measure.CpuClock;
import io.lifeguard.pool.os.LibraryThread;
import io.lifeguard.pool.os.Room;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The observers that {@link ServiceLoader} finds. A thread of its own loads them when the first pool of the JVM is
 * made. Thread-safe.
 *
 * <p>The thread that makes the first pool must not do that: the search opens all jars of the class path. Until the
 * observers are loaded, what they have to be told is kept. Then the new thread tells them, in order, and leaves out
 * pools that were dropped meanwhile. From then on the thread that makes or ends a pool tells them itself.
 *
 * <p>In a shortage of memory or file descriptors the new thread waits, and tries again what has failed.
 */
final class DiscoveredObservers implements Runnable {

    /** What {@code pool-monitor} provides. */
    private static final String MONITOR = "io.lifeguard.pool.diagnosis.start.MonitorStarter";

    /**
     * 50 ms: the search holds the lock under which all threads find classes, and the first task needs some 100 classes.
     */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A second. A shortage lasts for longer, or is over. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Of an observer that finds no memory although there is some. */
    private static final int MOST_FAILURES = 3;

    /**
     * In a shortage. Ended pools are not kept then: they would make it worse. The monitor finds live ones by itself.
     */
    private static final int MOST_KEPT = 10_000;

    private static boolean isLoading; // guarded by the class; true with the first pool or builder

    // Guarded by the class: pools that were made, held weakly, and pools that have ended. No ArrayDeque: when it found
    // no memory to grow, the next event would replace the first.
    private static List<@Nullable Object> events = new ArrayList<>();
    private static int told; // guarded by the class: how many of them were told, and are null now

    // written once, under the lock, by the thread that has told all; a reader of null looks again under the lock
    private static volatile @Nullable List<PoolObserver> observers;

    private static boolean isShort; // guarded by the class: the new thread waits for room

    private final Room room = new Room(); // made early, while there is memory for its class

    private DiscoveredObservers() {}

    /** Begins to load them, unless that was done before. Call it as early as possible. */
    static void load() {
        if (observers != null || !setLoading(true)) {
            return;
        }
        try {
            DiscoveredObservers loader = new DiscoveredObservers();
            try {
                LibraryThread.daemon("lifeguard-start", loader).start();
            } catch (RuntimeException ignored) { // no permission for a thread
                if (loader.room.isEnough()) {
                    loader.run();
                } else {
                    setLoading(false);
                }
            }
        } catch (Error ignored) { // no memory for a thread: the next pool tries again
            setLoading(false);
        }
    }

    /** Returns whether that is a change. */
    private static synchronized boolean setLoading(boolean isNow) {
        boolean isChange = isLoading != isNow;
        isLoading = isNow;
        return isChange;
    }

    /** Tells them that a pool was made, now or once they are loaded. */
    static void created(InstrumentedPool pool) {
        List<PoolObserver> loaded = observers;
        if (loaded == null) {
            loaded = keepUnlessLoaded(new WeakReference<>(pool));
        }
        tell(loaded, pool, true);
    }

    /** Tells them that a pool has ended, now or once they are loaded. */
    static void terminated(InstrumentedPool pool) {
        List<PoolObserver> loaded = observers;
        if (loaded == null) {
            try {
                loaded = keepUnlessLoaded(pool);
            } catch (Error ignored) { // thrown on, it would end the worker before its last steps
                return;
            }
        }
        tell(loaded, pool, false);
    }

    /** Returns the observers to be told at once: none if the event was kept. */
    private static synchronized List<PoolObserver> keepUnlessLoaded(Object event) {
        List<PoolObserver> loaded = observers;
        if (loaded == null) {
            if (!isShort || (event instanceof WeakReference && events.size() < MOST_KEPT)) {
                events.add(event);
            }
            return List.of();
        }
        return loaded;
    }

    private static void tell(List<PoolObserver> loaded, InstrumentedPool pool, boolean isCreation) {
        for (PoolObserver observer : loaded) {
            if (isCreation) {
                PoolRegistry.created(observer, pool);
            } else {
                PoolRegistry.terminated(observer, pool);
            }
        }
    }

    @Override
    public void run() {
        List<PoolObserver> found = null;
        while (found == null) {
            awaitRoom();
            found = find();
        }
        for (Object event = next(found); event != null; event = next(found)) {
            tellKept(found, event);
        }
        sayAtLast(isAnyTheMonitor(found));
    }

    private void awaitRoom() {
        while (!room.isEnough()) {
            setShort(true);
            LockSupport.parkNanos(this, RETRY_NANOS);
        }
        setShort(false);
    }

    private static synchronized void setShort(boolean isNow) {
        isShort = isNow;
    }

    /** Returns null if there was too little room for that: all is tried again, providers of the first search too. */
    private @Nullable List<PoolObserver> find() {
        try {
            CpuClock.prepare();
            LockSupport.parkNanos(DiscoveredObservers.class, PAUSE_NANOS);
            return room.isEnough()
                    ? Callbacks.loadAll(
                            ServiceLoader.load(PoolObserver.class, DiscoveredObservers.class.getClassLoader()))
                    : null;
        } catch (Error | RuntimeException e) {
            if (isShortage(e)) {
                return null;
            }
            failed(this, e); // no permission, or the class loader is closed
            return List.of();
        }
    }

    private static void failed(Object target, Throwable failure) {
        try {
            Callbacks.failed(target, failure);
        } catch (Error ignored) { // the class loader is closed, so the log is, too
            return;
        }
    }

    private boolean isShortage(Throwable failure) {
        boolean isShortage = failure instanceof OutOfMemoryError || !room.isEnough();
        if (isShortage) {
            room.lacked(); // perhaps of another kind of memory than heap
            LockSupport.parkNanos(this, RETRY_NANOS);
        }
        return isShortage;
    }

    private void sayAtLast(boolean isMonitored) {
        try {
            String late = room.lateStart();
            if (late != null) {
                Callbacks.warn(late);
            }
            if (!isMonitored) {
                Callbacks.noMonitor();
            }
        } catch (Error ignored) { // no memory, or the application was stopped
            return;
        }
    }

    private static boolean isAnyTheMonitor(List<PoolObserver> found) {
        for (PoolObserver observer : found) {
            if (observer.getClass().getName().equals(MONITOR)) {
                return true;
            }
        }
        return false;
    }

    private void tellKept(List<PoolObserver> found, Object event) {
        if (event instanceof InstrumentedPool ended) {
            tell(found, ended, false);
        } else if (event instanceof WeakReference<?> made && made.get() instanceof InstrumentedPool pool) {
            for (PoolObserver observer : found) {
                tellMade(observer, pool);
            }
        }
    }

    /** Tells it again if it fails in a shortage: the monitor's observer starts a thread. */
    private void tellMade(PoolObserver observer, InstrumentedPool pool) {
        for (int failures = 1; ; failures++) {
            awaitRoom();
            try {
                observer.created(pool);
                return;
            } catch (Throwable e) { // users' code
                if (failures == MOST_FAILURES || !isShortage(e)) {
                    failed(observer, e);
                    return;
                }
            }
        }
    }

    private static synchronized @Nullable Object next(List<PoolObserver> found) {
        if (told == events.size()) {
            events = List.of();
            observers = found;
            return null;
        }
        return events.set(told++, null);
    }
}
