package io.lifeguard.pool.jfr;

import io.lifeguard.pool.recording.EventType;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Reads from a recording's settings how long tasks must run to be recorded. Stateless. */
final class TaskThreshold {

    /** What holds where a recording says nothing: twenty milliseconds. */
    static final String USUAL = "20 ms";

    private static final Map<String, TimeUnit> UNITS = Map.of(
            "ns", TimeUnit.NANOSECONDS,
            "us", TimeUnit.MICROSECONDS,
            "ms", TimeUnit.MILLISECONDS,
            "s", TimeUnit.SECONDS,
            "m", TimeUnit.MINUTES,
            "h", TimeUnit.HOURS,
            "d", TimeUnit.DAYS);

    private TaskThreshold() {}

    /**
     * {@return the threshold in nanoseconds; 0 where it is not understood, because the flight recorder itself leaves
     * out what is too short; {@link Long#MAX_VALUE} where the events are switched off}
     *
     * @param settings a recording's settings, by {@code <event>#<setting>}
     */
    static long nanos(Map<String, String> settings) {
        String task = EventType.TASK.eventName();
        if ("false".equals(settings.get(task + "#enabled"))) {
            return Long.MAX_VALUE;
        }
        return parsed(settings.getOrDefault(task + "#threshold", USUAL)).orElse(0L);
    }

    private static Optional<Long> parsed(String text) {
        String[] parts = text.trim().split("\\s+", 2);
        if (parts.length < 2) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(UNITS.get(parts[1])).map(unit -> unit.toNanos(Long.parseLong(parts[0])));
        } catch (NumberFormatException ignored) { // the flight recorder says so, and uses its own default
            return Optional.empty();
        }
    }
}
