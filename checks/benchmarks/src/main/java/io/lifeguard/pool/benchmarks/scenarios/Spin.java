package io.lifeguard.pool.benchmarks.scenarios;

/** A fixed amount of computing that the compiler can neither remove nor shorten. Thread-safe. */
public final class Spin {
    /**
     * An argument for {@code -XX:CompileCommand}. The loop is never inlined, so that it is the same machine code in
     * every fork.
     */
    public static final String METHOD = "io.lifeguard.pool.benchmarks.scenarios.Spin::spin";

    private static final int CALIBRATION_STEPS = 1_000_000;
    private static final int CALIBRATION_TRIALS = 60;

    // not final, so that the compiler cannot compute the result in advance; never written
    private static long seed = 0x9E3779B97F4A7C15L;
    // never written, because xorshift does not reach 0; the compiler does not know that
    private static long sink;

    private Spin() {}

    /** Marsaglia's xorshift (2003), each step waiting for the one before it. */
    static void spin(int steps) {
        long state = seed;
        for (int i = 0; i < steps; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
        }
        if (state == 0) {
            sink = state;
        }
    }

    /** Steps per microsecond in the fastest of many trials, which is the least disturbed. */
    public static double calibrate() {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < CALIBRATION_TRIALS; i++) {
            long before = System.nanoTime();
            spin(CALIBRATION_STEPS);
            best = Math.min(best, System.nanoTime() - before);
        }
        return CALIBRATION_STEPS * 1e3 / best + sink;
    }
}
