package io.lifeguard.pool;

import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/** Finds what only instrumented executors have, from any executor. Stateless. */
final class Instrumented {

    private Instrumented() {}

    /** Returns the instruments of an instrumented executor, and null for any other executor. */
    static @Nullable Instruments of(ThreadPoolExecutor executor) {
        if (executor instanceof InstrumentedThreadPoolExecutor instrumented) {
            return instrumented.instruments;
        } else if (executor instanceof InstrumentedScheduledThreadPoolExecutor instrumented) {
            return instrumented.instruments;
        }
        return null;
    }

    /**
     * Submits a task that has passed the executor's own {@code execute} before. A subclass may wrap each task there, so
     * an instrumented pool, unlike any other executor, is not asked to do so again.
     */
    static void executeAsIs(ThreadPoolExecutor executor, Runnable task) {
        if (executor instanceof InstrumentedThreadPoolExecutor instrumented) {
            instrumented.executeAsIs(task);
        } else {
            executor.execute(task); // a scheduled pool is never full, so no policy submits to it again
        }
    }
}
