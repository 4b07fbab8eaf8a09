package io.lifeguard.pool.tools.analyze;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.recording.FindingSpan;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.FindingChange;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A finding, and the time for which it stood. Immutable.
 *
 * @param finding as it was last found
 * @param from when it was first seen
 * @param until when it was over; empty when it stands at the recording's end
 */
public record RecordedFinding(Finding finding, Instant from, Optional<Instant> until) {

    /**
     * {@return those that Lifeguard raised in the program itself, and that are known to have stood, in the order in
     * which they began} What is no number is text in their evidence.
     */
    static List<RecordedFinding> of(List<Observation> recording) {
        List<FindingChange> changes = recording.stream()
                .filter(FindingChange.class::isInstance)
                .map(FindingChange.class::cast)
                .toList();
        return FindingSpan.of(changes).stream()
                .filter(span ->
                        span.latest().change() == Change.RAISED || span.latest().change() == Change.UPDATED)
                .map(span -> new RecordedFinding(
                        finding(span.latest()),
                        instant(span.fromNanos()),
                        span.end().map(change -> instant(change.startNanos()))))
                .toList();
    }

    private static Finding finding(FindingChange change) {
        Map<String, Object> evidence = new LinkedHashMap<>();
        change.evidence().forEach((name, value) -> evidence.put(name, value(value)));
        change.sizeLow().ifPresent(size -> evidence.put(Finding.SIZE_LOW, size));
        change.sizeHigh().ifPresent(size -> evidence.put(Finding.SIZE_HIGH, size));
        if (!change.stack().isEmpty()) {
            evidence.put("stack", change.stack());
        }
        return new Finding(
                change.id(),
                severity(change.severity()),
                change.pool(),
                change.summary(),
                change.advice(),
                evidence,
                change.recommendedSize(),
                instant(change.sinceNanos()));
    }

    /** Evidence is recorded as text, of which numbers are made again. */
    private static Object value(String text) {
        try {
            return text.indexOf('.') < 0 ? (Object) Long.parseLong(text) : Double.parseDouble(text);
        } catch (NumberFormatException ignored) { // a text, a duration, or a list
            return text;
        }
    }

    /** A later version may know other names. */
    private static Severity severity(String name) {
        return Arrays.stream(Severity.values())
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElse(Severity.WARNING);
    }

    private static Instant instant(long nanos) {
        return Instant.ofEpochSecond(0, nanos);
    }
}
