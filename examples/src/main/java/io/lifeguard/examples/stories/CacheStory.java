package io.lifeguard.examples.stories;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.CacheLoader;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A cache whose loaders block the JDK's common pool, which has fewer workers than the machine has processors. A pool of its
 * own cures the cache.
 */
public final class CacheStory extends Story {

    private static final String ID = "blocked-on-io";
    private static final String COMMON_POOL = "common pool";
    private static final Duration CALL = Duration.ofMillis(20);

    private static final String PARALLELISM = "java.util.concurrent.ForkJoinPool.common.parallelism";

    /** The size of the common pool on a machine with four processors. */
    private static final int SMALL_COMMON_POOL = 3;

    /** Enough to queue in the common pool of any machine: it has a worker for each processor but one. */
    private static final int CLIENTS_PER_WORKER = 8;

    /** Far more products than the cache keeps, so that most reads load. */
    private static final int PRODUCTS = 1_000_000;

    private static final int CACHED_PRODUCTS = 10_000;

    /** Creates the story. */
    public CacheStory() {
        super("story-cache", "a cache whose loaders block the JDK's common pool, then a pool of their own");
    }

    @Override
    boolean tell(Stage stage, Options options) throws IOException, InterruptedException {
        Duration length = options.secondsOr(8);
        Duration call = options.callOr(CALL);
        avoidThreadPerTask();
        int workers = ForkJoinPool.getCommonPoolParallelism();
        int clients = CLIENTS_PER_WORKER * workers;
        stage.title(
                "The cache that blocked the common pool",
                clients
                        + " clients read prices from an AsyncLoadingCache of Caffeine. The loader hashes 64 KiB and asks a"
                        + " service on loopback,",
                "which answers in about " + call.toMillis()
                        + " ms (lognormal). At first the cache has no executor, so it loads in the common pool of "
                        + workers + " workers.",
                "Then the cache gets a pool of " + clients + " workers.");
        Hashing hashing = new Hashing(64 * 1_024);
        try (RemoteService service = RemoteService.start();
                RemoteClient client = service.client()) {
            CacheLoader<Integer, Integer> loader = product -> {
                client.call(Delay.around(call));
                return hashing.run();
            };
            stage.watchCommonPool(COMMON_POOL);
            double before = pricesPerSecond(cache().buildAsync(loader), clients, length);
            List<Finding> findings = stage.findings(COMMON_POOL);
            stage.told("before", String.format(Locale.ROOT, "loaders in the common pool: %,.0f prices/s", before));
            Optional<Finding> finding =
                    findings.stream().filter(each -> each.id().equals(ID)).findFirst();
            stage.tell(finding, ID);

            InstrumentedThreadPoolExecutor orders =
                    InstrumentedThreadPoolExecutor.named("orders").size(clients).build();
            double after;
            try {
                after = pricesPerSecond(cache().executor(orders).buildAsync(loader), clients, length);
            } finally {
                orders.shutdownNow();
            }
            stage.told(
                    "after",
                    String.format(Locale.ROOT, "loaders in their own pool, .executor(orders): %,.0f prices/s", after));
            stage.findings(orders.name()).forEach(stage::tell);
            stage.told("ratio", String.format(Locale.ROOT, "%.2f× by leaving the common pool alone", after / before));
            return finding.isPresent();
        }
    }

    /**
     * Gives a machine with one or two processors the common pool of a larger one. Up to Java 24 a CompletableFuture does not
     * use a common pool of one worker, but starts a thread for each task. Works only before the JDK has made the pool.
     */
    private static void avoidThreadPerTask() {
        if (Runtime.getRuntime().availableProcessors() <= 2 && System.getProperty(PARALLELISM) == null) {
            System.setProperty(PARALLELISM, String.valueOf(SMALL_COMMON_POOL));
        }
    }

    private static Caffeine<Object, Object> cache() {
        return Caffeine.newBuilder().maximumSize(CACHED_PRODUCTS);
    }

    /** Lets clients read one random price after the other, and returns how many prices they read in a second. */
    private static double pricesPerSecond(AsyncLoadingCache<Integer, Integer> prices, int clients, Duration length)
            throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(clients, body -> {
            Thread thread = new Thread(body, "client");
            thread.setDaemon(true);
            return thread;
        });
        long start = System.nanoTime();
        Callable<Integer> client = () -> readUntil(prices, start + length.toNanos());
        int read = 0;
        try {
            for (Future<Integer> each : threads.invokeAll(Collections.nCopies(clients, client))) {
                read += each.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client failed: " + e.getCause(), e);
        } finally {
            threads.shutdownNow();
        }
        return read / ((System.nanoTime() - start) / 1e9);
    }

    private static int readUntil(AsyncLoadingCache<Integer, Integer> prices, long end)
            throws InterruptedException, ExecutionException {
        int read = 0;
        do {
            prices.get(ThreadLocalRandom.current().nextInt(PRODUCTS)).get();
            read++;
        } while (System.nanoTime() - end < 0);
        return read;
    }
}
