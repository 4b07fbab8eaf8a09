package io.lifeguard.pool.corpus.real.systems;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lifeguard.pool.corpus.work.HttpService;
import io.lifeguard.workbench.Hashing;
import io.lifeguard.workbench.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Programs on the JDK's own executors, which only {@code lifeguard watch} can look at. Their monitor would have to be
 * told of each executor.
 */
final class PlainPrograms {

    private static final int WORKERS = 8;

    private static final LongAdder CHECKSUM = new LongAdder();

    private PlainPrograms() {}

    static List<RealSystem> all() {
        return List.of(
                RealSystem.named("plain-feeds-itself", "downstream-saturated")
                        .about("eight workers wait for room in the full queue of their own pool, and nothing moves")
                        .at("PlainPrograms.putIn")
                        .cure("a pool of their own for the parts")
                        .forms(stage -> feedsItself(stage, true), stage -> feedsItself(stage, false)),
                RealSystem.named("plain-sixty-four-compute", "cpu-saturated")
                        .about("64 threads of a plain executor compute hashes of 3 ms")
                        .may("high-system-cpu")
                        .at("PlainPrograms.hash")
                        .cure("as many threads as CPUs")
                        .forms(
                                stage -> hashes(stage, 64),
                                stage -> hashes(stage, Runtime.getRuntime().availableProcessors())),
                RealSystem.named("caffeine-slow-loader", "lock-contention")
                        .about(
                                "32 workers need one entry of a Caffeine cache that expires after 20 ms and loads for 80")
                        .at("PlainPrograms.rate")
                        .cure("the entry stays")
                        .forms(
                                stage -> cache(stage, Duration.ofMillis(20)),
                                stage -> cache(stage, Duration.ofHours(1))));
    }

    private static ThreadPoolExecutor fixed(Stage stage, int size, BlockingQueue<Runnable> queue) {
        return stage.keep(
                new ThreadPoolExecutor(size, size, 1, TimeUnit.MINUTES, queue, Executors.defaultThreadFactory()));
    }

    private static void feedsItself(Stage stage, boolean hasOnePool) {
        ThreadPoolExecutor pool =
                fixed(stage, WORKERS, hasOnePool ? new LinkedBlockingQueue<>(4) : new LinkedBlockingQueue<>());
        ThreadPoolExecutor parts = hasOnePool ? pool : fixed(stage, WORKERS, new LinkedBlockingQueue<>(4));
        parts.setRejectedExecutionHandler((task, full) -> putIn(full.getQueue(), task));
        Semaphore orders = new Semaphore(WORKERS);
        stage.loop("orders", () -> {
            orders.acquire();
            pool.execute(() -> order(stage, parts, orders));
        });
    }

    private static void order(Stage stage, ThreadPoolExecutor parts, Semaphore orders) {
        Waiting.millis(50); // until all workers have such a task
        for (int i = 0; i < WORKERS; i++) {
            parts.execute(() -> Waiting.millis(1));
        }
        stage.countDone();
        orders.release();
    }

    private static void putIn(BlockingQueue<Runnable> queue, Runnable task) {
        try {
            queue.put(task);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void hashes(Stage stage, int threads) {
        ThreadPoolExecutor pool = fixed(stage, threads, new LinkedBlockingQueue<>());
        feed(stage, pool, threads + 1_000, PlainPrograms::hash);
    }

    private static void hash() {
        CHECKSUM.add(Hashing.micros(3_000));
    }

    private static void cache(Stage stage, Duration lives) {
        HttpService rates = HttpService.start(64);
        Cache<String, Long> cache =
                Caffeine.newBuilder().expireAfterWrite(lives).build();
        ThreadPoolExecutor pool = fixed(stage, 32, new LinkedBlockingQueue<>());
        feed(stage, pool, 40, () -> rate(cache, rates));
    }

    private static void rate(Cache<String, Long> cache, HttpService rates) {
        CHECKSUM.add(Objects.requireNonNull(cache.get("EUR", key -> load(rates))));
        rates.get(2);
    }

    private static long load(HttpService rates) {
        rates.get(80);
        return 1;
    }

    /** Keeps as many tasks queued or running. */
    private static void feed(Stage stage, ThreadPoolExecutor pool, int standing, Runnable task) {
        Semaphore clients = new Semaphore(standing);
        stage.loop("clients", () -> {
            clients.acquire();
            pool.execute(() -> {
                try {
                    task.run();
                    stage.countDone();
                } finally {
                    clients.release();
                }
            });
        });
    }
}
