package io.lifeguard.pool.recording;

import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.FindingChange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One finding from its first news to its last. Immutable.
 *
 * @param fromNanos when it began, in nanoseconds since 1970: when it was first seen, as far as that is known
 * @param latest the last news while it stood, which tells most; news of its end where there is no other
 * @param end the news that it is over; empty while it stands
 */
public record FindingSpan(long fromNanos, FindingChange latest, Optional<FindingChange> end) {

    /**
     * Joins news of findings.
     *
     * @param changes in any order, of any pools
     * @return one span for each time that a finding stood, the earliest first
     */
    public static List<FindingSpan> of(Collection<FindingChange> changes) {
        List<FindingSpan> over = new ArrayList<>();
        Map<List<String>, FindingSpan> open = new HashMap<>();
        changes.stream()
                .sorted(Comparator.comparingLong(FindingChange::startNanos))
                .forEach(change -> {
                    List<String> key = List.of(change.pool(), change.id());
                    FindingSpan span = follow(open.remove(key), change);
                    if (span.end.isPresent()) {
                        over.add(span);
                    } else {
                        open.put(key, span);
                    }
                });
        over.addAll(open.values());
        over.sort(Comparator.comparingLong(FindingSpan::fromNanos));
        return over;
    }

    private static FindingSpan follow(@Nullable FindingSpan known, FindingChange change) {
        boolean isOver = change.change() == Change.RESOLVED || change.change() == Change.ENDED;
        return new FindingSpan(
                known == null ? Math.min(change.sinceNanos(), change.startNanos()) : known.fromNanos,
                isOver && known != null ? known.latest : change,
                isOver ? Optional.of(change) : Optional.empty());
    }
}
