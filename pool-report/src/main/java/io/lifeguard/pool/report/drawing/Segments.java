package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.Arrays;
import java.util.List;

/**
 * What one lane shows over time: states that begin at growing times and last until the next one. Not thread-safe.
 *
 * <p>A state is the place of a {@link Doing} among all, or one of the constants. Times are ticks since the recording
 * began.
 */
final class Segments {

    private static final List<Doing> DOINGS = List.of(Doing.values());

    static final int COMPUTING = stateOf(Doing.COMPUTING);
    static final int FOR_CPU = stateOf(Doing.WAITING_FOR_CPU);
    static final int OUTSIDE = stateOf(Doing.WAITING_OUTSIDE);
    static final int IDLE = stateOf(Doing.IDLE);
    static final int UNKNOWN = stateOf(Doing.UNKNOWN);

    /** A submitter runs a task itself. */
    static final int CALLER_RUNS = DOINGS.size();

    /** A submitter waits for room. */
    static final int SUBMIT_WAIT = CALLER_RUNS + 1;

    /** Nothing is recorded. */
    static final int NOTHING = SUBMIT_WAIT + 1;

    /**
     * How bad each state is, by its number; {@code causes.js} has the same ranks. A lock keeps others waiting too, so
     * it is worse than what a worker waits for alone. Idleness is never worse than work.
     */
    private static final int[] RANKS = {3, 8, 9, 7, 6, 5, 4, 1, 2, 11, 10, 0};

    private long[] starts = new long[8];
    private int[] states = new int[8];
    private int[] details = new int[8];
    private int count;

    static int stateOf(Doing doing) {
        return DOINGS.indexOf(doing);
    }

    /** Begins a state. One with the same time as the last one replaces it; one with the same state continues it. */
    void add(long start, int state, int detail) {
        if (count > 0 && starts[count - 1] == start) {
            count--;
        }
        if (count > 0 && states[count - 1] == state && details[count - 1] == detail) {
            return;
        }
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            states = Arrays.copyOf(states, 2 * count);
            details = Arrays.copyOf(details, 2 * count);
        }
        starts[count] = start;
        states[count] = state;
        details[count++] = detail;
    }

    int count() {
        return count;
    }

    /** {@return which states there are, as bits} */
    int present() {
        int bits = 0;
        for (int i = 0; i < count; i++) {
            bits |= 1 << states[i];
        }
        return bits & ~(1 << NOTHING);
    }

    /**
     * {@return the same with times rounded to a multiple of ticks, where each moment shows the worst state it holds}
     */
    Segments coarser(long ticks) {
        Segments coarse = new Segments();
        long bucket = Long.MIN_VALUE;
        int worst = 0;
        for (int i = 0; i < count; i++) {
            long here = starts[i] / ticks;
            if (here != bucket) {
                // The former segment reaches into this bucket, and filled the whole ones between.
                if (i > 0) {
                    if (here > bucket + 1) {
                        coarse.add((bucket + 1) * ticks, states[i - 1], details[i - 1]);
                    }
                    worst = starts[i] % ticks == 0 || isWorse(i, i - 1) ? i : i - 1;
                } else {
                    worst = i;
                }
                bucket = here;
            } else if (isWorse(i, worst)) {
                worst = i;
            }
            coarse.add(here * ticks, states[worst], details[worst]);
        }
        if (count > 0) {
            coarse.add((bucket + 1) * ticks, states[count - 1], details[count - 1]);
        }
        return coarse;
    }

    private boolean isWorse(int one, int other) {
        return RANKS[states[one]] > RANKS[states[other]];
    }

    /** {@return for each segment the ticks since the former one, the state, and the detail} */
    String packed() {
        Vlq text = new Vlq();
        long last = 0;
        for (int i = 0; i < count; i++) {
            text.add(starts[i] - last);
            text.add(states[i]);
            text.add(details[i]);
            last = starts[i];
        }
        return text.toString();
    }
}
