package io.lifeguard.pool.diagnosis.attention;

import io.lifeguard.pool.diagnosis.log.LogLines;
import io.lifeguard.pool.text.Units;
import java.time.Duration;

/**
 * Knows for how long no window of pools was judged, and says once in the log when that is long. Confined to the
 * monitor's thread.
 *
 * <p>A window in which everything stood still says nothing about pools, but so many of them in a row are no accident:
 * the silence must not be taken for health.
 */
public final class Unjudged {

    private static final double PATIENCE_SECONDS = 10; // as long as Blindness waits

    private final LogLines lines;
    private double seconds; // of the windows in a row that were not judged
    private double collecting; // seconds of these
    private double late; // seconds of these
    private boolean isSaid;

    public Unjudged(LogLines lines) {
        this.lines = lines;
    }

    /**
     * Notes a window.
     *
     * @return why pools have not been judged for long; empty if they have
     */
    public String closed(boolean isJudged, Duration length, Duration gc, Duration stopped) {
        if (isJudged) {
            seconds = 0;
            collecting = 0;
            late = 0;
            return "";
        }
        seconds += length.toNanos() / 1e9;
        collecting += gc.toNanos() / 1e9;
        late += stopped.toNanos() / 1e9;
        if (seconds < PATIENCE_SECONDS) {
            return "";
        }
        String why = collecting >= late
                ? "collections take " + Units.percent(Math.min(1, collecting / seconds)) + " of the time"
                : "everything stands still for " + Units.percent(Math.min(1, late / seconds)) + " of the time";
        if (!isSaid) {
            isSaid = true;
            lines.write(log -> log.warn("pools are not judged: {}", why));
        }
        return "pools are not judged: " + why;
    }
}
