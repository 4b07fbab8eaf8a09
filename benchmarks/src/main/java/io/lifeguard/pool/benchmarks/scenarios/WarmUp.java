package io.lifeguard.pool.benchmarks.scenarios;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Works until the JVM has stopped compiling. One thread only.
 *
 * <p>On two processors a compiler that is still at it takes a large share of one of them from the workers. How long it takes
 * depends on how much code a rival has and how often it runs it: at 20,000 tasks a second some need three seconds, others less
 * than one. A warm-up of fixed length therefore measures the length of the code in some forks, and the pool in others.
 */
final class WarmUp {
    /** Compilers that took less than this share of a stretch's time have done what matters. */
    private static final double QUIET = 0.04;

    private static final Duration STRETCH = Duration.ofMillis(300);
    /** A compilation counts when it ends, and the longest take nearly 300 ms: one that goes on makes no second stretch quiet. */
    private static final int QUIET_STRETCHES = 2;
    /** What is still compiled after so many more is not going to end: from then on it is part of what is measured. */
    private static final int MOST_STRETCHES = 16;

    private final LongSupplier compilationMillis;
    private final LongSupplier clock;

    private WarmUp(LongSupplier compilationMillis, LongSupplier clock) {
        this.compilationMillis = compilationMillis;
        this.clock = clock;
    }

    static WarmUp ofThisJvm() {
        // null where the JVM only interprets: nothing to wait for then
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        boolean known = compilers != null && compilers.isCompilationTimeMonitoringSupported();
        return new WarmUp(known ? compilers::getTotalCompilationTime : () -> 0, System::nanoTime);
    }

    static WarmUp of(LongSupplier compilationMillis, LongSupplier clock) {
        return new WarmUp(compilationMillis, clock);
    }

    /**
     * Works at least so long, and then until the compilers are quiet.
     *
     * @param work does it for so many nanoseconds
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

    /** Works for so long. */
    @FunctionalInterface
    interface Work {
        void run(long nanos);
    }
}
