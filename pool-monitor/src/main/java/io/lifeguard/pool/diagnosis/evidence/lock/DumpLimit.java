package io.lifeguard.pool.diagnosis.evidence.lock;

import io.lifeguard.pool.InstrumentedPool;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Allows a dump of all threads only while it is sure to use no more than {@value #MOST_MILLIS} ms of CPU. Confined to
 * the monitor's thread.
 *
 * <p>Nobody tells how many virtual threads live. But every thread gets the next number when it is made. So the numbers
 * tell how many there have ever been, and since a dump, without those that this library has made and counted. A dump
 * shows platform threads too, whose number the JVM tells.
 */
final class DumpLimit {

    static final int MOST_MILLIS = 50;

    /** Measured on Java 25: 0.01 to 0.1 ms. */
    private static final double FIRST_NANOS_PER_THREAD = 100_000;

    /** The cost of a smaller dump is mostly that of loading classes. */
    private static final int FEWEST_TO_LEARN = 200;

    private final ThreadMXBean threads;
    private double nanosPerThread = FIRST_NANOS_PER_THREAD;
    private long others; // that may live, without those made since
    private long madeBefore; // others that had been made at that time
    private long counted; // threads of executors with a virtual thread per task, also of those that have ended
    private final Map<InstrumentedPool, Count> counts = new WeakHashMap<>();

    /** The tasks of one pool. They count once a thread was seen, because threads per task may also be platform ones. */
    private static final class Count {
        private boolean isVirtual; // from false to true
        private long latest; // when others were counted last
        private long learnt; // when a dump was learnt from
    }

    DumpLimit(ThreadMXBean threads) {
        this.threads = threads;
    }

    /**
     * {@return whether a dump is sure to be cheap}
     *
     * @param known the virtual threads of instrumented pools
     * @param made how many others have ever been made, by {@link #othersMade}
     */
    boolean allows(long known, long made) {
        return (known + threads.getThreadCount() + others + Math.max(0, made - madeBefore)) * nanosPerThread
                <= TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS);
    }

    /**
     * Learns from a dump.
     *
     * @param dumped how many threads it shows
     * @param known how many of them are virtual threads of instrumented pools
     * @param made how many others had been made before it
     * @param cpuNanos its CPU time; negative where that is unknown
     */
    void learn(int dumped, long known, long made, long cpuNanos) {
        others = Math.max(0, dumped - known - threads.getThreadCount());
        madeBefore = made;
        for (Count count : counts.values()) {
            count.learnt = count.latest;
        }
        if (dumped >= FEWEST_TO_LEARN && cpuNanos > 0) {
            nanosPerThread = (double) cpuNanos / dumped;
        }
    }

    /** Remembers which executors have a virtual thread per task. At most moments, one with short tasks has none. */
    void see(Collection<InstrumentedPool> pools) {
        for (InstrumentedPool pool : pools) {
            Count count = counts.computeIfAbsent(pool, key -> new Count());
            if (!count.isVirtual && pool.threadCount() > 0 && TaskThreads.count(pool) > 0) {
                count.isVirtual = true;
                counted += count.latest;
                madeBefore -= count.learnt; // they had been taken for others
            }
        }
    }

    /** {@return how many virtual threads have been made that are none of executors with a thread per task} */
    long othersMade(Collection<InstrumentedPool> pools) {
        see(pools);
        for (InstrumentedPool pool : pools) {
            Count count = counts.computeIfAbsent(pool, key -> new Count());
            long submitted = pool.threadsStarted();
            counted += count.isVirtual ? submitted - count.latest : 0;
            count.latest = submitted;
        }
        long platform = threads.getTotalStartedThreadCount();
        long next = new Thread(() -> {}).getId(); // is never started
        return Math.max(0, next - platform - counted);
    }

    long cpuNanos() {
        return threads.isCurrentThreadCpuTimeSupported() ? threads.getCurrentThreadCpuTime() : -1;
    }
}
