package io.lifeguard.pool.diagnosis.attention;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Decides how long windows are. Confined to the monitor's thread. */
public final class RoundPace {

    /** A quarter of the usual window. */
    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(250);

    /** While windows are shorter than usual, rounds may use 1 % of a core: about half of what evidence may cost. */
    private static final int ROUNDS_AFFORDED = 100;

    /** In CPU time: the first rounds load classes, and are interpreted at 5 to 12 ms each, which is free once. */
    private static final long WARM_UP = TimeUnit.MILLISECONDS.toNanos(600);

    private long roundCpuNanos; // CPU time of the latest rounds, on average
    private long allRoundsCpuNanos; // CPU time of all rounds
    private boolean isSpent; // the budget for evidence, after the latest round; a window keeps its length meanwhile

    /**
     * {@return how long the present window is meant to be}
     *
     * <p>It is short while a pool is young and works, or a finding is suspected. It is never so short that the rounds
     * alone use more than 1 % of a core, the first ones apart. It is never short while this thread is starved, or while
     * the budget is spent: more rounds without evidence decide nothing, and keep evidence away for longer.
     *
     * @param usual how long windows are meant to be at most
     * @param mayBeShort whether the next windows decide about a finding, or a pool is young and works
     */
    public Duration length(Duration usual, boolean isStarved, boolean mayBeShort) {
        long afforded = allRoundsCpuNanos < WARM_UP ? 0 : ROUNDS_AFFORDED * roundCpuNanos;
        long least = Math.max(SHORTEST, afforded);
        boolean isShort = least < usual.toNanos() && !isStarved && !isSpent && mayBeShort;
        return isShort ? Duration.ofNanos(least) : usual;
    }

    public void ended(long cpuNanos, boolean spent) {
        long used = Math.max(0, cpuNanos);
        roundCpuNanos = (3 * roundCpuNanos + used) / 4;
        allRoundsCpuNanos += used;
        isSpent = spent;
    }
}
