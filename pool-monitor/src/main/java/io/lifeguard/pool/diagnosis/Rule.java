package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import java.util.Set;

/**
 * Judges one window of one pool.
 *
 * <p>Rules are loaded by {@link java.util.ServiceLoader} (with a public constructor without arguments) or added to a
 * {@link PoolMonitor}. The monitor's thread calls them once per window and pool, so return quickly. A rule has no
 * memory of its own: earlier windows are in the window's {@linkplain PoolWindow#last(int) history}. The monitor decides
 * when a finding is raised. A rule that throws is logged once and asked again in the next window.
 */
@FunctionalInterface
public interface Rule {

    /** How long a rule must find the same, unless it says otherwise: two windows. */
    int USUAL_WINDOWS_TO_RAISE = 2;

    /**
     * {@return what the rule found, that all is well, or that it could not know; never null}
     *
     * @param window what happened, never null
     */
    Verdict examine(PoolWindow window);

    /** {@return what the windows that the rule is given are about; always the same, pools by default} */
    default PoolWindow.Subject examines() {
        return PoolWindow.Subject.POOL;
    }

    /**
     * {@return the evidence the rule wants in the next window because it suspects something; empty when it suspects
     * nothing}
     *
     * <p>Asked after {@link #examine}. The monitor collects it as far as its budget allows, so do not rely on it.
     *
     * @param window the window just examined
     */
    default Set<Evidence> needs(PoolWindow window) {
        return Set.of();
    }

    /**
     * {@return the ids of the findings that this rule makes; empty when they are unknown}
     *
     * <p>A rule with all its ids switched off is no longer asked.
     */
    default Set<String> ids() {
        return Set.of();
    }

    /**
     * {@return the numbers that the rule compares with and that users may change}
     *
     * <p>The rule itself asks the window for {@linkplain PoolWindow#threshold their present values}.
     */
    default Set<Threshold> thresholds() {
        return Set.of();
    }

    /**
     * {@return for how many windows of the {@linkplain PoolMonitor#window() usual length} the rule must find the same
     * before the finding is raised}
     *
     * <p>This is a time: while a pool is young windows are shorter, and count as the part that they are. Two thirds of
     * that time suffice if the rule has found nothing in the rest. With more than one, at least two windows must agree,
     * however long they are. The value is limited to 1 to 60. The default is 2, which are two seconds unless windows
     * were made longer or shorter, so that a burst or a single pause is no finding.
     */
    default int windowsToRaise() {
        return USUAL_WINDOWS_TO_RAISE;
    }

    /**
     * {@return the same when this window is the first one in which the rule has found it; {@link #windowsToRaise()} by
     * default}
     *
     * <p>A rule whose evidence is no sample may find a long window enough.
     *
     * @param window the window just examined, never null
     */
    default int windowsToRaise(PoolWindow window) {
        return windowsToRaise();
    }
}
