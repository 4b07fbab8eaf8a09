package io.lifeguard.pool.measure;

import io.lifeguard.pool.os.Room;
import io.lifeguard.pool.os.ThreadCpuTime;
import io.lifeguard.pool.os.Unknown;
import java.util.concurrent.locks.LockSupport;
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

    /** What a clock says that nobody has asked for yet. */
    static final long NOT_LOADED = -2;

    /** Half a minute: a young JVM has more urgent classes to load, and its compilers have enough to do. */
    private static final long YOUTH_NANOS = 30_000_000_000L;

    /** 200 ms: a worker with less to do for all its life has no CPU time to speak of. */
    private static final long WORTH_LOADING_NANOS = 200_000_000;

    /** While nothing is known: a few times what the clock costs on most systems. */
    static final long FIRST_COST_NANOS = 1_000;

    private final @Nullable Calibration calibration; // null: the cost is given

    // Written once, by the thread that loads the clock, with the source last. A stale read takes the clock for one that
    // is not loaded yet.
    private volatile boolean isSupported;
    private volatile LongSupplier source;

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
     * The clock of this virtual machine, loaded if there is {@linkplain Room room} for that. The first call loads 170
     * classes of the JDK. The first call on a thread that has such a clock calibrates it, which takes about a
     * millisecond.
     */
    public static CpuClock system() {
        CpuClock clock = OfThisMachine.CLOCK;
        if (!clock.isLoaded() && Room.isThere()) { // in a shortage the JDK's management would fail, and forever
            load(clock);
        }
        clock.calibrateFirst();
        return clock;
    }

    /**
     * The clock of this virtual machine as it is. Until a thread has asked for {@link #system()}, each reading is
     * {@link #NOT_LOADED}. A thread's CPU time is counted from the thread's begin, so a worker that reads it for the
     * first time after many tasks has lost nothing of their sum.
     */
    static CpuClock systemOnceLoaded() {
        return OfThisMachine.CLOCK;
    }

    /** Loads this library's own classes for a later load: the class loader may be closed when a worker ends. */
    public static void prepare() {
        new Nothing().getAsLong();
        Loading.prepare();
        ThreadCpuTime.prepare();
    }

    /**
     * A worker should have read the clock, which is not loaded. A thread of its own loads it, once the JVM is no longer
     * young and the worker has worked for some time.
     *
     * @param workedNanos the wall time of the worker's tasks
     */
    static void wanted(long workedNanos) {
        if (workedNanos >= WORTH_LOADING_NANOS && !isYoung()) {
            Loading.start();
        }
    }

    /** Whether the first pool of this JVM began only a few seconds ago. */
    static boolean isYoung() {
        return System.nanoTime() - OfThisMachine.BEGUN < YOUTH_NANOS;
    }

    private static void load(CpuClock clock) {
        try {
            boolean isSupported = ThreadCpuTime.isSupported();
            clock.isSupported = isSupported;
            clock.source = isSupported ? OfThisMachine.THREAD : new Nothing();
        } catch (OutOfMemoryError ignored) { // another call tries again
            return;
        } catch (LinkageError ignored) { // no module java.management
            clock.isSupported = false;
            clock.source = new Nothing();
        }
    }

    /** A clock whose cost is not known yet. */
    static CpuClock uncalibrated(LongSupplier source) {
        return new CpuClock(true, source, FIRST_COST_NANOS, new Calibration(source));
    }

    /** A clock that never knows the time, for callers who want no CPU times. */
    public static CpuClock none() {
        return None.CLOCK;
    }

    static CpuClock of(LongSupplier source, long costNanos) {
        return new CpuClock(true, source, costNanos, null);
    }

    private boolean isLoaded() {
        return !(source instanceof NotLoaded);
    }

    public boolean isSupported() {
        return isSupported;
    }

    /**
     * The calling thread's CPU time in nanoseconds; or {@link Unknown#NUMBER}, for example on a virtual thread; or
     * {@link #NOT_LOADED}.
     */
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

    /** Loads the clock, once. */
    private static final class Loading implements Runnable {

        private static boolean isStarted; // guarded by the class; from false to true

        static void prepare() {}

        static synchronized void start() {
            if (!isStarted) {
                isStarted = true;
                try {
                    Thread thread = new Thread(null, new Loading(), "lifeguard-clock", 0, false);
                    thread.setDaemon(true);
                    thread.setContextClassLoader(CpuClock.class.getClassLoader());
                    thread.start();
                } catch (Error | RuntimeException ignored) { // no memory for a thread: readers load the clock
                    return;
                }
            }
        }

        @Override
        public void run() {
            while (!system().isLoaded()) {
                LockSupport.parkNanos(this, YOUTH_NANOS);
            }
        }
    }

    private static final class OfThisMachine {
        static final long BEGUN = System.nanoTime();
        static final LongSupplier THREAD = new OfThisThread();
        static final CpuClock CLOCK = new CpuClock(true, new NotLoaded(), FIRST_COST_NANOS, new Calibration(THREAD));
    }

    /** These are no lambdas, because the first pool of the JVM would wait for their classes. */
    private static final class OfThisThread implements LongSupplier {
        @Override
        public long getAsLong() {
            return ThreadCpuTime.ofCurrentThread();
        }
    }

    private static final class NotLoaded implements LongSupplier {
        @Override
        public long getAsLong() {
            return NOT_LOADED;
        }
    }

    private static final class Nothing implements LongSupplier {
        @Override
        public long getAsLong() {
            return Unknown.NUMBER;
        }
    }

    /** Apart, so that it is made where it is used. */
    private static final class None {
        static final CpuClock CLOCK = new CpuClock(false, new Nothing(), 0, null);
    }
}
