package io.lifeguard.pool.diagnosis.evidence.stack;

/** How many stacks one pool has earned and not spent, and how deep its stacks are. Confined to the monitor's thread. */
public final class StackCredit {

    /** Saved for at most this many seconds, so that a pool that begins to work is looked at at once. */
    private static final double MOST_SECONDS = 0.5;

    private double stacks;
    private long since;
    private boolean begun;
    boolean isDeep; // a frame of the user's own was found below the usual depth

    /** Adds what was earned, and spends it if it suffices for this many. */
    boolean spend(int wanted, double perSecond, long now) {
        double seconds = begun ? Math.max(0, now - since) / 1e9 : MOST_SECONDS;
        begun = true;
        since = now;
        double most = Math.max(wanted, perSecond * MOST_SECONDS);
        stacks = Math.min(most, stacks + seconds * perSecond);
        if (wanted == 0 || stacks < wanted) {
            return false;
        }
        stacks -= wanted;
        return true;
    }

    /** Gives back what was not taken. */
    void refund(int unspent) {
        stacks += unspent;
    }
}
