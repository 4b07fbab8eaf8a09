package io.lifeguard.pool.benchmarks.meters;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.micrometer.InstrumentedPoolMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares the throughput of a pool that is bound to a Prometheus registry and scraped once a second with that of an
 * unbound pool. The pools have two workers, tasks of a microsecond, and one submitter that waits when the queue of
 * 1,024 is full. They live in one JVM and take turns of two seconds, in a new random order for every round. So each
 * ratio is between neighbours in time. A second unbound pool shows the size of chance differences.
 *
 * <p>Arguments: rounds and seconds per turn, 25 and 2 by default. Prints medians with quartiles, and the time of a
 * scrape.
 */
public final class MetersCost {

    private static final int WARM_UP_ROUNDS = 3;
    private static final int SPIN = 1_000;

    @SuppressWarnings("UnusedVariable")
    private static volatile long sink; // so that the compiler cannot remove the tasks

    private final int rounds;
    private final int seconds;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicLong scrapes = new AtomicLong();
    private final AtomicLong scrapeNanos = new AtomicLong();
    private final AtomicLong series = new AtomicLong();

    private MetersCost(int rounds, int seconds) {
        this.rounds = rounds;
        this.seconds = seconds;
    }

    /** Measures, and prints the result. */
    public static void main(String[] arguments) throws InterruptedException {
        new MetersCost(argument(arguments, 0, 25), argument(arguments, 1, 2)).run();
    }

    private static int argument(String[] arguments, int index, int otherwise) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
    }

    private void run() throws InterruptedException {
        InstrumentedThreadPoolExecutor plain = pool("plain");
        InstrumentedThreadPoolExecutor twin = pool("twin");
        InstrumentedThreadPoolExecutor bound = pool("bound");
        InstrumentedThreadPoolExecutor rich = pool("rich");
        new InstrumentedPoolMetrics(bound).bindTo(registry);
        PrometheusMeterRegistry everything = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        InstrumentedPoolMetrics.builder()
                .pool(rich)
                .histograms()
                .percentiles(0.5, 0.9, 0.99)
                .kinds(20)
                .build()
                .bindTo(everything);
        List<Double> ofTwin = new ArrayList<>();
        List<Double> ofBound = new ArrayList<>();
        List<Double> ofRich = new ArrayList<>();
        Random random = new Random(1);
        for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
            double[] rates = new double[4];
            List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3));
            Collections.shuffle(order, random);
            for (int turn : order) {
                rates[turn] = switch (turn) {
                    case 0 -> throughput(plain);
                    case 1 -> throughput(twin);
                    case 2 -> scraped(bound, registry);
                    default -> scraped(rich, everything);
                };
            }
            if (round >= 0) {
                ofTwin.add(rates[1] / rates[0]);
                ofBound.add(rates[2] / rates[0]);
                ofRich.add(rates[3] / rates[0]);
                System.out.printf(Locale.ROOT, "%3d: %s tasks/s%n", round, Arrays.toString(rates));
            }
        }
        print("not bound either", ofTwin);
        print("bound, scraped every second", ofBound);
        print("the same with percentiles, histograms and kinds", ofRich);
        System.out.printf(
                Locale.ROOT,
                "a scrape of the bound pool: %d series, %.2f ms%n",
                series.get(),
                scrapeNanos.get() / 1e6 / Math.max(1, scrapes.get()));
        List.of(plain, twin, bound, rich).forEach(InstrumentedThreadPoolExecutor::shutdown);
    }

    private static InstrumentedThreadPoolExecutor pool(String name) {
        return InstrumentedThreadPoolExecutor.named(name)
                .size(2)
                .queueCapacity(1024)
                .build();
    }

    private double scraped(InstrumentedThreadPoolExecutor pool, PrometheusMeterRegistry from)
            throws InterruptedException {
        Thread scraper = new Thread(() -> scrapeEverySecond(from), "scraper");
        scraper.setDaemon(true);
        scraper.start();
        try {
            return throughput(pool);
        } finally {
            scraper.interrupt();
            scraper.join();
        }
    }

    private void scrapeEverySecond(PrometheusMeterRegistry from) {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(500); // so that each turn of two seconds has two scrapes
                long begin = System.nanoTime();
                String scraped = from.scrape();
                if (from == registry) {
                    scrapeNanos.addAndGet(System.nanoTime() - begin);
                    scrapes.incrementAndGet();
                    series.set(scraped.lines()
                            .filter(line -> !line.startsWith("#"))
                            .count());
                }
                TimeUnit.MILLISECONDS.sleep(500);
            }
        } catch (InterruptedException turnIsOver) {
            Thread.currentThread().interrupt();
        }
    }

    private double throughput(InstrumentedThreadPoolExecutor pool) {
        long completed = pool.snapshot().completed();
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < seconds * 1_000_000_000L) {
            for (int i = 0; i < 100; i++) {
                pool.execute(MetersCost::spin);
            }
        }
        double length = (System.nanoTime() - begin) / 1e9;
        return (pool.snapshot().completed() - completed) / length;
    }

    private static void spin() {
        long value = System.identityHashCode(Thread.currentThread());
        for (int i = 0; i < SPIN; i++) {
            value = value * 6_364_136_223_846_793_005L + 1;
        }
        if (value == 42) {
            sink = value;
        }
    }

    private static void print(String what, List<Double> ratios) {
        double[] sorted =
                ratios.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "%s: %.3f× (quartiles %.3f to %.3f, %d rounds)%n",
                what,
                sorted[sorted.length / 2],
                sorted[sorted.length / 4],
                sorted[3 * sorted.length / 4],
                sorted.length);
    }
}
