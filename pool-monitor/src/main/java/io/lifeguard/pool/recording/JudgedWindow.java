package io.lifeguard.pool.recording;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.window.EventLoopLooks;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One window as a monitor gave it to the rules, without the windows before it. Immutable.
 *
 * @param entry what the monitor did with it
 * @param usual how long windows were meant to be, positive
 * @param mayRaise false while the pool was so new that findings were only suspected
 * @param before the snapshot at the beginning
 * @param after the snapshot at the end
 * @param end when the window ended, by the wall clock
 * @param state the stage of the pool's life at the end
 * @param process the process in this window
 * @param workers the workers at the end
 * @param breakdown where the workers' time went
 * @param waitsOfOthers for which pools the workers of other pools waited
 * @param eventLoop what event loops were seen to do; empty for a pool
 * @param scheduler whether the pool runs tasks at given times
 * @param freeHeap bytes of heap that the process could still use; empty where that is unknown
 * @param thresholds those that the user had changed, by key
 */
public record JudgedWindow(
        Entry entry,
        Duration usual,
        boolean mayRaise,
        PoolSnapshot before,
        PoolSnapshot after,
        Instant end,
        PoolState state,
        ProcessWindow process,
        List<WorkerWindow> workers,
        TimeBreakdown breakdown,
        Map<String, Set<String>> waitsOfOthers,
        Optional<EventLoopLooks> eventLoop,
        boolean scheduler,
        OptionalLong freeHeap,
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

    /**
     * {@return a window with all that the rules are given of it}
     *
     * @param window without a history
     * @param isScheduler whether the pool runs tasks at given times
     * @param thresholds those that the user has changed, by key
     */
    public static JudgedWindow of(
            PoolWindow window,
            boolean isScheduler,
            Map<String, Double> thresholds,
            Entry entry,
            Duration usual,
            boolean mayRaise) {
        return new JudgedWindow(
                entry,
                usual,
                mayRaise,
                window.before(),
                window.after(),
                window.end(),
                window.state(),
                window.process(),
                window.workers(),
                window.breakdown(),
                window.waitsOfOthers(),
                window.eventLoop(),
                isScheduler,
                window.freeHeap(),
                thresholds);
    }

    /** {@return the window, without a history} */
    public PoolWindow window() {
        PoolWindow.Builder builder = PoolWindow.between(before, after)
                .end(end)
                .state(state)
                .process(process)
                .workers(workers)
                .breakdown(breakdown)
                .waitsOfOthers(waitsOfOthers)
                .freeHeap(freeHeap)
                .thresholds(thresholds);
        eventLoop.ifPresent(builder::eventLoop);
        return builder.build();
    }
}
