package io.lifeguard.pool.diagnosis.window;

import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** The stage of a pool's life. */
public enum PoolState {
    /** Accepts tasks. */
    RUNNING,
    /** Was told to shut down and has not ended yet. */
    SHUTTING_DOWN,
    /** Has ended. */
    TERMINATED;

    /**
     * {@return what an {@link ExecutorService} says of itself; {@link #RUNNING} for any other object}
     *
     * @param executor any object, or null
     */
    public static PoolState of(@Nullable Object executor) {
        if (!(executor instanceof ExecutorService service)) {
            return RUNNING;
        }
        if (service.isTerminated()) {
            return TERMINATED;
        }
        return service.isShutdown() ? SHUTTING_DOWN : RUNNING;
    }
}
