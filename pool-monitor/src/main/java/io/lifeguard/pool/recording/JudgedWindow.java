package io.lifeguard.pool.recording;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.Map;

/**
 * One window as a monitor gave it to the rules. Immutable.
 *
 * @param entry what the monitor did with it
 * @param mayRaise false while the pool was so new that findings were only suspected
 * @param thresholds those that the user had changed, by key
 */
public record JudgedWindow(
        Entry entry,
        Duration usual,
        boolean mayRaise,
        PoolWindow window,
        boolean scheduler,
        Map<String, Double> thresholds) {

    /** Why a window was not judged, as findings say it. */
    public static final String STOOD_STILL = "everything stood still";

    /** Why another one was not judged. */
    public static final String STARVED_OF_CPU = "the monitor got too little CPU time to judge this pool";

    /** Why the findings about event loops have ended. */
    public static final String LOOP_ENDED = "the event loop has ended";

    /** What a monitor does with a window. */
    public enum Entry {
        /** The rules judged it. */
        JUDGED,
        /** Everything stood still, so the rules were not asked. */
        STOOD_STILL,
        /** The monitor got too little CPU time to ask the rules. */
        NOT_JUDGED
    }

    /** Receives the windows of a monitor, on the monitor's thread. Checks of the library use it. */
    public interface Listener {

        /** The rules were given a window, or would have been. */
        void judged(JudgedWindow window);

        void ended(String pool);
    }
}
