package io.lifeguard.pool.measure;

import io.lifeguard.pool.os.ThreadCpuTime;
import java.util.function.LongSupplier;

/**
 * The clock of the calling thread's CPU time, together with what one look at it costs. Thread-safe.
 *
 * <p>A read costs 0.3 µs on some systems and 500 µs on others, so everything that decides when to read is a multiple of
 * the measured cost.
 */
public final class CpuClock {

    /** What {@link #nanos()} answers when the time of the calling thread is not known. */
    public static final long UNKNOWN = ThreadCpuTime.UNKNOWN;

    private static final long CALIBRATION_NANOS = 2_000_000;
    private static final long RECALIBRATION_NANOS = 200_000;
    private static final CpuClock NONE = new CpuClock(() -> UNKNOWN, 0, false);

    private final LongSupplier source;
    private final boolean supported;

    // written when this machine's clock is calibrated again, by a reader; a stale read is the cost as known before
    private volatile long costNanos;

    private CpuClock(LongSupplier source, long costNanos, boolean supported) {
        this.source = source;
        this.costNanos = costNanos;
        this.supported = supported;
    }

    /** The clock of this virtual machine, calibrated when first asked for, which takes a few milliseconds. */
    public static CpuClock system() {
        return OfThisMachine.CLOCK;
    }

    /** A clock that knows nothing: for those who want no CPU times. */
    public static CpuClock none() {
        return NONE;
    }

    /** A clock with a given source and cost, for tests. */
    static CpuClock of(LongSupplier source, long costNanos) {
        return new CpuClock(source, costNanos, true);
    }

    /** Whether there is a clock; it may still not know the time of a particular thread. */
    public boolean isSupported() {
        return supported;
    }

    /** The calling thread's CPU time in nanoseconds, or {@link #UNKNOWN}, as on a virtual thread. */
    public long nanos() {
        return source.getAsLong();
    }

    /** What one read costs, in nanoseconds of CPU time. */
    public long costNanos() {
        return costNanos;
    }

    /** Calibrates this machine's clock again: code that was not compiled the first time makes the clock look dear. */
    static void recalibrate() {
        CpuClock clock = system();
        if (clock.supported) {
            clock.costNanos = Math.min(clock.costNanos, calibrated(clock.source, RECALIBRATION_NANOS));
        }
    }

    private static long calibrated(LongSupplier source, long budgetNanos) {
        return Math.round(Calibration.cheapest(source, budgetNanos));
    }

    /** Holder: calibrates on first use. */
    private static final class OfThisMachine {
        static final CpuClock CLOCK = find();

        private static CpuClock find() {
            if (ThreadCpuTime.ofCurrentThread() == UNKNOWN && !ThreadCpuTime.isSupported()) {
                return NONE;
            }
            LongSupplier source = ThreadCpuTime::ofCurrentThread;
            return new CpuClock(source, CpuClock.calibrated(source, CALIBRATION_NANOS), true);
        }
    }
}
