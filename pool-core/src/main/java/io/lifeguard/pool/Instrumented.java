package io.lifeguard.pool;

import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/** Finds the instruments of an executor. Stateless. */
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
}
