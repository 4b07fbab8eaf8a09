package io.lifeguard.pool.benchmarks.scenarios;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Works until the JVM has stopped compiling. One thread only.
 *
 * <p>On two processors a compiler at work takes a large share of one of them from the workers. How long it works
 * depends on how much code a rival has, and how often that code runs. At 20,000 tasks a second some rivals need three
 * seconds, others less than one. So after a warm-up of fixed length some forks would measure the compiler instead of
 * the pool.
 */
final class WarmUp {
    /** Compilers that took less than this share of a stretch's time count as quiet. */
    private static final double QUIET = 0.04;

    private static final Duration STRETCH = Duration.ofMillis(300);
    /** A compilation counts when it ends, and the longest take nearly 300 ms. So a second quiet stretch is required. */
    private static final int QUIET_STRETCHES = 2;
    /**
     * A compiler that is busy after so many further stretches will stay so. From then on it is part of the measurement.
     */
    private static final int MOST_STRETCHES = 16;

    private final LongSupplier compilationMillis;
    private final LongSupplier clock;

    private WarmUp(LongSupplier compilationMillis, LongSupplier clock) {
        this.compilationMillis = compilationMillis;
        this.clock = clock;
    }

    static WarmUp ofThisJvm() {
        // null if the JVM only interprets; then there is nothing to wait for
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        boolean known = compilers != null && compilers.isCompilationTimeMonitoringSupported();
        return new WarmUp(known ? compilers::getTotalCompilationTime : () -> 0, System::nanoTime);
    }

    static WarmUp of(LongSupplier compilationMillis, LongSupplier clock) {
        return new WarmUp(compilationMillis, clock);
    }

    /**
     * Works at least this long, and then until the compilers are quiet.
     *
     * @param work works for a given number of nanoseconds
     */
    void run(Work work, Duration least) {
        long stretches = Math.max(1, least.dividedBy(STRETCH));
        for (long i = 0; i < stretches; i++) {
            work.run(least.toNanos() / stretches);
        }
        int quiet = 0;
        for (int i = 0; i < MOST_STRETCHES && quiet < QUIET_STRETCHES; i++) {
            quiet = isQuietDuring(work) ? quiet + 1 : 0;
        }
    }

    private boolean isQuietDuring(Work work) {
        long compiled = compilationMillis.getAsLong();
        long start = clock.getAsLong();
        work.run(STRETCH.toNanos());
        double millis = (clock.getAsLong() - start) / 1e6;
        return compilationMillis.getAsLong() - compiled <= QUIET * millis;
    }

    /** Works for this time. */
    @FunctionalInterface
    interface Work {
        void run(long nanos);
    }
}
