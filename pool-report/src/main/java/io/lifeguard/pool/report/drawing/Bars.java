package io.lifeguard.pool.report.drawing;

import java.util.Arrays;

/** What one worker did: stretches of time in their order, between which nothing is known. Not thread-safe. */
final class Bars {

    /** The thread was on a CPU, waited for one, or was in a native call. */
    static final int RUNNABLE = 1;

    /** A recorded task tells begin and end, so they are exact. */
    static final int EXACT = 2;

    /** The looks at both ends saw the same: a change in between is less likely than behind the last one. */
    static final int BETWEEN_EQUALS = 4;

    private long[] froms = new long[16];
    private long[] tos = new long[16];
    private int[] states = new int[16];
    private int[] details = new int[16];
    private int[] flags = new int[16];
    private int count;

    void add(long from, long to, int state, int detail, int flag) {
        if (to <= from) {
            return;
        }
        if (count == froms.length) {
            froms = Arrays.copyOf(froms, 2 * count);
            tos = Arrays.copyOf(tos, 2 * count);
            states = Arrays.copyOf(states, 2 * count);
            details = Arrays.copyOf(details, 2 * count);
            flags = Arrays.copyOf(flags, 2 * count);
        }
        froms[count] = from;
        tos[count] = to;
        states[count] = state;
        details[count] = detail;
        flags[count++] = flag;
    }

    int count() {
        return count;
    }

    long from(int i) {
        return froms[i];
    }

    long to(int i) {
        return tos[i];
    }

    int state(int i) {
        return states[i];
    }

    int detail(int i) {
        return details[i];
    }

    boolean isRunnable(int i) {
        return (flags[i] & RUNNABLE) != 0;
    }

    boolean isExact(int i) {
        return (flags[i] & EXACT) != 0;
    }

    boolean isBetweenEquals(int i) {
        return (flags[i] & BETWEEN_EQUALS) != 0;
    }
}
