package io.lifeguard.pool.diagnosis.start;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/**
 * Tells whether this process uses few of the CPUs, by the CPU time that Linux counts for it. Confined to the triage's
 * thread.
 *
 * <p>To the JVM a thread that reads a socket is as runnable as one that computes. If all workers look runnable and the
 * process hardly computes, they wait outside, or other processes have the CPUs. Nothing is gained by waiting then.
 */
final class OwnCpu {

    /* The beans of the JVM know the same, and cost forty times as much to load. */

    /** A quarter of the CPUs: one computing thread beside four processes on two CPUs gets about as much. */
    private static final int FEW = 4;

    private static final long NANOS_PER_TICK = 10_000_000; // Linux tells programs of 100 ticks a second on all machines

    private static final int BEFORE_TIMES = 12; // spaces from the name's end to the number of ticks in user mode

    private final byte[] text = new byte[512]; // enough up to the times
    private long since; // by System.nanoTime()
    private long before; // ticks until then; negative where that is unknown
    private boolean wasLow; // in the second before

    void begin(long now) {
        since = now;
        before = ticks();
        wasLow = false;
    }

    /** {@return whether the process has used few CPUs in the latest whole second since the begin} */
    boolean isLow(long now) {
        long nanos = now - since;
        if (nanos < TimeUnit.SECONDS.toNanos(1)) {
            return wasLow;
        }
        long from = before;
        begin(now);
        wasLow = from >= 0
                && before >= from
                && isLow(before - from, nanos, Runtime.getRuntime().availableProcessors());
        return wasLow;
    }

    static boolean isLow(long ticks, long nanos, int cpus) {
        return ticks * NANOS_PER_TICK * FEW < nanos * cpus;
    }

    private long ticks() {
        try (InputStream file = new FileInputStream("/proc/self/stat")) {
            return ticksIn(text, file.read(text));
        } catch (IOException ignored) { // another system
            return -1;
        }
    }

    /** {@return the ticks in both modes, of a line as Linux has it; negative if it is another} */
    static long ticksIn(byte[] line, int length) {
        int at = length - 1;
        while (at >= 0 && line[at] != ')') { // the name before it may have spaces
            at--;
        }
        int spaces = 0;
        while (at >= 0 && at < length && spaces < BEFORE_TIMES) {
            spaces += line[at++] == ' ' ? 1 : 0;
        }
        long sum = 0;
        long number = 0;
        for (int i = at; i >= 0 && i < length && spaces < BEFORE_TIMES + 2; i++) {
            boolean isEnd = line[i] == ' ';
            spaces += isEnd ? 1 : 0;
            sum += isEnd ? number : 0;
            number = isEnd ? 0 : 10 * number + line[i] - '0';
        }
        return spaces == BEFORE_TIMES + 2 ? sum : -1;
    }
}
