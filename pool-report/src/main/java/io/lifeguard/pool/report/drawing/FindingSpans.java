package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.recording.FindingSpan;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.Flow;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Joins the news of a pool's findings to the times over which findings stood. Not thread-safe. */
final class FindingSpans {

    private final List<FindingChange> changes = new ArrayList<>();

    void add(FindingChange change) {
        changes.add(change);
    }

    /**
     * {@return the columns of each finding, the earliest first}
     *
     * @param callerRuns how long submitters ran tasks, by the begin of the window
     * @param submitters how many did
     */
    List<Map<String, Object>> columns(
            Ticks ticks, List<WindowSummary> windows, Map<Long, Long> callerRuns, int submitters) {
        return FindingSpan.of(changes).stream()
                .map(span -> columns(span, ticks, windows, callerRuns, submitters))
                .toList();
    }

    private static Map<String, Object> columns(
            FindingSpan span, Ticks ticks, List<WindowSummary> windows, Map<Long, Long> callerRuns, int submitters) {
        FindingChange latest = span.latest();
        FindingChange end = span.end().orElse(null);
        Map<String, Object> columns = new LinkedHashMap<>();
        columns.put("id", latest.id());
        columns.put("severity", latest.severity());
        columns.put("summary", latest.summary());
        columns.put("advice", latest.advice());
        columns.put(
                "evidence",
                latest.evidence().entrySet().stream()
                        .map(entry -> List.of(entry.getKey(), entry.getValue()))
                        .toList());
        columns.put("stack", latest.stack());
        columns.put("holder", latest.holder());
        columns.put("size", number(latest.recommendedSize()));
        columns.put("low", number(latest.sizeLow()));
        columns.put("high", number(latest.sizeHigh()));
        columns.put("since", span.fromNanos() / 1_000_000);
        columns.put("from", ticks.of(span.fromNanos()));
        columns.put("news", ticks.of(latest.startNanos()));
        columns.put("to", end == null ? null : ticks.of(end.startNanos()));
        columns.put("whole", whole(span, windows, callerRuns, submitters));
        columns.put("how", end == null ? "" : end.change() == Change.RESOLVED ? "all is well again" : end.why());
        return columns;
    }

    /** The news of a finding tell of one window or a few; these sums are over all windows in which it stood. */
    private static Map<String, Object> whole(
            FindingSpan span, List<WindowSummary> windows, Map<Long, Long> callerRuns, int submitters) {
        long to = span.end().map(FindingChange::startNanos).orElse(Long.MAX_VALUE);
        long[] sums = new long[6]; // length, completed, failed, rejected, caller-runs, their time
        for (WindowSummary window : windows) {
            long middle = window.startNanos() + window.durationNanos() / 2;
            if (middle >= span.fromNanos() && middle <= to && window.flow().isPresent()) {
                Flow flow = window.flow().get();
                sums[0] += window.durationNanos();
                sums[1] += flow.completed();
                sums[2] += flow.failed();
                sums[3] += flow.rejected();
                sums[4] += flow.callerRuns();
                sums[5] += callerRuns.getOrDefault(window.startNanos(), 0L);
            }
        }
        Map<String, Object> whole = new LinkedHashMap<>();
        whole.put("seconds", sums[0] / 1e9);
        whole.put("completed", sums[1]);
        whole.put("failed", sums[2]);
        whole.put("rejected", sums[3]);
        whole.put("callerRuns", sums[4]);
        // tasks are counted at their end, and may have begun before
        whole.put("callerRunSeconds", Math.min(sums[5], sums[0] * submitters) / 1e9);
        return whole;
    }

    private static @Nullable Integer number(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : null;
    }
}
