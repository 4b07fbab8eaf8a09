package io.lifeguard.pool.benchmarks.monitor;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.workbench.ThreadTimes;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Measures which share of one core the threads of a JVM use while virtual threads are parked and nothing else happens.
 * Needs Java 21 and Linux. With {@code -Dlifeguard.monitor=off} it tells what the JVM itself uses:
 *
 * <pre>{@code
 * java -cp checks/benchmarks/target/benchmarks.jar io.lifeguard.pool.benchmarks.monitor.ParkedThreads 100000 60 60
 * }</pre>
 *
 * <p>The arguments may be the number of threads, and how many seconds to wait and to measure.
 */
public final class ParkedThreads {

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
        ThreadTimes times = ThreadTimes.of(seconds);
        System.out.printf(
                "Java %s, %,d parked threads: %.3f %% of one core: %s%n",
                Runtime.version().feature(), ((InstrumentedPool) executor).threadCount(), times.all(), times);
        open.countDown();
        executor.shutdown();
        executor.awaitTermination(1, TimeUnit.MINUTES);
    }

    private static int argument(String[] arguments, int index, int otherwise) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
    }
}
