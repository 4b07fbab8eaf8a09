package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.recording.Observation.WindowSummary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Columns of figures of windows, one row per window. Not thread-safe.
 *
 * <p>Where windows leave a gap, an empty row stands for it, so that no line is drawn through time that was not seen.
 * The last row is empty too, at the end of the last window.
 */
final class WindowColumns {

    /** A gap of less than this share of a window is jitter. */
    private static final double JITTER = 0.5;

    private final List<@Nullable WindowSummary> rows = new ArrayList<>();
    private final List<Long> starts = new ArrayList<>();
    private final Map<String, Object> columns = new LinkedHashMap<>();

    /** Begins columns of windows that are ordered by time. */
    WindowColumns(List<WindowSummary> windows) {
        long end = Long.MAX_VALUE;
        for (WindowSummary window : windows) {
            if (window.startNanos() - (double) end > JITTER * window.durationNanos()) {
                addRow(null, end);
            }
            addRow(window, window.startNanos());
            end = window.endNanos();
        }
        if (!windows.isEmpty()) {
            addRow(null, end);
        }
    }

    private void addRow(@Nullable WindowSummary window, long start) {
        rows.add(window);
        starts.add(start);
    }

    /** Adds the column {@code t}: the ticks since the former row began. */
    void times(Ticks ticks) {
        columns.put("t", ticks.deltas(starts));
    }

    /** Adds a column of numbers; a value that is unknown is not a number. */
    void add(String name, ToDoubleFunction<WindowSummary> value) {
        columns.put(name, column(value));
    }

    double[] column(ToDoubleFunction<WindowSummary> value) {
        return rows.stream()
                .mapToDouble(window -> window == null ? Double.NaN : value.applyAsDouble(window))
                .toArray();
    }

    void put(String name, Object column) {
        columns.put(name, column);
    }

    Map<String, Object> byName() {
        return columns;
    }
}
