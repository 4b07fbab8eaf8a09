package io.lifeguard.pool.diagnosis;

import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** A rule that also judges event loops, which belong to no pool. Called by the monitor's thread only. */
interface EventLoopRule extends Rule {

    /**
     * Judges one event loop.
     *
     * @param looks what it was seen to do
     * @param thresholds the present values
     * @return the finding, or empty when all is well
     */
    Optional<Finding> examine(EventLoopLooks looks, ToDoubleFunction<Threshold> thresholds);
}
