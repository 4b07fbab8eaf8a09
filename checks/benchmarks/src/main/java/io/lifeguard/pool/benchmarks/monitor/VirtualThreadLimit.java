package io.lifeguard.pool.benchmarks.monitor;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedVirtualThreadExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What it costs to follow the advice of {@code virtual-threads-in-line}. Needs Java 21:
 *
 * <pre>{@code
 * java -cp checks/benchmarks/target/benchmarks.jar io.lifeguard.pool.benchmarks.monitor.VirtualThreadLimit
 * }</pre>
 *
 * <p>For each kind of queue an executor without a limit has 500 tasks at any time, until the finding names a limit.
 * Then an executor without a limit and one with this limit take turns, so that what other processes take from one they
 * take from the other. Prints the median of the ratios of neighbouring turns, and the quartiles. What tasks do
 * elsewhere takes an exponential time, so that the queue would be empty now and then if the limit were too low. What
 * they queue for takes a constant time, tens of milliseconds, so that neither chance nor a busy machine changes the
 * throughput much. The argument may be the number of turns.
 */
public final class VirtualThreadLimit {

    private static final int TASKS = 500;
    private static final int TURNS = 12;
    private static final int SECONDS = 5; // of a turn, after one more in which the queue forms
    private static final int PATIENCE_SECONDS = 60;
    private static final String ID = "virtual-threads-in-line";

    /** Whether the remaining tasks of a turn take no time. Set by the main thread. */
    private static volatile boolean isDraining;

    private VirtualThreadLimit() {}

    public static void main(String[] arguments) throws InterruptedException {
        int turns = arguments.length > 0 ? Integer.parseInt(arguments[0]) : TURNS;
        Semaphore permits = new Semaphore(10);
        ConnectionPool connections = new ConnectionPool(4);
        ReentrantLock lock = new ReentrantLock();
        Map<String, Runnable> tasks = new TreeMap<>(Map.of(
                "semaphore", () -> withPermit(permits),
                "connections", () -> query(connections),
                "lock", () -> underLock(lock)));
        for (Map.Entry<String, Runnable> each : tasks.entrySet()) {
            measure(each.getKey(), each.getValue(), turns);
        }
        System.exit(0);
    }

    private static void measure(String name, Runnable task, int turns) throws InterruptedException {
        Optional<Integer> limit;
        try (Feeder ignored = new Feeder(InstrumentedExecutors.newVirtualThreadPerTaskExecutor(name), task)) {
            limit = awaitLimit(name);
        }
        if (limit.isEmpty()) {
            System.out.printf("%-12s no finding within %d s%n", name, PATIENCE_SECONDS);
            return;
        }
        double[] gains = new double[turns];
        double[] rates = new double[turns];
        for (int turn = 0; turn < turns; turn++) {
            rates[turn] = rate(InstrumentedExecutors.newVirtualThreadPerTaskExecutor(name + "-open"), task);
            double with = rate(
                    InstrumentedVirtualThreadExecutor.named(name + "-limited")
                            .limit(limit.get())
                            .queueCapacity(TASKS)
                            .build(),
                    task);
            gains[turn] = 100 * (with / rates[turn] - 1);
        }
        Arrays.sort(gains);
        Arrays.sort(rates);
        System.out.printf(
                "%-12s %d threads: %.0f tasks/s; limit %d: %+.1f %% (%+.1f to %+.1f)%n",
                name, TASKS, rates[turns / 2], limit.get(), gains[turns / 2], gains[turns / 4], gains[3 * turns / 4]);
    }

    private static double rate(ExecutorService executor, Runnable task) throws InterruptedException {
        try (Feeder feeder = new Feeder(executor, task)) {
            TimeUnit.SECONDS.sleep(1);
            return feeder.rate();
        }
    }

    private static Optional<Integer> awaitLimit(String executor) throws InterruptedException {
        for (int i = 0; i < 10 * PATIENCE_SECONDS; i++) {
            Optional<Finding> found = PoolMonitor.global().findings().stream()
                    .filter(each -> each.id().equals(ID)
                            && executor.equals(each.evidence().get("executor")))
                    .findFirst();
            if (found.isPresent()) {
                return found.map(each -> (Integer) each.evidence().get("limit"));
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        return Optional.empty();
    }

    private static void withPermit(Semaphore permits) {
        pause(50);
        permits.acquireUninterruptibly();
        try {
            hold(100);
        } finally {
            permits.release();
        }
    }

    private static void query(ConnectionPool connections) {
        connections.borrow();
        try {
            hold(30);
        } finally {
            connections.giveBack();
        }
        pause(30);
    }

    private static void underLock(ReentrantLock lock) {
        pause(60);
        lock.lock();
        try {
            hold(20);
        } finally {
            lock.unlock();
        }
    }

    private static void hold(long millis) {
        if (!isDraining) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        }
    }

    /** An exponential time. */
    private static void pause(double meanMillis) {
        double millis = -meanMillis * Math.log(1 - ThreadLocalRandom.current().nextDouble());
        if (!isDraining) {
            LockSupport.parkNanos(Math.round(1e6 * millis));
        }
    }

    /** Keeps an executor full until it is closed. */
    private static final class Feeder implements AutoCloseable {
        private final ExecutorService executor;
        private final Semaphore places = new Semaphore(TASKS);
        private final Thread thread;

        Feeder(ExecutorService executor, Runnable task) {
            this.executor = executor;
            this.thread = new Thread(
                    () -> {
                        try {
                            while (true) {
                                places.acquire();
                                executor.execute(() -> {
                                    task.run();
                                    places.release();
                                });
                            }
                        } catch (InterruptedException | RejectedExecutionException ignored) { // closed
                            return;
                        }
                    },
                    "feeder");
            thread.setDaemon(true);
            thread.start();
        }

        double rate() throws InterruptedException {
            InstrumentedPool pool = (InstrumentedPool) executor;
            long before = pool.snapshot().completed();
            long begin = System.nanoTime();
            TimeUnit.SECONDS.sleep(SECONDS);
            return (pool.snapshot().completed() - before) * 1e9 / (System.nanoTime() - begin);
        }

        @Override
        public void close() {
            isDraining = true;
            thread.interrupt();
            executor.shutdown();
            try {
                thread.join();
                executor.awaitTermination(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            isDraining = false;
        }
    }
}
