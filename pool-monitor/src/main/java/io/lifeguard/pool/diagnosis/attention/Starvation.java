package io.lifeguard.pool.diagnosis.attention;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.evidence.cpu.EvidenceBudget;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Tells whether the monitor's thread gets too little CPU time, and which windows it leaves unjudged then. Confined to
 * the monitor's thread.
 */
public final class Starvation {

    /**
     * The thread is starved when it was late for half a window, or queued for a CPU for half of a usual one: with 120
     * computing threads on two CPUs its fair share is 1.7 % of a core, which it gets in slices 180 ms apart. Each look
     * at stacks stops all threads, and may wait for as long until they go on. Beside a few computing processes a look
     * waits for 10 ms, and a window's looks for 200 ms together.
     */
    private static final double STARVED = 0.5;

    /**
     * A starved thread that has used 20 ms of CPU in a round asks no more rules in it: at a fair share of 1.7 % of a
     * core these take a second, and the window must end. One pool is judged in any case. In a young JVM the round alone
     * takes as long.
     */
    private static final long MOST_IN_STARVED_ROUND = TimeUnit.MILLISECONDS.toNanos(20);

    /** Not more, because it may be an event loop that uses the CPUs, beside pools that are idle. */
    private static final int MOST_ROUNDS_OF_POOLS = 3;

    private boolean isStarved; // in the latest window
    private boolean hasJudged; // a pool, in this round
    private boolean hasEverJudged; // a pool, in this round or one before
    private int roundsOfPools; // starved ones in which only pools were looked at
    private long cpuUntil; // the CPU time of this thread after which a starved round asks no more rules

    /**
     * The first window begins. That of a starved thread is as long as any, so that it may decide alone.
     *
     * @param isShortOfCpu whether this thread has been until now
     */
    public void begin(boolean isShortOfCpu) {
        isStarved = isShortOfCpu;
    }

    /**
     * A round begins.
     *
     * @param cpu the CPU time of this thread, in nanoseconds
     * @param late how long this thread was stopped since the last round
     * @param queued how long this thread queued for a CPU since the last round; zero if that is unknown
     * @param usual how long windows are meant to be at most
     */
    public boolean begin(long cpu, Duration late, Duration planned, Duration queued, Duration usual) {
        isStarved = late.toNanos() >= STARVED * planned.toNanos() || queued.toNanos() >= STARVED * usual.toNanos();
        cpuUntil = cpu + MOST_IN_STARVED_ROUND;
        hasJudged = false;
        return isStarved;
    }

    public boolean isStarved() {
        return isStarved;
    }

    /**
     * {@return whether nothing but pools is looked at in this round} Loading what judges event loops, virtual threads
     * and deadlocks takes a starved thread a second, so the first pool is judged first.
     */
    public boolean isPoolsTurn() {
        boolean isTurn = isStarved && !hasEverJudged && roundsOfPools < MOST_ROUNDS_OF_POOLS;
        hasEverJudged |= hasJudged;
        roundsOfPools += isTurn ? 1 : 0;
        return isTurn;
    }

    public void judged() {
        hasJudged = true;
    }

    /** {@return whether a window is left unjudged} Pools without tasks can wait, and the others take turns. */
    public boolean putsOff(PoolWindow window) {
        return isStarved
                && window.state() == PoolState.RUNNING
                && (hadNoTasks(window) || (hasJudged && EvidenceBudget.cpuOfThisThread() - cpuUntil >= 0));
    }

    private static boolean hadNoTasks(PoolWindow window) {
        PoolSnapshot before = window.before();
        PoolSnapshot after = window.after();
        return window.countsTasks()
                && window.submitted() + window.completed() + window.rejected() + window.callerRuns() == 0
                && before.active() + before.queued() + before.saturation().blockedNow() == 0
                && after.active() + after.queued() + after.saturation().blockedNow() == 0;
    }
}
