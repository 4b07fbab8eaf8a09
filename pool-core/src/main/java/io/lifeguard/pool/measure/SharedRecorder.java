package io.lifeguard.pool.measure;

import io.lifeguard.pool.os.Unknown;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
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
     * There are a few stripes, each with its own lock. A thread takes the stripe of its id, and holds the lock for a
     * few stores. Threads that come and go cannot have a recorder each: the memory would grow with the number of tasks.
     */

    /** One task in 16: with 1 µs for two reads of the clock that is below 0.1 µs per task. */
    public static final int CPU_SAMPLE = 16;

    private static final int STRIPES = 8;
    private final KindTable kindTable = new KindTable();
    private final CpuClock clock = CpuClock.system();
    private final Stripe[] stripes = new Stripe[STRIPES];

    // written by any thread for which the clock is unknown; true forever after. A stale read asks the clock once more
    private volatile boolean cpuUnknown = !clock.isSupported();

    /** A recorder without tasks. */
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
        long nanos = clock.nanos();
        cpuUnknown |= nanos < 0;
        return nanos < 0 ? Unknown.NUMBER : nanos;
    }

    /**
     * The task that began with {@link #cpuBegin} has ended, on the same thread.
     *
     * @return its CPU time in nanoseconds; {@link Unknown#NUMBER} if it was not chosen
     */
    public long cpuEnd(long begin) {
        return begin == Unknown.NUMBER ? begin : Math.max(0, clock.nanos() - begin - clock.costNanos());
    }

    /**
     * Records a task that has ended.
     *
     * @param enqueuedNanos when it was accepted
     * @param startNanos when it began
     * @param endNanos when it ended
     * @param cpuNanos what {@link #cpuEnd} returned
     * @param kindKey a {@code Class} or a name; null for "(other)"
     * @param failed whether it threw
     */
    public void record(
            long enqueuedNanos,
            long startNanos,
            long endNanos,
            long cpuNanos,
            @Nullable Object kindKey,
            boolean failed) {
        int kind = kindTable.numberOf(kindKey);
        Stripe stripe = stripes[(int) Thread.currentThread().getId() & (STRIPES - 1)];
        stripe.lock.lock();
        try {
            stripe.record(Math.max(0, startNanos - enqueuedNanos), endNanos - startNanos, cpuNanos, kind, failed);
        } finally {
            stripe.lock.unlock();
        }
    }

    /** The name of a kind of task. */
    public String nameOf(@Nullable Object kindKey) {
        return kindTable.nameOf(kindTable.numberOf(kindKey));
    }

    /** What was recorded until now. */
    public PoolReading read() {
        RecorderTotals sum = new RecorderTotals();
        for (Stripe stripe : stripes) {
            stripe.lock.lock();
            try {
                stripe.addTo(sum);
            } finally {
                stripe.lock.unlock();
            }
        }
        boolean sampled = sum.begun == 0 || sum.cpuClockReads > 0; // without a sample the sum would be 0
        return sum.reading(kindTable, clock, !cpuUnknown && sampled, HistogramSnapshot.EMPTY, HistogramSnapshot.EMPTY);
    }

    /** The record of some threads. The lock guards all other fields. */
    private static final class Stripe {
        private final ReentrantLock lock = new ReentrantLock();
        private final Histogram queueWait = new Histogram();
        private final Histogram service = new Histogram();
        private final Histogram cpu = new Histogram();
        private final KindCounts kinds = new KindCounts();
        private long ended;
        private long failures;
        private long cpuReads;

        void record(long wait, long lasted, long cpuNanos, int kind, boolean failed) {
            queueWait.record(wait);
            service.record(lasted);
            kinds.ensure(kind);
            kinds.add(kind, lasted, wait);
            ended++;
            failures += failed ? 1 : 0;
            if (cpuNanos >= 0) {
                cpu.record(cpuNanos, CPU_SAMPLE);
                kinds.addCpu(kind, cpuNanos * CPU_SAMPLE);
                cpuReads += 2;
            }
        }

        void addTo(RecorderTotals sum) {
            sum.queueWait.add(queueWait);
            sum.service.add(service);
            sum.cpu.add(cpu);
            kinds.addTo(sum.kinds);
            sum.begun += ended;
            sum.failed += failures;
            sum.cpuClockReads += cpuReads;
        }
    }
}
