package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import java.util.Map;

/**
 * What all windows of one round have in common. Immutable.
 *
 * @param disturbed whether everything stood still for so long that the windows show nothing else
 * @param isStarved whether the monitor's thread got too little CPU time in the windows that end
 * @param unjudged why pools have not been judged for long; empty if they have
 */
record Round(
        ProcessWindow process, boolean disturbed, boolean isStarved, Map<String, Double> thresholds, String unjudged) {

    /** {@return the same for what does not change while everything stands still} */
    Round asJudged() {
        return new Round(process, false, isStarved, thresholds, unjudged);
    }
}
