package io.lifeguard.pool.benchmarks.monitor;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Measures which share of one core the threads of a JVM use while virtual threads are parked and nothing else happens.
 * Needs Java 21 and Linux. With {@code -Dlifeguard.monitor=off} it tells what the JVM itself uses:
 *
 * <pre>{@code
 * java -cp benchmarks/target/benchmarks.jar io.lifeguard.pool.benchmarks.monitor.ParkedThreads 100000 60 60
 * }</pre>
 *
 * <p>The arguments may be the number of threads, and how many seconds to wait and to measure.
 */
public final class ParkedThreads {

    private static final Path TASKS = Path.of("/proc/self/task");

    /** Threads that use less are told together. */
    private static final double LEAST_PERCENT = 0.005;

    private ParkedThreads() {}

    public static void main(String[] arguments) throws Exception {
        int threads = argument(arguments, 0, 100);
        int warmUp = argument(arguments, 1, 60);
        int seconds = argument(arguments, 2, 60);
        CountDownLatch open = new CountDownLatch(1);
        ExecutorService executor = InstrumentedExecutors.newVirtualThreadPerTaskExecutor("parked");
        for (int i = 0; i < threads; i++) {
            executor.submit(() -> {
                open.await();
                return null;
            });
        }
        TimeUnit.SECONDS.sleep(warmUp);
        Map<String, Long> before = cpuByThread();
        long begin = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        double length = System.nanoTime() - begin;
        double percent = 100.0 / (System.nanoTime() - begin);
        double all = 0;
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, Long> thread : cpuByThread().entrySet()) {
            double share = percent * (thread.getValue() - before.getOrDefault(thread.getKey(), 0L));
            all += share;
            text.append(share < LEAST_PERCENT ? "" : "  %.3f %s".formatted(share, thread.getKey()));
        }
        System.out.printf(
                "Java %s, %,d parked threads: %.3f %% of one core:%s%n",
                Runtime.version().feature(), ((InstrumentedPool) executor).threadCount(), all, text);
        open.countDown();
        executor.shutdown();
        executor.awaitTermination(1, TimeUnit.MINUTES);
    }

    private static int argument(String[] arguments, int index, int otherwise) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
    }

    /** CPU time in nanoseconds by the name that the system has for a thread, its number left out. */
    private static Map<String, Long> cpuByThread() throws IOException {
        Map<String, Long> times = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(TASKS)) {
            for (Path task : tasks.toList()) {
                String name = Files.readString(task.resolve("comm")).strip().replaceAll("\\d+", "");
                String schedstat = Files.readString(task.resolve("schedstat"));
                times.merge(name, Long.parseLong(schedstat.substring(0, schedstat.indexOf(' '))), Long::sum);
            }
        }
        return times;
    }
}
