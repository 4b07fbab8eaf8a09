package io.lifeguard.pool.benchmarks.monitor;

import io.lifeguard.pool.InstrumentedVirtualThreadExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * What it costs to follow the advice on the limit of an executor of virtual threads. Needs Java 21:
 *
 * <pre>{@code
 * java -cp checks/benchmarks/target/benchmarks.jar io.lifeguard.pool.benchmarks.monitor.LimitAdvice
 * }</pre>
 *
 * <p>For each resource, an executor begins with a limit that is too small, and another one with a limit that is too
 * large. Each gets the limit that the latest finding recommends, until none recommends another one. Then executors with
 * the two limits that came out take turns with one whose limit is far more than enough. Prints the median difference
 * between neighbouring turns. Each executor has a resource of its own, and several work at the same time: their tasks
 * do not compute.
 */
public final class LimitAdvice {

    private static final int ENOUGH = 100;
    private static final int QUEUED = 200;
    private static final int ROUNDS = 4; // of advice
    private static final int ADVICE_SECONDS = 9; // a finding needs about three, and its size a few windows more
    private static final int TURNS = 3;
    private static final int TURN_SECONDS = 5;

    private LimitAdvice() {}

    /** What makes a resource and the task that needs it, and a limit that is too small. */
    private record Resource(String name, Supplier<Runnable> tasks, int tooSmall) {}

    public static void main(String[] arguments) throws InterruptedException {
        List<Resource> resources = List.of(
                new Resource("ten permits", LimitAdvice::permits, 4),
                new Resource("twenty connections", LimitAdvice::connections, 8),
                new Resource("lock for half of the time", LimitAdvice::lock, 1));
        List<Thread> threads = resources.stream()
                .map(resource -> new Thread(() -> measure(resource), resource.name()))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        System.exit(0);
    }

    private static void measure(Resource resource) {
        try {
            List<Integer> fromSmall = new ArrayList<>(List.of(resource.tooSmall()));
            List<Integer> fromLarge = new ArrayList<>(List.of(ENOUGH));
            Thread other = new Thread(() -> follow(resource, "large", fromLarge), resource.name() + " large");
            other.start();
            follow(resource, "small", fromSmall);
            other.join();
            double[] small = new double[TURNS];
            double[] large = new double[TURNS];
            for (int turn = 0; turn < TURNS; turn++) {
                double most = rate(resource, ENOUGH);
                small[turn] = 100 * (1 - rate(resource, last(fromSmall)) / most);
                large[turn] = 100 * (1 - rate(resource, last(fromLarge)) / most);
            }
            System.out.printf(
                    "%s: from too small %s, loss %.1f %%; from too large %s, loss %.1f %% (%d turns)%n",
                    resource.name(), fromSmall, median(small), fromLarge, median(large), TURNS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int last(List<Integer> limits) {
        return limits.get(limits.size() - 1);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Adds each limit that is recommended. */
    private static void follow(Resource resource, String from, List<Integer> limits) {
        for (int round = 0; round < ROUNDS; round++) {
            String name = resource.name() + " " + from + " " + last(limits);
            try (Feeder ignored = new Feeder(name, resource.tasks().get(), last(limits))) {
                TimeUnit.SECONDS.sleep(ADVICE_SECONDS);
                Optional<Finding> advice = PoolMonitor.global().findings().stream()
                        .filter(finding -> finding.pool().equals(name)
                                && finding.recommendedSize().isPresent())
                        .findFirst();
                advice.ifPresent(finding -> System.out.printf(
                        "%s: [%s] %s %s%n", name, finding.id(), finding.summary(), finding.recommendedSize()));
                if (advice.isEmpty() || advice.get().recommendedSize().getAsInt() == last(limits)) {
                    return;
                }
                limits.add(advice.get().recommendedSize().getAsInt());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static double rate(Resource resource, int limit) throws InterruptedException {
        try (Feeder feeder =
                new Feeder(resource.name() + " turn " + limit, resource.tasks().get(), limit)) {
            TimeUnit.SECONDS.sleep(1);
            return feeder.rate();
        }
    }

    private static Runnable permits() {
        Semaphore permits = new Semaphore(10);
        return () -> {
            permits.acquireUninterruptibly();
            try {
                pause(50);
            } finally {
                permits.release();
            }
            pause(20);
        };
    }

    private static Runnable connections() {
        ConnectionPool connections = new ConnectionPool(20);
        return () -> {
            pause(10);
            connections.borrow();
            try {
                pause(40);
            } finally {
                connections.giveBack();
            }
        };
    }

    private static Runnable lock() {
        ReentrantLock lock = new ReentrantLock();
        return () -> {
            lock.lock();
            try {
                pause(2);
            } finally {
                lock.unlock();
            }
            pause(2);
        };
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Keeps the queue of an executor full until it is closed. */
    private static final class Feeder implements AutoCloseable {
        private final InstrumentedVirtualThreadExecutor executor;
        private final Thread thread;

        Feeder(String name, Runnable task, int limit) {
            this.executor = InstrumentedVirtualThreadExecutor.named(name)
                    .limit(limit)
                    .queueCapacity(QUEUED)
                    .build();
            this.thread = new Thread(
                    () -> {
                        try {
                            while (true) {
                                executor.execute(task);
                            }
                        } catch (RejectedExecutionException ignored) { // closed
                            return;
                        }
                    },
                    "feeder");
            thread.setDaemon(true);
            thread.start();
        }

        double rate() throws InterruptedException {
            long before = executor.snapshot().completed();
            long begin = System.nanoTime();
            TimeUnit.SECONDS.sleep(TURN_SECONDS);
            return (executor.snapshot().completed() - before) * 1e9 / (System.nanoTime() - begin);
        }

        @Override
        public void close() throws InterruptedException {
            executor.shutdownNow();
            thread.join();
            executor.awaitTermination(1, TimeUnit.MINUTES);
        }
    }
}
