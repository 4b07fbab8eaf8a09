package io.lifeguard.pool;

import io.lifeguard.pool.measure.CpuClock;
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
 */
final class DiscoveredObservers implements Runnable {

    /** What {@code pool-monitor} provides. */
    private static final String MONITOR = "io.lifeguard.pool.diagnosis.start.MonitorStarter";

    /**
     * 50 ms: the search holds the lock under which all threads find classes, and the first task needs some 100 classes.
     */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static boolean isLoading; // guarded by the class; from false to true with the first pool or builder

    // Guarded by the class: pools that were made, held weakly, and pools that have ended. No ArrayDeque: when it found
    // no memory to grow, the next event would replace the first.
    private static List<@Nullable Object> events = new ArrayList<>();
    private static int told; // guarded by the class: how many of them were told, and are null now

    // written once, under the lock, by the thread that has told all; a reader of null looks again under the lock
    private static volatile @Nullable List<PoolObserver> observers;

    private DiscoveredObservers() {}

    /** Begins to load them, unless that was done before. Call it as early as possible. */
    static void load() {
        if (observers != null || !isFirst()) {
            return;
        }
        try {
            LibraryThread.daemon("lifeguard-start", new DiscoveredObservers()).start();
        } catch (Error | RuntimeException ignored) { // neither memory nor a permission for a thread
            findAndTell();
        }
    }

    private static synchronized boolean isFirst() {
        boolean isFirst = !isLoading;
        isLoading = true;
        return isFirst;
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
            events.add(event);
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
        try {
            CpuClock.prepare();
            LockSupport.parkNanos(DiscoveredObservers.class, PAUSE_NANOS);
        } finally {
            findAndTell();
        }
    }

    /** Loads them and tells them what was kept. Whatever fails, nothing is kept any longer afterwards. */
    private static void findAndTell() {
        List<PoolObserver> found = List.of();
        boolean isMonitored = true;
        try {
            found = Callbacks.loadAll(
                    ServiceLoader.load(PoolObserver.class, DiscoveredObservers.class.getClassLoader()));
            isMonitored = isAnyTheMonitor(found);
        } catch (Error | RuntimeException ignored) { // no memory or permission, or the class loader is closed
            found = List.of();
        }
        for (Object event = next(found); event != null; event = next(found)) {
            tellKept(found, event);
        }
        if (!isMonitored) {
            sayThatThereIsNoMonitor();
        }
    }

    private static void sayThatThereIsNoMonitor() {
        try {
            Callbacks.noMonitor();
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

    private static void tellKept(List<PoolObserver> found, Object event) {
        try {
            if (event instanceof InstrumentedPool ended) {
                tell(found, ended, false);
            } else if (event instanceof WeakReference<?> made && made.get() instanceof InstrumentedPool pool) {
                tell(found, pool, true);
            }
        } catch (Error ignored) { // no memory: the event is dropped
            return;
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
