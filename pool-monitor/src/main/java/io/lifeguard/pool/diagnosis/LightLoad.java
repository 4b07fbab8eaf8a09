package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the window of a pool that has little to do goes on over a round. Its workers are looked at as often
 * as those of other pools, but its figures are read, and its rules asked, once in {@value #ROUNDS} rounds. Confined to
 * the monitor's thread.
 *
 * <p>What a window costs, it costs for a pool of any load: with 20 pools of 50 workers, most of what the monitor uses.
 */
final class LightLoad {

    /** 4 s with usual windows: a finding about a pool in which nothing waits may come so much later. */
    private static final int ROUNDS = 4;

    /** From a quarter of the workers on, a pool may soon be full. */
    private static final double LIGHT = 0.25;

    private int left; // rounds over which the window may still go on

    /**
     * A window was closed.
     *
     * @param mayGoOn whether the next one may be long: nothing is suspected
     */
    void closed(PoolWindow window, boolean mayGoOn) {
        boolean isLight = mayGoOn
                && hasNoneWaiting(window.before())
                && hasNoneWaiting(window.after())
                && window.rejected() + window.callerRuns() + window.failed() == 0
                && window.utilisation() < LIGHT;
        left = isLight ? ROUNDS - 1 : 0;
    }

    private static boolean hasNoneWaiting(PoolSnapshot snapshot) {
        return snapshot.queued() + snapshot.saturation().blockedNow() == 0;
    }

    /**
     * A round is made. {@return whether the window goes on}
     *
     * @param working how many workers had a task when they were last looked at
     */
    boolean goesOn(@Nullable Object executor, int working) {
        boolean goesOn = left > 0
                && executor instanceof ThreadPoolExecutor jdk
                && Sleep.hasNothingToRun(jdk.getQueue())
                && working < LIGHT * jdk.getPoolSize();
        left = goesOn ? left - 1 : 0;
        return goesOn;
    }
}
