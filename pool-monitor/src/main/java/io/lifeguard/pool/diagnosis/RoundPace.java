package io.lifeguard.pool.diagnosis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Decides how long windows are. Confined to the monitor's thread. */
final class RoundPace {

    /** A quarter of the usual window. */
    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(250);

    /** Ten seconds: a program that ends after two, and one whose code is still being compiled, are seen in detail. */
    private static final Duration YOUTH = Duration.ofSeconds(10);

    /** While windows are shorter than usual, rounds may use 1 % of a core: about half of what evidence may cost. */
    private static final int ROUNDS_AFFORDED = 100;

    /** In CPU time: the first rounds load classes, and are interpreted at 5 to 12 ms each, which is free once. */
    private static final long WARM_UP = TimeUnit.MILLISECONDS.toNanos(600);

    private final Engine engine;
    private final WatchedPools pools;

    private long roundCpuNanos; // CPU time of the latest rounds, on average
    private long allRoundsCpuNanos; // CPU time of all rounds
    private boolean isSpent; // the budget for evidence, after the latest round; a window keeps its length meanwhile

    /** Makes a pace that begins with the first round. */
    RoundPace(Engine engine, WatchedPools pools) {
        this.engine = engine;
        this.pools = pools;
    }

    /**
     * {@return how long the present window is meant to be}
     *
     * <p>It is short while a pool is young and works, or a finding is suspected. It is never so short that the rounds
     * alone use more than 1 % of a core, the first ones apart. It is never short while this thread is starved, or while
     * the budget is spent: more rounds without evidence decide nothing, and keep evidence away for longer.
     *
     * @param othersAreUndecided whether the next windows decide about a finding that is not about a pool
     */
    Duration length(boolean isStarved, boolean othersAreUndecided) {
        Duration usual = engine.settings().window();
        long afforded = allRoundsCpuNanos < WARM_UP ? 0 : ROUNDS_AFFORDED * roundCpuNanos;
        long least = Math.max(SHORTEST, afforded);
        boolean isShort =
                least < usual.toNanos() && !isStarved && !isSpent && (othersAreUndecided || wantsShortWindows());
        return isShort ? Duration.ofNanos(least) : usual;
    }

    private boolean wantsShortWindows() {
        long now = engine.clock().nanoTime();
        for (PoolWatch watch : pools.all()) {
            boolean isYoung = watch.isYoungerThan(YOUTH, now) && !watch.isCalm();
            if (isYoung || watch.ledger().isUndecided()) {
                return true;
            }
        }
        return false;
    }

    void ended(long cpuNanos, boolean spent) {
        long used = Math.max(0, cpuNanos);
        roundCpuNanos = (3 * roundCpuNanos + used) / 4;
        allRoundsCpuNanos += used;
        isSpent = spent;
    }
}
