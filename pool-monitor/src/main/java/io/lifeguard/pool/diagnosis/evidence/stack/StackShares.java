package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.diagnosis.evidence.cpu.EvidenceBudget;
import java.util.concurrent.TimeUnit;

/**
 * Shares the stacks that may be taken among all pools. Confined to the monitor's thread.
 *
 * <p>Suspected pools share 1.6 % of a core, which is 300 stacks a second at 54 µs each: 60 for each of five pools. The
 * other pools that work share 0.15 %, so that a pool's first suspicious window has some already: 16 a second where one
 * works, one or two where twenty do. All that the monitor does while nothing is suspected is to cost 0.5 %.
 */
public final class StackShares {

    /** The most stacks of one look, because all threads are stopped meanwhile: about 1 ms. */
    static final int MOST_AT_ONCE = 16;

    /** Share of a core for the stacks of all suspected pools: 300 a second, within {@link EvidenceBudget#SHARE}. */
    private static final double SUSPECTED = 0.016;

    /** Share of a core for those of all others that work: a third of the 0.5 % that a quiet monitor may cost. */
    private static final double OTHERS = 0.0015;

    /** More than this of one pool would tell little more: 96 stacks have an error of 5 % at most. */
    private static final double MOST_PER_SECOND = 96;

    /** Stacks a second of one other pool: four a look, which name what most workers do. */
    private static final double MOST_OF_OTHERS = 16;

    /** A stack of 30 frames; each look corrects it. */
    private static final double GUESS_NANOS = 54_000;

    /** The most stacks of a look that names new groups. */
    static final int MOST_OF_FIRST_LOOK = 4;

    /** 50 ms: twenty looks a second that name new groups, of all pools together, 80 stacks or 0.4 % of a core. */
    private static final long BETWEEN_FIRST_LOOKS = TimeUnit.MILLISECONDS.toNanos(50);

    private double stackNanos = GUESS_NANOS;
    private int suspected;
    private int others;
    private long firstLook; // when the last one was taken; says nothing before
    private boolean hasFirstLook;

    /** Sets among how many pools the stacks are shared from now on. Idle pools need none. */
    public void among(int suspectedPools, int otherPools) {
        suspected = suspectedPools;
        others = otherPools;
    }

    /** How many stacks of one pool may be taken in a second. */
    double perSecond(boolean isSuspected) {
        double most = isSuspected ? MOST_PER_SECOND : MOST_OF_OTHERS;
        double all = (isSuspected ? SUSPECTED : OTHERS) * 1e9 / stackNanos;
        return Math.min(most, all / Math.max(1, isSuspected ? suspected : others));
    }

    /** {@return whether new groups may be looked at now} If so, counts it. */
    boolean takesFirstLook(long now) {
        if (hasFirstLook && now - firstLook < BETWEEN_FIRST_LOOKS) {
            return false;
        }
        hasFirstLook = true;
        firstLook = now;
        return true;
    }

    /** How many stacks to take in one look, so that there are about four looks in a second. */
    static int atOnce(double perSecond) {
        return (int) Math.max(2, Math.min(MOST_AT_ONCE, Math.ceil(perSecond / 4)));
    }

    /** Learns what stacks cost. A look that was suspended says little of the next one's cost. */
    void took(int stacks, long nanos) {
        double cost = Math.min((double) nanos / stacks, 4 * stackNanos);
        stackNanos = Math.max(5_000, 0.75 * stackNanos + 0.25 * cost);
    }
}
