package io.lifeguard.pool.measure;

import io.lifeguard.pool.os.Unknown;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Records tasks that run on any thread, when there are no workers to follow. Each task is recorded as a whole when it
 * has ended. Thread-safe.
 *
 * <p>CPU time is read for one task in {@value #CPU_SAMPLE}, chosen at random before it begins. The chosen task counts
 * {@value #CPU_SAMPLE} times.
 */
public final class SharedRecorder {

    /*
     * There are a few stripes, each held by one thread at a time. A thread begins with the stripe of its id, and goes
     * on to the next one while another thread holds it. So a thread that loses its CPU meanwhile stops no other. Threads
     * that come and go cannot have a recorder each: the memory would grow with the number of tasks.
     *
     * Any thread may write to any stripe, so what it writes is usually in the cache of another CPU. Seven cache lines
     * per task (two histograms, kinds, lock) take longer than all the rest. So a task is noted in two lines at first,
     * and 64 of them go to the histograms together.
     */

    /** One task in 16: with 1 µs for two reads of the clock that is below 0.1 µs per task. */
    public static final int CPU_SAMPLE = 16;

    private static final int STRIPES = 8;

    /** To go to the histograms takes 2 µs for so many, once. */
    private static final int NOTED = 64;

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final KindTable kindTable = new KindTable();
    private final Stripe[] stripes = new Stripe[STRIPES];

    // written by any thread for which the clock is unknown; true forever after. A stale read asks the clock once more
    private volatile boolean cpuUnknown;

    public SharedRecorder() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    /** A task begins on this thread. Returns the argument for {@link #cpuEnd}. */
    public long cpuBegin() {
        if (cpuUnknown || ThreadLocalRandom.current().nextInt(CPU_SAMPLE) != 0) {
            return Unknown.NUMBER;
        }
        long nanos = cpuNanos();
        cpuUnknown |= nanos < 0;
        return nanos < 0 ? Unknown.NUMBER : nanos;
    }

    /** Loads the clock if this is the first task of the JVM that needs it: the thread that makes a pool must not. */
    private static long cpuNanos() {
        try {
            return Math.max(Unknown.NUMBER, CpuClock.system().nanos()); // it may not be loaded yet
        } catch (Error ignored) { // no memory for the classes of the clock: the task must run
            return Unknown.NUMBER;
        }
    }

    /**
     * The task that began with {@link #cpuBegin} has ended, on the same thread.
     *
     * @return its CPU time in nanoseconds; {@link Unknown#NUMBER} if it was not chosen
     */
    public long cpuEnd(long begin) {
        if (begin == Unknown.NUMBER) {
            return begin;
        }
        CpuClock clock = CpuClock.system();
        return Math.max(0, clock.nanos() - begin - clock.costNanos());
    }

    /**
     * Records a task that has ended.
     *
     * @param cpuNanos what {@link #cpuEnd} returned
     * @param kindKey a {@code Class} or a name; null for "(other)"
     */
    public void record(
            long enqueuedNanos,
            long startNanos,
            long endNanos,
            long cpuNanos,
            @Nullable Object kindKey,
            boolean failed) {
        int kind = kindTable.numberOf(kindKey);
        Stripe stripe = holdAny();
        long ended = 1;
        try {
            stripe.note(Math.max(0, startNanos - enqueuedNanos), endNanos - startNanos, cpuNanos, kind, failed);
        } catch (Error e) { // no memory for another kind
            ended = 0;
            throw e;
        } finally {
            stripe.release(ended);
        }
    }

    private Stripe holdAny() {
        int first = (int) Thread.currentThread().getId();
        for (int i = 0; ; i++) {
            Stripe stripe = stripes[(first + i) & (STRIPES - 1)];
            if (stripe.tryHold()) {
                return stripe;
            }
            if (i >= STRIPES) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    public String nameOf(@Nullable Object kindKey) {
        return kindTable.nameOf(kindTable.numberOf(kindKey));
    }

    /**
     * {@return how many tasks were recorded} Takes no lock; the number may lag by those that are just being recorded.
     */
    public long ended() {
        long ended = 0;
        for (Stripe stripe : stripes) {
            ended += stripe.ended();
        }
        return ended;
    }

    public PoolReading read() {
        RecorderTotals sum = new RecorderTotals();
        for (Stripe stripe : stripes) {
            while (!stripe.tryHold()) {
                LockSupport.parkNanos(PAUSE_NANOS); // an interrupt ends the pause, and is left to the caller
            }
            try {
                stripe.addTo(sum);
            } finally {
                stripe.release(0);
            }
        }
        boolean sampled = sum.begun == 0 || sum.cpuClockReads > 0; // without a sample the sum would be 0
        CpuClock clock = CpuClock.system();
        boolean cpuKnown = clock.isSupported() && !cpuUnknown && sampled;
        return sum.reading(kindTable, clock, cpuKnown, HistogramSnapshot.EMPTY, HistogramSnapshot.EMPTY);
    }

    /** The record of some threads. All fields but the state belong to the thread that holds it. */
    private static final class Stripe {

        private static final int WIDTH = 3; // wait, run, and kind with failure
        private static final VarHandle STATE;

        static {
            try {
                STATE = MethodHandles.lookup().findVarHandle(Stripe.class, "state", long.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        // Twice the number of tasks that have ended, and 1 while a thread holds the stripe. Written by the holder,
        // after
        // a CAS by which it becomes the holder; a stale read misses the latest tasks.
        private volatile long state;

        private final long[] noted = new long[NOTED * WIDTH];
        private long counted; // tasks that are in the histograms
        private final Histogram queueWait = new Histogram();
        private final Histogram service = new Histogram();
        private final Histogram cpu = new Histogram();
        private final KindCounts kinds = new KindCounts();
        private long failures;
        private long cpuReads;

        boolean tryHold() {
            long seen = state;
            return (seen & 1) == 0 && STATE.compareAndSet(this, seen, seen | 1);
        }

        /** Lets others hold it, after so many tasks more. */
        void release(long tasks) {
            STATE.setRelease(this, state - 1 + 2 * tasks);
        }

        long ended() {
            return state >>> 1;
        }

        void note(long wait, long lasted, long cpuNanos, int kind, boolean failed) {
            kinds.ensure(kind); // fails before anything is noted
            long ended = ended();
            int at = (int) (ended % NOTED) * WIDTH;
            noted[at] = wait;
            noted[at + 1] = lasted;
            noted[at + 2] = 2L * kind + (failed ? 1 : 0);
            if (cpuNanos >= 0) {
                cpu.record(cpuNanos, CPU_SAMPLE);
                kinds.addCpu(kind, cpuNanos * CPU_SAMPLE);
                cpuReads += 2;
            }
            if (at == (NOTED - 1) * WIDTH) {
                count(ended + 1);
            }
        }

        /** Moves noted tasks to the histograms. */
        private void count(long ended) {
            for (; counted < ended; counted++) {
                int at = (int) (counted % NOTED) * WIDTH;
                queueWait.record(noted[at]);
                service.record(noted[at + 1]);
                kinds.add((int) (noted[at + 2] >> 1), noted[at + 1], noted[at]);
                failures += noted[at + 2] & 1;
            }
        }

        void addTo(RecorderTotals sum) {
            count(ended());
            sum.queueWait.add(queueWait);
            sum.service.add(service);
            sum.cpu.add(cpu);
            kinds.addTo(sum.kinds);
            sum.begun += ended();
            sum.failed += failures;
            sum.cpuClockReads += cpuReads;
        }
    }
}
