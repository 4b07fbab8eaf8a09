package io.lifeguard.pool.tools.watch;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** Waits for the ends of the windows of a watch. */
final class Windows {

    private Windows() {}

    /** Looks until a window has ended after which the condition holds. It is asked once per window. */
    static void await(Watch watch, BooleanSupplier condition) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> watch.look() && condition.getAsBoolean());
    }
}
