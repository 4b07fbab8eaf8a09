package io.lifeguard.pool.measure;

import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Learns what recording costs on this machine, while the virtual machine still compiles it. Thread-safe; for those who ask for an
 * overhead, never for a worker.
 */
final class CostCalibration {

    /*
     * Code that is not compiled yet is slower by a factor of 20 to 100, and the optimising compiler looks at a loop only after 15,000
     * rounds, some 5 ms, and then takes its time. So the loop runs a little at each reading, and the cheapest batch ever seen
     * counts, for all tasks: those of a virtual machine's first moments did cost more, but so does everything then.
     *
     * A batch is so short that the loop's method is called often enough (600 times) to be compiled by the 15,000th round, and so long
     * that reading the time before and after it is small; that is subtracted too, as far as it is known.
     *
     * A reading spends at most as much as recording itself is bound to have cost until now, but never more than 10 ms and, as it
     * would not get anywhere otherwise, never less than 1 ms. It is over when nothing cheaper was found in 100,000 rounds.
     */

    /** Does something so many times. */
    interface Work {
        void repeat(int times);
    }

    static final long LEAST_NANOS = 1_000_000;
    static final long MOST_NANOS = 10_000_000;

    private static final int BATCH = 25;
    private static final long LEAST_TASK_NANOS = 50;
    private static final int IN_VAIN = 100_000;
    private static final double CHEAPER = 0.97;
    private static final long TOTAL_NANOS = 150_000_000;

    private final Work timeRead;
    private final Work record;
    private final LongSupplier ticker;
    private final Runnable others;
    private final ReentrantLock lock = new ReentrantLock();

    // guarded by lock
    private long spentNanos;

    // guarded by lock
    private int inVain;

    // written under lock; a stale read is dearer by what was learnt since
    private volatile RecordingCost cheapest = new RecordingCost(Double.MAX_VALUE, Double.MAX_VALUE);

    // written under lock, from false to true once; a stale read calibrates once more
    private volatile boolean settled;

    /**
     * A calibration that has not begun.
     *
     * @param timeRead reads the time
     * @param record records a task
     * @param ticker the time in nanoseconds
     * @param others calibrates what else there is, in passing
     */
    CostCalibration(Work timeRead, Work record, LongSupplier ticker, Runnable others) {
        this.timeRead = timeRead;
        this.record = record;
        this.ticker = ticker;
        this.others = others;
    }

    static CostCalibration ofThisMachine() {
        return OfThisMachine.CALIBRATION;
    }

    /** The cost as far as it is known, after so many tasks were recorded; finds out more about it unless enough is known. */
    RecordingCost after(long records) {
        boolean isFirst = cheapest.recordNanos() == Double.MAX_VALUE;
        if (isFirst) {
            lock.lock(); // nothing is known yet, so wait for who finds out
        } else if (settled || !lock.tryLock()) {
            return cheapest;
        }
        try {
            if (!settled) {
                long worthIt = records * LEAST_TASK_NANOS - spentNanos;
                calibrate(Math.max(LEAST_NANOS, Math.min(MOST_NANOS, worthIt)));
            }
        } finally {
            lock.unlock();
        }
        return cheapest;
    }

    private void calibrate(long budgetNanos) {
        RecordingCost known = cheapest;
        double time = known.timeReadNanos();
        double one = known.recordNanos();
        long begin = ticker.getAsLong();
        long now = begin;
        do {
            time = Math.min(time, perCall(timeRead, time));
            double sample = perCall(record, time);
            inVain = sample < CHEAPER * one ? 0 : inVain + BATCH;
            one = Math.min(one, sample);
            now = ticker.getAsLong();
        } while (now - begin < budgetNanos && inVain < IN_VAIN);
        cheapest = new RecordingCost(time, one);
        others.run();
        spentNanos += ticker.getAsLong() - begin;
        settled = inVain >= IN_VAIN || spentNanos >= TOTAL_NANOS;
    }

    /** What one call of a batch takes, given what reading the time does. */
    private double perCall(Work work, double timeReadNanos) {
        long before = ticker.getAsLong();
        work.repeat(BATCH);
        double lasted = ticker.getAsLong() - before;
        // the two readings of the ticker are one too many; the first estimate of that may be far too high
        return Math.max(lasted / 2, lasted - timeReadNanos) / BATCH;
    }

    /** Holder: made when the first overhead is asked for. */
    private static final class OfThisMachine {
        static final CostCalibration CALIBRATION =
                new CostCalibration(new TimeReads(), new Records(), System::nanoTime, CpuClock::recalibrate);
    }

    /** Reads the time. */
    private static final class TimeReads implements Work {

        // takes the results, lest the compiler drop the calls; nobody reads it
        @SuppressWarnings("unused")
        private volatile long sink;

        @Override
        public void repeat(int times) {
            long sum = 0;
            for (int i = 0; i < times; i++) {
                sum += System.nanoTime();
            }
            sink = sum;
        }
    }

    /** Records tasks of 1 µs that waited for 5, with a recorder of its own. */
    private static final class Records implements Work {
        private final WorkerRecorder recorder =
                new WorkerRecorder(new KindTable(), CpuClock.none(), new SplittableRandom(0));
        private long now;

        @Override
        public void repeat(int times) {
            long time = now;
            for (int i = 0; i < times; i++) {
                recorder.begin(time, time - 5_000, Records.class);
                time += 1_000;
                recorder.end(time, false);
            }
            now = time;
        }
    }
}
