package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import java.util.Set;

/**
 * Judges one window of one pool. Rules are found by {@link java.util.ServiceLoader} (with a public constructor without
 * arguments) or added to a {@link PoolMonitor}.
 *
 * <p>Called by the monitor's thread only, once per window and pool, so be quick. A rule has no memory of its own: what
 * was before the window is in its {@linkplain PoolWindow#last(int) history}. Whether a finding is raised at the first
 * window that shows it, or only when it holds for some, is the monitor's business. A rule that throws is logged once
 * and asked again in the next window.
 */
@FunctionalInterface
public interface Rule {

    /**
     * Judges the window.
     *
     * @param window what happened, never null
     * @return what the rule found, that all is well, or that it could not know; never null
     */
    Verdict examine(PoolWindow window);

    /**
     * Whether the rule examines event loops. A rule that does is given
     * {@linkplain PoolWindow#eventLoop() windows of event loops} only; any other rule is given windows of pools only.
     *
     * @return false unless overridden; always the same
     */
    default boolean examinesEventLoops() {
        return false;
    }

    /**
     * What the rule would like to see in the next window because it suspects something. Asked after {@link #examine}.
     * It is collected as far as the monitor's budget allows, so do not rely on it.
     *
     * @param window the window just examined
     * @return what to collect, empty when nothing is suspected
     */
    default Set<Evidence> needs(PoolWindow window) {
        return Set.of();
    }

    /**
     * The ids of the findings that this rule makes.
     *
     * @return the ids; a rule all of whose ids are switched off is not asked any more. Empty: not known
     */
    default Set<String> ids() {
        return Set.of();
    }

    /**
     * The numbers that the rule compares with and that users may change. The rule itself asks the window for
     * {@linkplain PoolWindow#threshold their present values}.
     *
     * @return the thresholds, empty when there are none
     */
    default Set<Threshold> thresholds() {
        return Set.of();
    }

    /**
     * In how many windows in a row, one of which may be missing, the rule must find the same before the finding is
     * raised.
     *
     * @return from 1 to 60, as many windows as are remembered; what is less or more counts as these. The default is 3,
     *     so that a burst or a single pause is no finding
     */
    default int windowsToRaise() {
        return 3;
    }
}
