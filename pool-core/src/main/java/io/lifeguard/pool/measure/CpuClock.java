package io.lifeguard.pool.measure;

import io.lifeguard.pool.os.ThreadCpuTime;
import io.lifeguard.pool.os.Unknown;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clock of the calling thread's CPU time, together with the cost of reading it. Thread-safe.
 *
 * <p>A read costs 0.3 µs on some systems and 500 µs on others. So each decision when to read is based on a multiple of
 * the measured cost.
 */
public final class CpuClock {

    /** Half a millisecond: the monitor asks four times a second while a pool is young. */
    static final long CALIBRATION_NANOS = 500_000;

    /** While nothing is known: a few times what the clock costs on most systems. */
    static final long FIRST_COST_NANOS = 1_000;

    private final boolean isSupported;
    private final LongSupplier source;
    private final @Nullable Calibration calibration; // null: the cost is given

    // written by threads that read a pool's figures; a stale read is the cost as it was known before
    private volatile long costNanos;

    // written by the same threads, from false to true; after a stale read a thread calibrates once more
    private volatile boolean isCostKnown;

    private CpuClock(boolean isSupported, LongSupplier source, long costNanos, @Nullable Calibration calibration) {
        this.isSupported = isSupported;
        this.source = source;
        this.costNanos = costNanos;
        this.calibration = calibration;
        this.isCostKnown = calibration == null;
    }

    /**
     * The clock of this virtual machine. The first call on a thread that has such a clock calibrates it, which takes
     * about a millisecond.
     */
    public static CpuClock system() {
        CpuClock clock = OfThisMachine.CLOCK;
        clock.calibrateFirst();
        return clock;
    }

    /** A clock whose cost is not known yet. */
    static CpuClock uncalibrated(LongSupplier source) {
        return new CpuClock(true, source, FIRST_COST_NANOS, new Calibration(source));
    }

    /** A clock that never knows the time, for callers who want no CPU times. */
    public static CpuClock none() {
        return None.CLOCK;
    }

    /** A clock with a given source and cost, for tests. */
    static CpuClock of(LongSupplier source, long costNanos) {
        return new CpuClock(true, source, costNanos, null);
    }

    /** Whether there is a clock. It may still not know the time of a particular thread. */
    public boolean isSupported() {
        return isSupported;
    }

    /** The calling thread's CPU time in nanoseconds, or {@link Unknown#NUMBER}, for example on a virtual thread. */
    public long nanos() {
        return source.getAsLong();
    }

    /** The cost of one read in nanoseconds of CPU time, as far as it is known. */
    public long costNanos() {
        return costNanos;
    }

    /**
     * Takes some time to know the cost of a read better. Workers call it only while nothing is known. Does nothing on a
     * virtual thread: there the clock answers at once that it does not know.
     */
    void calibrate() {
        if (calibration != null && nanos() >= 0) {
            costNanos = Math.round(calibration.nanos(CALIBRATION_NANOS));
            isCostKnown = true;
        }
    }

    /** Calibrates unless something is known about the cost. */
    void calibrateFirst() {
        if (!isCostKnown) {
            calibrate();
        }
    }

    /** Holder: calibrates on first use. */
    private static final class OfThisMachine {
        static final CpuClock CLOCK = find();

        private static CpuClock find() {
            try {
                if (!ThreadCpuTime.isSupported()) {
                    return None.CLOCK;
                }
                CpuClock clock = uncalibrated(new OfThisThread());
                clock.calibrateFirst(); // threads that wait for this class need not calibrate it again
                return clock;
            } catch (Error e) { // no memory for its classes, which could not be loaded later either
                return None.CLOCK;
            }
        }
    }

    /** No lambda, because the first pool of the JVM would wait for its class. */
    private static final class OfThisThread implements LongSupplier {
        @Override
        public long getAsLong() {
            return ThreadCpuTime.ofCurrentThread();
        }
    }

    /** Apart, so that it is made where it is used. */
    private static final class None {
        static final CpuClock CLOCK = new CpuClock(false, () -> Unknown.NUMBER, 0, null);
    }
}
