package io.lifeguard.pool.benchmarks.monitor;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long the monitor's windows are while far more threads compute than there are CPUs, beside six idle
 * pools. Prints the length and the CPU time of each window, and each finding with the second in which it was raised.
 *
 * <p>Arguments: busy threads, seconds, and seconds before them in which nothing computes, so that the monitor's code is
 * compiled: 120, 30 and 20 by default. Fails when a window is longer than {@value #LONGEST_SECONDS} s.
 */
public final class Overload {

    private static final double LONGEST_SECONDS = 2.5;
    private static final int IDLE_POOLS = 6;
    private static final long TASK_NANOS = 20_000_000;
    private static final String BUSY = "busy";

    private final long begin = System.nanoTime();
    private final List<Double> lengths = new CopyOnWriteArrayList<>();
    private long cpuBefore;

    private Overload() {}

    /** Measures, and exits with status 1 when a window was too long. */
    public static void main(String[] arguments) throws InterruptedException {
        System.setProperty(PoolMonitor.PROPERTY, "off"); // only the monitor of this measurement
        int threads = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 120;
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 30;
        int warmUp = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 20;
        double longest = new Overload().measure(threads, seconds, warmUp);
        System.exit(longest > LONGEST_SECONDS ? 1 : 0);
    }

    @SuppressWarnings("try") // the monitor works on its own
    private double measure(int threads, int seconds, int warmUp) throws InterruptedException {
        try (PoolMonitor monitor = PoolMonitor.builder()
                .rule(new Recorder())
                .listener(new Printer())
                .build()) {
            List<InstrumentedThreadPoolExecutor> idle = new ArrayList<>();
            for (int i = 0; i < IDLE_POOLS; i++) {
                idle.add(InstrumentedThreadPoolExecutor.named("idle-" + i).build());
                idle.get(i).prestartAllCoreThreads();
            }
            InstrumentedThreadPoolExecutor busy = InstrumentedThreadPoolExecutor.named(BUSY)
                    .size(threads)
                    .unboundedQueue()
                    .build();
            TimeUnit.SECONDS.sleep(warmUp);
            lengths.clear();
            for (int i = 0; i < threads; i++) {
                busy.execute(() -> computeAndGoOn(busy));
            }
            TimeUnit.SECONDS.sleep(seconds);
            busy.shutdownNow();
            idle.forEach(InstrumentedThreadPoolExecutor::shutdownNow);
        }
        List<Double> sorted = new ArrayList<>(lengths);
        Collections.sort(sorted);
        double longest = sorted.isEmpty() ? Double.POSITIVE_INFINITY : sorted.get(sorted.size() - 1);
        System.out.printf(
                Locale.ROOT,
                "%d windows: median %.2f s, 95 %% up to %.2f s, longest %.2f s%n",
                sorted.size(),
                sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2),
                sorted.isEmpty() ? Double.NaN : sorted.get((int) (0.95 * (sorted.size() - 1))),
                longest);
        return longest;
    }

    private static void computeAndGoOn(InstrumentedThreadPoolExecutor pool) {
        long end = System.nanoTime() + TASK_NANOS;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        try {
            pool.execute(() -> computeAndGoOn(pool));
        } catch (RejectedExecutionException ignored) {
            // the end of the measurement
        }
    }

    private double seconds() {
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Notes the length of each window. */
    private final class Recorder implements Rule {
        private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

        @Override
        public Verdict examine(PoolWindow window) {
            if (window.pool().equals(BUSY)) {
                long cpu = threads.getCurrentThreadCpuTime();
                lengths.add(window.seconds());
                System.out.printf(
                        Locale.ROOT,
                        "%6.2f s: window %.2f s, %.1f ms of CPU since the last one, late %d ms, %s, %d windows%n",
                        seconds(),
                        window.seconds(),
                        (cpu - cpuBefore) / 1e6,
                        window.process().late().toMillis(),
                        window.bottleneck(),
                        window.windows());
                cpuBefore = cpu;
            }
            return Verdict.clear();
        }
    }

    /** Prints each finding as it is raised. */
    private final class Printer implements FindingListener {
        @Override
        public void raised(Finding finding) {
            System.out.printf(
                    Locale.ROOT,
                    "%6.2f s: %s of %s, size %s%n",
                    seconds(),
                    finding.id(),
                    finding.pool(),
                    finding.recommendedSize());
        }
    }
}
