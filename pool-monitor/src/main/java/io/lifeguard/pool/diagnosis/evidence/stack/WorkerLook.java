package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One look at one worker, with its stack. Used only within its round, since it holds the thread. */
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
