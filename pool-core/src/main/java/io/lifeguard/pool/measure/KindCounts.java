package io.lifeguard.pool.measure;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

/** Counts the tasks of one worker, and sums their times, by kind. One writer, any number of readers. */
final class KindCounts {

    static final int COUNT = 0;
    static final int WALL = 1;
    static final int CPU = 2;
    static final int WAIT = 3;
    static final int WIDTH = 4;

    static final int FIRST_ROWS = 8;

    // written by the worker when it needs more rows; after a stale read the reader misses the latest tasks
    // each cell: single writer: the worker; a reader may see a task in some columns and not yet in others
    private volatile long[] cells = new long[FIRST_ROWS * WIDTH];

    // touched by the worker only, also by WorkerRecorder.step: the same array, without a volatile read per task
    long[] own = cells;

    /** Makes room for a kind. Only for the owner, before the first {@link #add} for that kind. */
    void ensure(int kind) {
        int needed = (kind + 1) * WIDTH;
        if (needed > own.length) {
            int length = Math.min(KindTable.CAPACITY * WIDTH, Math.max(needed, own.length * 2));
            own = Arrays.copyOf(own, length);
            cells = own;
        }
    }

    /** Counts a task that has ended. Only for the owner. */
    void add(int kind, long wallNanos, long waitNanos) {
        long[] row = own;
        int at = kind * WIDTH;
        row[at + WALL] = Saturating.add(row[at + WALL], wallNanos);
        row[at + WAIT] = Saturating.add(row[at + WAIT], waitNanos);
        VarHandle.releaseFence();
        row[at + COUNT]++;
    }

    /** Adds CPU time to a kind. Only for the owner. */
    void addCpu(int kind, long cpuNanos) {
        long[] row = own;
        int at = kind * WIDTH + CPU;
        row[at] += cpuNanos;
    }

    /** Adds all cells to {@code sums}, which has {@link #WIDTH} cells per kind. */
    void addTo(long[] sums) {
        long[] rows = cells;
        for (int at = 0; at < rows.length; at += WIDTH) {
            // the count first: a task that is counted is then in the other columns too
            sums[at + COUNT] += rows[at + COUNT];
            VarHandle.acquireFence();
            sums[at + WALL] = Saturating.add(sums[at + WALL], rows[at + WALL]);
            sums[at + CPU] += rows[at + CPU];
            sums[at + WAIT] = Saturating.add(sums[at + WAIT], rows[at + WAIT]);
        }
        VarHandle.acquireFence();
    }
}
