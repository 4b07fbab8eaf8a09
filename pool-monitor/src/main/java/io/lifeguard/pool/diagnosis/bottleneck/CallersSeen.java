package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.PoolSnapshot.Caller;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.List;
import java.util.Optional;

/**
 * The submitters that were seen to run tasks of a pool that does not count them. Immutable.
 *
 * <p>With n workers and submitters that run tasks for a share c of the time while w workers idle, waiting gains n ÷ (n
 * − c·w + c).
 *
 * @param window the last ten windows
 * @param callers the submitters with what they did in it, busiest first, at least one
 * @param looks how many looks met one of them
 * @param idleWorkers how many workers idled meanwhile on average
 * @param gain the expected throughput if submitters waited, divided by that now
 */
public record CallersSeen(PoolWindow window, List<Caller> callers, long looks, double idleWorkers, double gain) {

    private static final int WINDOWS = 10; // looks are few, see the rule that has the words

    /** {@return the submitters; empty where a pool counts its tasks, and where fewer than eight looks met one} */
    public static Optional<CallersSeen> in(PoolWindow latest) {
        if (latest.isMeasured()) {
            return Optional.empty();
        }
        PoolWindow window = latest.last(WINDOWS);
        List<Caller> callers = CallerRuns.callersIn(window);
        long looks = callers.stream().mapToLong(Caller::runs).sum();
        return looks < Thresholds.DISPATCHER_LOOKS ? Optional.empty() : Optional.of(of(window, callers, looks));
    }

    /** {@return whether any look met a submitter} */
    public static boolean isAny(PoolWindow latest) {
        return !latest.isMeasured()
                && !CallerRuns.callersIn(latest.last(WINDOWS)).isEmpty();
    }

    private static CallersSeen of(PoolWindow window, List<Caller> callers, long looks) {
        double workers = window.after().size();
        double seconds = CallerRuns.seconds(callers);
        double idle = CallerRuns.idleSeconds(callers) / Math.max(seconds, Double.MIN_NORMAL);
        double share = seconds / window.seconds();
        return new CallersSeen(window, callers, looks, idle, workers / Math.max(1, workers - share * idle + share));
    }

    /** {@return whether waiting would gain enough} */
    public boolean isWorthIt() {
        return gain >= gainWanted();
    }

    /** The more looks there are, the smaller is the error of the idle workers, and so of the gain. */
    private double gainWanted() {
        double exact = window.threshold(Thresholds.DISPATCHER_GAIN);
        double fewest = Thresholds.DISPATCHER_LOOKS;
        return exact + (window.threshold(Thresholds.DISPATCHER_GAIN_SEEN) - exact) * Math.sqrt(fewest / looks);
    }

    /** {@return whether waiting would gain half of what is enough, so that chance may decide} */
    public boolean isAlmostWorthIt() {
        return gain - 1 >= (gainWanted() - 1) / 2;
    }
}
