package io.lifeguard.pool.corpus.workloads;

import static io.lifeguard.pool.corpus.workloads.Workload.sick;

import io.lifeguard.workbench.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Workloads that stand still at locks, monitors and class initialisers. */
@SuppressWarnings("LockNotBeforeTry") // locks that are not given back, on purpose
final class LockStandstills {

    private static final String STANDS_STILL = "stands-still";
    private static final String[] TRUE_AS_WELL = {
        "queue-growing", "stuck-task", "starved-by-own-tasks", "lock-contention"
    };

    private LockStandstills() {}

    static List<Workload> all() {
        return List.of(
                standstill("monitor-of-a-caller-that-waits", "a thread waits for tasks that need the monitor it holds")
                        .names("LockStandstills.render")
                        .plays(scene -> {
                            ThreadPoolExecutor pool = scene.unboundedPool("chunks", 4);
                            Object world = new Object();
                            scene.arrivals(60, pool, () -> render(world));
                            Onset.once(scene, "server-main", () -> {
                                scene.isSickFromNow();
                                renderAll(world, pool);
                            });
                        }),
                standstill("read-lock-behind-a-writer", "tasks that hold a read lock wait for parts that want it, too")
                        .names("LockStandstills.")
                        .plays(scene -> {
                            ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
                            ThreadPoolExecutor pool = scene.unboundedPool("types", 6);
                            ThreadPoolExecutor parts = scene.unboundedPool("parts", 2);
                            Onset.arrivals(scene, pool, () -> whole(lock, parts));
                            scene.thread("config-writer", () -> {
                                while (!scene.isOver()) {
                                    Waiting.millis(300);
                                    lock.writeLock().lock();
                                    lock.writeLock().unlock();
                                }
                            });
                        }),
                standstill("initialisers-in-a-circle", "two classes initialise each other in two workers at once")
                        .names("LockStandstills$")
                        .plays(scene -> {
                            AtomicInteger number = new AtomicInteger();
                            Onset.arrivals(scene, scene.unboundedPool("index", 6), () -> {
                                int value = number.getAndIncrement() % 2 == 0 ? Base.first() : Derived.second();
                                Waiting.millis(value);
                            });
                        }),
                standstill("lock-of-a-thread-that-has-ended", "a thread took a lock, failed, and did not release it")
                        .quick()
                        .names("LockStandstills.append")
                        .plays(scene -> {
                            Lock lock = new ReentrantLock();
                            Onset.once(scene, "importer", lock::lock);
                            Onset.arrivals(scene, scene.unboundedPool("journal", 6), () -> append(lock));
                        }),
                standstill("monitor-held-through-a-call", "one task holds a monitor in a call that never returns")
                        .names("LockStandstills.")
                        .plays(scene -> {
                            Object cache = new Object();
                            AtomicInteger calls = new AtomicInteger();
                            Onset.arrivals(
                                    scene,
                                    scene.unboundedPool("lookups", 6),
                                    () -> lookUp(cache, calls.getAndIncrement()));
                        }),
                standstill(
                                "read-lock-that-wants-to-write",
                                "tasks ask for the write lock while they hold the read lock")
                        .names("LockStandstills.upgrade")
                        .plays(scene -> {
                            ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
                            Onset.arrivals(scene, scene.unboundedPool("settings", 5), () -> upgrade(lock));
                        }),
                standstill("stamp-that-was-not-given-back", "a task failed with a write stamp of a StampedLock")
                        .names("LockStandstills.move")
                        .plays(scene -> {
                            StampedLock lock = new StampedLock();
                            Onset.arrivals(scene, scene.unboundedPool("points", 5), () -> move(lock));
                        }),
                standstill("value-that-needs-its-own-pool", "a map computes a value from a task that needs the map")
                        .names("LockStandstills.price")
                        .plays(scene -> {
                            Map<String, String> prices = new ConcurrentHashMap<>();
                            ThreadPoolExecutor pool = scene.unboundedPool("prices", 4);
                            Onset.arrivals(scene, pool, () -> price(prices, pool));
                        }));
    }

    private static Workload.Builder standstill(String name, String about) {
        return sick(name, STANDS_STILL).incurable().about(about).may(TRUE_AS_WELL);
    }

    private static void render(Object world) {
        synchronized (world) {
            Waiting.millis(1);
        }
    }

    private static void renderAll(Object world, ThreadPoolExecutor pool) throws Exception {
        List<Callable<Object>> chunks = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            chunks.add(() -> {
                render(world);
                return world;
            });
        }
        synchronized (world) {
            pool.invokeAll(chunks);
        }
    }

    private static void whole(ReentrantReadWriteLock lock, ThreadPoolExecutor parts) throws Exception {
        lock.readLock().lock();
        try {
            Waiting.millis(30);
            parts.submit(() -> part(lock)).get();
        } finally {
            lock.readLock().unlock();
        }
    }

    private static void part(ReentrantReadWriteLock lock) {
        lock.readLock().lock();
        lock.readLock().unlock();
    }

    private static void append(Lock lock) {
        lock.lock();
        lock.unlock();
    }

    private static void lookUp(Object cache, int number) {
        synchronized (cache) {
            if (number == 0) {
                Waiting.call(Integer.MAX_VALUE);
            }
        }
    }

    private static void upgrade(ReentrantReadWriteLock lock) {
        lock.readLock().lock();
        try {
            Waiting.millis(20);
            lock.writeLock().lock();
            lock.writeLock().unlock();
        } finally {
            lock.readLock().unlock();
        }
    }

    private static void move(StampedLock lock) {
        long stamp = lock.writeLock();
        if (stamp == 0) {
            lock.unlockWrite(stamp); // never: the first task keeps its stamp
        }
    }

    private static void price(Map<String, String> prices, ThreadPoolExecutor pool) {
        prices.computeIfAbsent("all", all -> {
            Onset.run(() -> pool.submit(() -> prices.computeIfAbsent("all", part -> "1"))
                    .get());
            return "2";
        });
    }

    /** Needs a {@link Derived}. */
    private static class Base {
        private static final Object[] DERIVED = derived();

        private static Object[] derived() {
            Waiting.millis(300);
            return new Object[] {new Derived()};
        }

        static int first() {
            return DERIVED.length;
        }
    }

    /** Needs a {@link Base}. */
    private static final class Derived extends Base {
        private static final long LOADED = System.nanoTime();

        static int second() {
            return LOADED == 0 ? 1 : 2;
        }
    }
}
