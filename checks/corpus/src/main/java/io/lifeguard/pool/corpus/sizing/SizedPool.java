package io.lifeguard.pool.corpus.sizing;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Measures pools of one kind of task at different sizes, one after the other, as a monitor sees them. One thread only.
 */
final class SizedPool implements AutoCloseable {

    private static final Duration WINDOW = Duration.ofMillis(250);
    private static final Duration SETTLING = Duration.ofMillis(500);

    /** CPUs that other processes may use during a measurement. */
    static final double MOST_FOREIGN = 0.15;

    private final Runnable task;
    private final int mostTries;
    private final Probe probe = new Probe();
    private final PoolMonitor monitor = PoolMonitor.builder()
            .window(WINDOW)
            .grace(Duration.ZERO)
            .onlyRules(List.of(probe))
            .build();
    private int count;

    SizedPool(Runnable task, int mostTries) {
        this.task = task;
        this.mostTries = mostTries;
    }

    /**
     * Measures the throughput at a size, and returns it with the last window and the windows before it, if the monitor
     * closed any. The measurement is repeated while other processes use more than {@value #MOST_FOREIGN} CPUs. The
     * least disturbed try counts.
     */
    Measured measure(int size, Duration length) throws InterruptedException {
        Measured best = measureOnce(size, length);
        for (int i = 1; i < mostTries && best.foreign() > MOST_FOREIGN; i++) {
            Measured again = measureOnce(size, length);
            best = again.foreign() < best.foreign() ? again : best;
        }
        return best;
    }

    private Measured measureOnce(int size, Duration length) throws InterruptedException {
        String name = "sized-" + ++count;
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named(name)
                .size(size)
                .queueCapacity(Math.max(64, 2 * size))
                .build();
        feeder(pool, task);
        Thread.sleep(SETTLING.toMillis());
        ForeignCpu others = ForeignCpu.fromNowOn();
        long start = System.nanoTime();
        long before = pool.snapshot().completed();
        Thread.sleep(length.toMillis());
        long after = pool.snapshot().completed();
        double seconds = (System.nanoTime() - start) / 1e9;
        double foreign = others.used(seconds);
        Optional<PoolWindow> window = Optional.ofNullable(probe.latest.get(name));
        pool.shutdown(); // without interrupting: a task that fails would break what tasks share
        pool.getQueue().clear();
        pool.purge(); // makes the pool check again whether it can end
        if (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("a task does not end");
        }
        probe.latest.clear();
        return new Measured((after - before) / seconds, foreign, window);
    }

    /** Starts a thread that submits this task until the pool is shut down. */
    static Thread feeder(ThreadPoolExecutor pool, Runnable task) {
        Thread feeder = new Thread(() -> feed(pool, task), "feeder");
        feeder.setDaemon(true);
        feeder.start();
        return feeder;
    }

    private static void feed(ThreadPoolExecutor pool, Runnable task) {
        try {
            while (!pool.isShutdown()) {
                pool.execute(task);
            }
        } catch (RejectedExecutionException shutDown) {
            // that is how it ends
        }
    }

    @Override
    public void close() {
        monitor.close();
    }

    /** What was measured at one size. */
    record Measured(double throughput, double foreign, Optional<PoolWindow> window) {}

    /** A rule that finds nothing. It asks for all evidence and keeps the latest window of each pool. */
    private static final class Probe implements Rule {
        private final Map<String, PoolWindow> latest = new ConcurrentHashMap<>();

        @Override
        public Verdict examine(PoolWindow window) {
            latest.put(window.pool(), window);
            return Verdict.clear();
        }

        @Override
        public Set<Evidence> needs(PoolWindow window) {
            return EnumSet.allOf(Evidence.class);
        }
    }
}
