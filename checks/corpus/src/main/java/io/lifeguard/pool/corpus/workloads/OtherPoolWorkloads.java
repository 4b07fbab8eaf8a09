package io.lifeguard.pool.corpus.workloads;

import static io.lifeguard.pool.corpus.workloads.Workload.healthy;
import static io.lifeguard.pool.corpus.workloads.Workload.sick;

import io.lifeguard.pool.corpus.work.Service;
import io.lifeguard.workbench.Hashing;
import io.lifeguard.workbench.Waiting;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Workloads that wait for another pool, that block the common pool, or whose scheduled tasks start late. */
final class OtherPoolWorkloads {

    private static final String LATE = "schedule-late";
    private static final String ANOTHER = "waits-on-another-pool";
    private static final String COMMON = "common-pool-blocked";

    /** On two CPUs the common pool has a single thread, and futures then do without it. */
    private static final String COMMON_POOL_OF_3 = "-Djava.util.concurrent.ForkJoinPool.common.parallelism=3";

    private OtherPoolWorkloads() {}

    static List<Workload> all() {
        return List.of(
                sick("heartbeat-behind-a-report", LATE)
                        .incurable()
                        .about("one thread sends a heartbeat ten times a second, and twice a second makes a"
                                + " report of 300 ms")
                        .quick()
                        .plays(scene -> timers(scene, 1, 300)),
                sick("timers-that-block-each-other", LATE)
                        .incurable()
                        .about("eight timers with a period of 100 ms call a service for 40 ms, on two threads")
                        .may("blocked-on-io")
                        .plays(scene -> manyTimers(scene, 2)),
                healthy("heartbeat-beside-a-report", LATE)
                        .about("the same heartbeat and report, on two threads")
                        .quick()
                        .plays(scene -> timers(scene, 2, 300)),
                healthy("timers-with-threads-enough", LATE)
                        .about("the same eight timers, on six threads")
                        .plays(scene -> manyTimers(scene, 6)),
                sick("prices-from-a-small-pool", ANOTHER)
                        .about("12 workers wait for prices, which two workers of another pool fetch")
                        .may("blocked-on-io")
                        .quick()
                        .names("prices")
                        .plays(scene -> {
                            ExecutorService prices = scene.unboundedPool("prices", 2);
                            Service service = Service.unlimited();
                            scene.feed(scene.pool("orders", 12), () -> waitFor(prices.submit(() -> service.call(10))));
                        }),
                sick("two-pools-in-a-circle", ANOTHER)
                        .incurable()
                        .about("orders wait for stock, and stock waits for orders: all workers of both wait, forever")
                        .may("queue-growing", "stuck-task", "starved-by-own-tasks")
                        .plays(scene -> {
                            ExecutorService orders = scene.unboundedPool("orders", 4);
                            ExecutorService stock = scene.unboundedPool("stock", 4);
                            Service service = Service.unlimited();
                            Runnable order = () -> {
                                service.call(5);
                                waitFor(stock.submit(() -> {
                                    service.call(5);
                                    waitFor(orders.submit(() -> service.call(5)));
                                }));
                            };
                            for (int i = 0; i < 8; i++) {
                                orders.execute(order);
                            }
                            scene.arrivals(20, orders, order);
                        }),
                sick("client-with-threads-of-its-own", ANOTHER)
                        .about("24 workers wait for answers, which a client's own three threads bring")
                        .quick()
                        .names("OtherPoolWorkloads.ask")
                        .plays(scene -> {
                            Client client = new Client(scene, 3);
                            scene.feed(scene.pool("requests", 24), () -> ask(client));
                        }),
                sick("cache-that-loads-on-its-own-pool", ANOTHER)
                        .about("eight requests at a time want the same entry: one loads it, and seven wait for it")
                        .may("blocked-on-io")
                        .names("Cache.get")
                        .plays(scene -> {
                            Cache cache = new Cache(8);
                            scene.feed(scene.pool("requests", 8), cache::get);
                        }),
                healthy("client-with-threads-enough", ANOTHER)
                        .about("now and then a worker waits for an answer that a client's own threads bring")
                        .plays(scene -> {
                            Client client = new Client(scene, 8);
                            scene.arrivals(150, scene.unboundedPool("requests", 6), () -> ask(client));
                        }),
                healthy("prices-from-a-pool-of-their-own", ANOTHER)
                        .about("four workers wait for prices, and six workers fetch them; half of all are free")
                        .plays(scene -> {
                            ExecutorService prices = scene.unboundedPool("prices", 6);
                            Service service = Service.unlimited();
                            scene.arrivals(
                                    150,
                                    scene.unboundedPool("orders", 6),
                                    () -> waitFor(prices.submit(() -> service.call(12))));
                        }),
                sick("calls-in-the-common-pool", COMMON)
                        .about("requests call a service in the common pool, which has three threads, and wait for it")
                        .may(ANOTHER, "stuck-task") // the common pool is not fair: some calls wait 20 times as long
                        .jvm(COMMON_POOL_OF_3)
                        .quick()
                        .names("Service.call")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            scene.feed(
                                    scene.pool("requests", 16),
                                    () -> CompletableFuture.runAsync(() -> service.call(20))
                                            .join());
                        }),
                sick("parallel-stream-that-calls", COMMON)
                        .about("a parallel stream calls a service for each element")
                        .may("blocked-on-io", ANOTHER)
                        .jvm(COMMON_POOL_OF_3)
                        .names("Service.call")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            scene.feed(
                                    scene.pool("reports", 4),
                                    () -> IntStream.range(0, 12).parallel().forEach(element -> service.call(10)));
                        }),
                healthy("parallel-stream-that-computes", COMMON)
                        .about("a parallel stream hashes now and then, as it is meant to")
                        .jvm(COMMON_POOL_OF_3)
                        .quick()
                        .plays(scene -> scene.arrivals(
                                20,
                                scene.unboundedPool("reports", 2),
                                () -> IntStream.range(0, 16).parallel().forEach(element -> Hashing.micros(1_000)))),
                healthy("short-calls-in-the-common-pool", COMMON)
                        .about("now and then a call of 5 ms runs in the common pool, and a thread waits for it")
                        .jvm(COMMON_POOL_OF_3)
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            scene.arrivals(
                                    40,
                                    scene.unboundedPool("requests", 4),
                                    () -> CompletableFuture.runAsync(() -> service.call(5))
                                            .join());
                        }));
    }

    private static void timers(Scene scene, int threads, double reportMillis) {
        ScheduledExecutorService timer = scene.keep(scene.maker().scheduled("timer", threads));
        scene.keep(timer.scheduleAtFixedRate(() -> Hashing.micros(200), 100, 100, TimeUnit.MILLISECONDS));
        scene.keep(timer.scheduleAtFixedRate(() -> Waiting.millis(reportMillis), 50, 500, TimeUnit.MILLISECONDS));
    }

    private static void manyTimers(Scene scene, int threads) {
        Service service = Service.unlimited();
        ScheduledExecutorService timer = scene.keep(scene.maker().scheduled("timer", threads));
        for (int i = 0; i < 8; i++) {
            scene.keep(timer.scheduleAtFixedRate(() -> service.call(40), 10L * i, 100, TimeUnit.MILLISECONDS));
        }
    }

    private static void ask(Client client) {
        client.answer().join();
    }

    /** A client of a service that has threads of its own, as many libraries do. */
    private static final class Client {
        private final Service service = Service.unlimited();
        private final ExecutorService threads;

        Client(Scene scene, int size) {
            AtomicInteger number = new AtomicInteger();
            threads = scene.keep(Executors.newFixedThreadPool(size, task -> {
                Thread thread = new Thread(task, "client-io-" + number.incrementAndGet());
                thread.setDaemon(true);
                return thread;
            }));
        }

        CompletableFuture<Void> answer() {
            return CompletableFuture.runAsync(() -> service.call(12), threads);
        }
    }

    /** A cache whose entries are wanted by some callers each. The first caller loads, and the others wait. */
    private static final class Cache {
        private static final int KEPT = 8; // entries, so that no late caller loads one again

        private final Service service = Service.unlimited();
        private final Map<Long, CompletableFuture<Void>> entries = new ConcurrentHashMap<>();
        private final AtomicLong calls = new AtomicLong();
        private final int callersPerEntry;

        Cache(int callersPerEntry) {
            this.callersPerEntry = callersPerEntry;
        }

        void get() {
            long key = calls.getAndIncrement() / callersPerEntry;
            CompletableFuture<Void> mine = new CompletableFuture<>();
            CompletableFuture<Void> known = entries.putIfAbsent(key, mine);
            if (known != null) {
                known.join();
                return;
            }
            service.call(20);
            mine.complete(null);
            entries.remove(key - KEPT);
        }
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
}
