package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.Flow;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
     * @param windows those of the pool
     * @param callerRuns how long submitters ran tasks, by the begin of the window
     */
    List<Map<String, Object>> columns(Ticks ticks, List<WindowSummary> windows, Map<Long, Long> callerRuns) {
        changes.sort(Comparator.comparingLong(FindingChange::startNanos));
        List<Span> spans = new ArrayList<>();
        Map<String, Span> open = new HashMap<>();
        for (FindingChange change : changes) {
            Span span = open.get(change.id());
            if (span == null) {
                span = new Span(change);
                spans.add(span);
                open.put(change.id(), span);
            }
            span.follow(change);
            if (span.end != null) {
                open.remove(change.id());
            }
        }
        spans.sort(Comparator.comparingLong(span -> span.from));
        return spans.stream()
                .map(span -> span.columns(ticks, windows, callerRuns))
                .toList();
    }

    /** One finding from its first news to its last. */
    private static final class Span {
        private final long from;
        private FindingChange latest;
        private @Nullable FindingChange end;

        Span(FindingChange first) {
            this.from = Math.min(first.sinceNanos(), first.startNanos());
            this.latest = first;
        }

        /** The last news of a finding that stands tells most; those of its end may tell that all is well. */
        void follow(FindingChange change) {
            if (change.change() == Change.RESOLVED || change.change() == Change.ENDED) {
                end = change;
            } else {
                latest = change;
            }
        }

        Map<String, Object> columns(Ticks ticks, List<WindowSummary> windows, Map<Long, Long> callerRuns) {
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
            columns.put("since", from / 1_000_000);
            columns.put("from", ticks.of(from));
            columns.put("news", ticks.of(latest.startNanos()));
            columns.put("to", end == null ? null : ticks.of(end.startNanos()));
            columns.put("whole", whole(windows, callerRuns));
            columns.put("how", end == null ? "" : end.change() == Change.RESOLVED ? "all is well again" : end.why());
            return columns;
        }

        /** The news of a finding tell of one window or a few; these sums are over all windows in which it stood. */
        private Map<String, Object> whole(List<WindowSummary> windows, Map<Long, Long> callerRuns) {
            long to = end == null ? Long.MAX_VALUE : end.startNanos();
            long[] sums = new long[6]; // length, completed, failed, rejected, caller-runs, their time
            for (WindowSummary window : windows) {
                long middle = window.startNanos() + window.durationNanos() / 2;
                if (middle >= from && middle <= to && window.flow().isPresent()) {
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
            whole.put("callerRunSeconds", sums[5] / 1e9);
            return whole;
        }

        private static @Nullable Integer number(OptionalInt number) {
            return number.isPresent() ? number.getAsInt() : null;
        }
    }
}
