package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Estimate;
import java.util.Optional;

/**
 * Whether one possible bottleneck limits the pool in a window, with the workers and the numbers that decide it.
 * Immutable. Rules explain a judgement, and do not repeat it.
 *
 * @param bottleneck what was judged
 * @param answer whether it is the bottleneck in this window
 * @param holds whether a decision for it stands in this window: the workers alone are enough for that, because the pool
 *     was seen to be limited before
 * @param workers how many workers wait for it
 * @param threshold how many must wait for it
 * @param busy the mean number of busy workers
 * @param group the workers that decide; empty where no group is large enough, and where the decision needs no group
 * @param standsStill whether the pool completes nothing any more
 */
public record Judgement(
        Bottleneck bottleneck,
        Answer answer,
        Answer holds,
        Estimate workers,
        double threshold,
        double busy,
        Optional<WaitingWorkers> group,
        boolean standsStill) {

    /** The answer to a question about a window. */
    public enum Answer {
        /** The evidence shows it: the lower bound of the workers that were seen is high enough. */
        YES,
        /** The evidence excludes it: the upper bound, with all workers that were not seen, is too low. */
        NO,
        /** There is too little evidence. */
        OPEN
    }

    /** {@return whether enough workers were seen, by the lower bound} */
    public boolean isCertain() {
        return isEnough(workers, threshold);
    }

    static boolean isEnough(Estimate workers, double threshold) {
        return threshold > 0 && workers.low() >= threshold;
    }
}
