package io.lifeguard.pool.diagnosis.attention;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.log.LogLines;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.text.LogText;
import java.util.Optional;

/**
 * Knows what cannot be seen of an external pool, such as threads that cannot be told from others, and says so once in
 * the log. Confined to the monitor's thread.
 *
 * <p>The search for the threads of a pool takes a few windows, so the log waits until the pool has worked for
 * {@value #PATIENCE_SECONDS} s without one that was found.
 */
public final class Blindness {

    /** Threads of a pool that has just been made are found once they have started. */
    private static final double PATIENCE_SECONDS = 10;

    private final PoolSource source;
    private double seconds; // in which it had work, and its threads were unknown
    private boolean isSaid;

    public Blindness(PoolSource source) {
        this.source = source;
    }

    /**
     * {@return what of a pool is unknown, and why; empty if all is known, or if its threads were never searched for}
     */
    public static Optional<String> of(InstrumentedPool pool) {
        return pool instanceof ExternalPool<?> watched ? watched.blindness() : Optional.empty();
    }

    /** {@return why not all is known of its workers at the end of this window; empty if all is known} */
    public String closed(PoolWindow window) {
        InstrumentedPool pool = source.meter();
        String why = pool == null ? "" : of(pool).orElse("");
        if (why.isEmpty()) {
            seconds = 0;
        } else if (window.after().active() > 0) {
            seconds += window.seconds();
        }
        if (seconds >= PATIENCE_SECONDS && !isSaid) {
            isSaid = true;
            LogLines.MONITOR.write(log -> log.info(
                    "pool {}: not all that its workers do is known, because {}.",
                    LogText.name(window.pool()),
                    LogText.clean(why)));
        }
        return why;
    }
}
