package io.lifeguard.pool.corpus.workloads;

import static io.lifeguard.pool.corpus.workloads.Scene.CORES;
import static io.lifeguard.pool.corpus.workloads.Workload.healthy;
import static io.lifeguard.pool.corpus.workloads.Workload.sick;

import io.lifeguard.pool.corpus.work.Service;
import io.lifeguard.workbench.Hashing;
import io.lifeguard.workbench.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/** Workloads whose workers wait for a lock, or for each other. */
final class LockWorkloads {

    private static final String CONTENTION = "lock-contention";
    private static final String STARVED = "starved-by-own-tasks";

    private LockWorkloads() {}

    static List<Workload> all() {
        return List.of(
                sick("synchronized-lazy-getter", CONTENTION)
                        .about("100 workers, and a getter that asks a service while it holds the monitor")
                        .quick()
                        .names("LazyCatalogue.get")
                        .plays(scene -> {
                            LazyCatalogue catalogue = new LazyCatalogue(Service.unlimited());
                            scene.feed(scene.pool("orders", 100), () -> {
                                catalogue.get();
                                Hashing.micros(100);
                            });
                        }),
                sick("computing-under-a-lock", CONTENTION)
                        .about("four fifths of the computing is done under one lock, so that one CPU does all of it")
                        .may("oversized")
                        .names("LockWorkloads.")
                        .plays(scene -> {
                            ReentrantLock lock = new ReentrantLock();
                            scene.feed(scene.pool("totals", 8 * CORES), () -> {
                                Hashing.micros(150);
                                lock.lock();
                                try {
                                    Hashing.micros(600);
                                } finally {
                                    lock.unlock();
                                }
                            });
                        }),
                sick("five-hundred-on-a-lock", CONTENTION)
                        .about("500 workers wait 20 ms for something outside, and then hold one lock for 2 ms")
                        .recommends(8, 40)
                        .names("LockWorkloads.")
                        .plays(scene -> {
                            ReentrantLock lock = new ReentrantLock();
                            scene.feed(scene.pool("orders", 500), () -> {
                                Waiting.millis(20);
                                lock.lock();
                                try {
                                    Waiting.millis(2);
                                } finally {
                                    lock.unlock();
                                }
                            });
                        }),
                healthy("short-queue-on-a-lock", CONTENTION)
                        .about("calls of 5 ms, then a lock for a tenth of a millisecond; half of the workers are free")
                        .quick()
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            Object monitor = new Object();
                            scene.arrivals(800, scene.unboundedPool("orders", 10), () -> {
                                service.call(5);
                                synchronized (monitor) {
                                    Hashing.micros(100);
                                }
                            });
                        }),
                healthy("lock-at-full-cpu", CONTENTION)
                        .about("one thread per CPU computes, a twentieth of the time under a lock")
                        .plays(scene -> {
                            ReentrantLock lock = new ReentrantLock();
                            scene.feed(scene.pool("sums", CORES), () -> {
                                Hashing.micros(950);
                                lock.lock();
                                try {
                                    Hashing.micros(50);
                                } finally {
                                    lock.unlock();
                                }
                            });
                        }),
                sick("children-in-the-own-queue", STARVED)
                        .incurable()
                        .about("each task waits for a part that it submitted to its own pool: all workers"
                                + " wait, forever")
                        .may("queue-growing", "stands-still", "stuck-task")
                        .quick()
                        .names("LockWorkloads.waitFor")
                        .plays(scene -> {
                            ExecutorService pool = scene.unboundedPool("parents", 4);
                            Service service = Service.unlimited();
                            Runnable parent = () -> {
                                service.call(2);
                                waitFor(pool, () -> service.call(2));
                            };
                            for (int i = 0; i < 8; i++) {
                                pool.execute(parent);
                            }
                            scene.arrivals(20, pool, parent);
                        }),
                sick("one-worker-left-for-the-parts", STARVED)
                        .incurable()
                        .about("seven of eight workers wait for parts that the eighth runs, one after the other")
                        .names("LockWorkloads.waitFor")
                        .plays(scene -> {
                            ExecutorService pool = scene.unboundedPool("batches", 8);
                            Service service = Service.unlimited();
                            Semaphore parents = new Semaphore(7);
                            scene.thread("batches", () -> {
                                while (!scene.isOver()) {
                                    parents.acquireUninterruptibly();
                                    pool.execute(() -> {
                                        List<Future<?>> parts = new ArrayList<>();
                                        for (int i = 0; i < 4; i++) {
                                            parts.add(pool.submit(() -> service.call(4)));
                                        }
                                        parts.forEach(LockWorkloads::waitFor);
                                        parents.release();
                                    });
                                }
                            });
                        }),
                healthy("parts-in-another-pool", STARVED)
                        .about("tasks wait for parts in a pool of their own, which has workers enough")
                        .plays(scene -> {
                            ExecutorService parts = scene.unboundedPool("parts", 16);
                            Service service = Service.unlimited();
                            scene.arrivals(
                                    300,
                                    scene.unboundedPool("batches", 10),
                                    () -> waitFor(parts, () -> service.call(15)));
                        }));
    }

    private static void waitFor(ExecutorService pool, Runnable part) {
        waitFor(pool.submit(part));
    }

    private static void waitFor(Future<?> part) {
        try {
            part.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a part failed", e);
        }
    }

    /** The classic. */
    private static final class LazyCatalogue {
        private final Service service;

        LazyCatalogue(Service service) {
            this.service = service;
        }

        synchronized void get() {
            service.call(2);
        }
    }
}
