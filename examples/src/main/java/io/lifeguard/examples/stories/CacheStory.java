package io.lifeguard.examples.stories;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.CacheLoader;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A cache whose loaders block the JDK's common pool, which has fewer workers than the machine has processors. A pool of
 * its own cures the cache.
 */
public final class CacheStory extends Story {

    private static final String ID = "queue-growing";
    private static final String COMMON_POOL = "common pool";
    private static final Duration CALL = Duration.ofMillis(20);

    private static final String PARALLELISM = "java.util.concurrent.ForkJoinPool.common.parallelism";

    /** The size of the common pool on a machine with four processors. */
    private static final int SMALL_COMMON_POOL = 3;

    /** Three times as many requests as the common pool can load prices for, on a machine of any size. */
    private static final int LOAD = 3;

    /** More than twice as many workers as this load keeps busy. */
    private static final int ORDERS_PER_WORKER = 8;

    /** Far more products than the cache keeps, so that most requests load a price. */
    private static final int PRODUCTS = 1_000_000;

    private static final int CACHED_PRODUCTS = 10_000;
    private static final Duration MAX_DRAIN = Duration.ofSeconds(10);

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
        double perSecond = LOAD * workers / (call.toNanos() / 1e9);
        int size = ORDERS_PER_WORKER * workers;
        stage.title(
                "The cache that blocked the common pool",
                String.format(
                        Locale.ROOT,
                        "%,.0f requests per second read a price from an AsyncLoadingCache of Caffeine.",
                        perSecond),
                "The loader hashes 64 KiB and asks a service on loopback, which answers in about " + call.toMillis()
                        + " ms (lognormal).",
                "At first the cache has no executor, so it loads in the common pool of " + workers
                        + " workers. Then it gets a pool of " + size + ".");
        try (RemoteService service = RemoteService.start();
                RemoteClient client = service.client()) {
            Requests requests = new Requests(client, call, perSecond, length);
            stage.watchCommonPool(COMMON_POOL);
            double before = requests.answeredPerSecond(cache());
            List<Finding> findings = stage.findings(COMMON_POOL);
            stage.told("before", requests.inWords("loaders in the common pool", before));
            findings.forEach(stage::tell);
            Optional<Finding> finding =
                    findings.stream().filter(each -> each.id().equals(ID)).findFirst();
            if (finding.isEmpty()) {
                stage.tell(finding, ID);
            }

            stage.cureBegins();
            InstrumentedThreadPoolExecutor orders =
                    InstrumentedThreadPoolExecutor.named("orders").size(size).build();
            double after;
            try {
                after = requests.answeredPerSecond(cache().executor(orders));
            } finally {
                awaitIdle(orders); // because a load in progress needs the service, and the cache needs the pool
                orders.shutdownNow();
            }
            stage.told("after", requests.inWords("loaders in their own pool, .executor(orders)", after));
            stage.findings(orders.name()).forEach(stage::tell);
            stage.told("ratio", String.format(Locale.ROOT, "%.2f× by leaving the common pool alone", after / before));
            return finding.isPresent();
        }
    }

    /**
     * Gives a machine with one or two processors the common pool of a larger one. Up to Java 24 a CompletableFuture
     * does not use a common pool of one worker, but starts a thread for each task. Works only before the JDK has made
     * the pool.
     */
    private static void avoidThreadPerTask() {
        if (Runtime.getRuntime().availableProcessors() <= 2 && System.getProperty(PARALLELISM) == null) {
            System.setProperty(PARALLELISM, String.valueOf(SMALL_COMMON_POOL));
        }
    }

    private static void awaitIdle(InstrumentedThreadPoolExecutor pool) throws InterruptedException {
        long end = System.nanoTime() + MAX_DRAIN.toNanos();
        for (PoolSnapshot now = pool.snapshot();
                now.completed() < now.submitted() && System.nanoTime() - end < 0;
                now = pool.snapshot()) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private static Caffeine<Object, Object> cache() {
        return Caffeine.newBuilder().maximumSize(CACHED_PRODUCTS);
    }

    /** The requests of one run. They come at a constant rate, whether or not earlier ones have been answered. */
    private record Requests(RemoteClient client, Duration call, double perSecond, Duration length) {

        private static final Hashing HASHING = new Hashing(64 * 1_024);

        /** Sends the requests from the calling thread, and returns how many were answered in a second. */
        @SuppressWarnings("FutureReturnValueIgnored") // the count at the end is the result
        double answeredPerSecond(Caffeine<Object, Object> cache) throws InterruptedException {
            AtomicBoolean isOver = new AtomicBoolean();
            CacheLoader<Integer, Integer> loader = product -> {
                if (isOver.get()) {
                    return 0; // a request that was still queued at the end of the run
                }
                client.call(Delay.around(call));
                return HASHING.run();
            };
            AsyncLoadingCache<Integer, Integer> prices = cache.buildAsync(loader);
            LongAdder answered = new LongAdder();
            long start = System.nanoTime();
            for (long sent = 0; System.nanoTime() - start < length.toNanos(); sent++) {
                prices.get(ThreadLocalRandom.current().nextInt(PRODUCTS)).thenRun(answered::increment);
                LockSupport.parkNanos(start + (long) (1e9 * sent / perSecond) - System.nanoTime());
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            double rate = answered.sum() / ((System.nanoTime() - start) / 1e9);
            isOver.set(true);
            return rate;
        }

        String inWords(String label, double rate) {
            return String.format(Locale.ROOT, "%s: %,.0f of %,.0f prices/s", label, rate, perSecond);
        }
    }
}
