package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One look at one worker, with its stack. Used only within its round, since it holds the thread.
 *
 * @param worker the worker
 * @param info its thread at that moment
 * @param stratum the group of the census to which it belongs
 * @param stack its stack, top first
 * @param doing what it does
 * @param place the first frame that is the user's own
 */
public record WorkerLook(
        WorkerState worker,
        ThreadLook info,
        Stratum stratum,
        List<StackTraceElement> stack,
        Doing doing,
        String place) {

    /** {@return class and identity of the object it waits for; null when there is none} */
    @Nullable
    public String object() {
        return info.object().isEmpty() ? null : info.object();
    }
}
