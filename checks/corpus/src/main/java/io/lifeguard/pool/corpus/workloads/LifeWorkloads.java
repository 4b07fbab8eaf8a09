package io.lifeguard.pool.corpus.workloads;

import static io.lifeguard.pool.corpus.workloads.Scene.CORES;
import static io.lifeguard.pool.corpus.workloads.Workload.healthy;
import static io.lifeguard.pool.corpus.workloads.Workload.sick;

import io.lifeguard.pool.corpus.work.Compressing;
import io.lifeguard.pool.corpus.work.Randomness;
import io.lifeguard.pool.corpus.work.Service;
import io.lifeguard.workbench.Hashing;
import io.lifeguard.workbench.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Workloads with unseen failures, pools that are never shut down, and a garbage collector that is always at work. */
final class LifeWorkloads {

    private static final String UNSEEN = "failures-unseen";
    private static final String LEAKED = "pool-leaked";

    private LifeWorkloads() {}

    static List<Workload> all() {
        return List.of(
                sick("futures-nobody-looks-at", UNSEEN)
                        .incurable()
                        .about("one submitted task in ten fails, and its future is dropped")
                        .quick()
                        .plays(scene -> {
                            ExecutorService pool = scene.unboundedPool("mails", 2);
                            scene.arrivals(200, () -> {
                                Future<?> dropped = pool.submit(LifeWorkloads::failNowAndThen);
                                if (dropped.isCancelled()) {
                                    throw new IllegalStateException("never cancelled");
                                }
                            });
                        }),
                sick("periodic-task-that-died", UNSEEN)
                        .incurable()
                        .about("a periodic task throws in its fifth run and is never run again")
                        .plays(scene -> {
                            ScheduledExecutorService pool =
                                    scene.keep(scene.maker().scheduled("cleaning", 1));
                            AtomicInteger runs = new AtomicInteger();
                            Future<?> dropped = pool.scheduleAtFixedRate(
                                    () -> {
                                        if (runs.incrementAndGet() == 5) {
                                            scene.isSickFromNow();
                                            throw new IllegalStateException("disk full");
                                        }
                                        Hashing.micros(200);
                                    },
                                    50,
                                    200,
                                    TimeUnit.MILLISECONDS);
                            if (dropped.isDone()) {
                                throw new IllegalStateException("it has not begun");
                            }
                            scene.arrivals(20, pool, () -> Hashing.micros(100));
                        }),
                healthy("failures-that-are-looked-at", UNSEEN)
                        .about("one task in ten fails, and its caller gets the exception")
                        .quick()
                        .plays(scene -> {
                            ExecutorService pool = scene.unboundedPool("mails", 2);
                            scene.arrivals(200, () -> {
                                try {
                                    pool.submit(LifeWorkloads::failNowAndThen).get();
                                } catch (ExecutionException seen) {
                                    Hashing.micros(1);
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                            });
                        }),
                sick("pool-per-request", LEAKED)
                        .incurable()
                        .about("each request makes a pool, uses it once and forgets it")
                        .jvm("-Xmx96m")
                        .quick()
                        .plays(scene -> scene.thread("requests", () -> {
                            for (int i = 0; i < 80 && !scene.isOver(); i++) {
                                forget(scene.maker().unbounded("request", 2));
                                Compressing.deflate(64 * 1024);
                                if (i % 10 == 0) {
                                    System.gc(); // as would happen soon in a service under load
                                }
                                Waiting.millis(30);
                            }
                        })),
                sick("shut-down-and-never-drained", LEAKED)
                        .incurable()
                        .about("a pool was told to shut down, and one of its tasks never ends")
                        .may("stuck-task")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            ExecutorService pool = scene.unboundedPool("old", 2);
                            pool.execute(() -> service.call(1e9));
                            pool.execute(() -> service.call(1e9));
                            for (int i = 0; i < 20; i++) {
                                pool.execute(() -> service.call(5));
                            }
                            Waiting.millis(300);
                            pool.shutdown();
                            scene.isSickFromNow();
                        }),
                healthy("pool-per-batch-that-is-closed", LEAKED)
                        .about("each batch makes a pool, uses it and shuts it down")
                        .quick()
                        .plays(scene -> scene.thread("batches", () -> {
                            while (!scene.isOver()) {
                                batch(scene.maker().unbounded("batch", CORES));
                                System.gc();
                            }
                        })),
                healthy("shutdown-that-takes-its-time", LEAKED)
                        .about("a pool was told to shut down and works off its queue, which takes a second")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            ExecutorService pool = scene.unboundedPool("old", 4);
                            for (int i = 0; i < 200; i++) {
                                pool.execute(() -> service.call(20));
                            }
                            Waiting.millis(200);
                            pool.shutdown();
                        }),
                healthy("collector-at-work", "garbage collection")
                        .about("a heap so small that the collector stops all threads again and again, on a"
                                + " pool of the right size")
                        .jvm("-Xmx40m", "-XX:+UseSerialGC")
                        .quick()
                        .plays(scene -> {
                            List<byte[]> retained = scene.keep(new ArrayList<>());
                            for (int i = 0; i < 160; i++) {
                                retained.add(new byte[100 * 1024]);
                            }
                            scene.feed(scene.pool("allocating", CORES), () -> {
                                List<byte[]> garbage = new ArrayList<>();
                                for (int i = 0; i < 200; i++) {
                                    garbage.add(new byte[4 * 1024]);
                                }
                                Hashing.micros(100 + garbage.size());
                            });
                        }),
                healthy("collector-between-calls", "garbage collection")
                        .about("full collections again and again while calls of a few milliseconds come at"
                                + " half the pool's capacity")
                        .jvm("-Xmx128m", "-XX:+UseSerialGC")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            List<byte[]> retained = scene.keep(new ArrayList<>());
                            for (int i = 0; i < 60; i++) {
                                retained.add(new byte[1024 * 1024]);
                            }
                            scene.arrivals(400, scene.unboundedPool("calls", 8), () -> service.call(8));
                            scene.thread("collector", () -> {
                                while (!scene.isOver()) {
                                    System.gc();
                                    Waiting.millis(120);
                                }
                            });
                        }));
    }

    private static void failNowAndThen() {
        Hashing.micros(100);
        if (Randomness.chance(0.1)) {
            throw new IllegalStateException("no such address");
        }
    }

    private static void forget(ExecutorService pool) {
        pool.execute(() -> Hashing.micros(200));
    }

    private static void batch(ExecutorService pool) {
        try {
            for (int i = 0; i < 200; i++) {
                pool.execute(() -> Hashing.micros(500));
            }
        } finally {
            pool.shutdown();
        }
        try {
            if (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("the batch does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
