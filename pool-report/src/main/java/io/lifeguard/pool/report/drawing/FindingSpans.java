package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.FindingChange;
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

    /** {@return the columns of each finding, the earliest first} */
    List<Map<String, Object>> columns(Ticks ticks) {
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
        return spans.stream().map(span -> span.columns(ticks)).toList();
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

        Map<String, Object> columns(Ticks ticks) {
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
            columns.put("to", end == null ? null : ticks.of(end.startNanos()));
            columns.put("how", end == null ? "" : end.change() == Change.RESOLVED ? "all is well again" : end.why());
            return columns;
        }

        private static @Nullable Integer number(OptionalInt number) {
            return number.isPresent() ? number.getAsInt() : null;
        }
    }
}
