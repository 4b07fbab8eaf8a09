package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.FindingEvent.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Who is not looking hears of changes, and not of numbers. */
class FindingEventsTest {

    private final List<FindingEvent> heard = new ArrayList<>();
    private final FindingListener listener = FindingListener.ofEvents(heard::add);

    private static Finding finding(Severity severity, OptionalInt size, Object... evidence) {
        Map<String, Object> all = new LinkedHashMap<>();
        for (int i = 0; i < evidence.length; i += 2) {
            all.put((String) evidence[i], evidence[i + 1]);
        }
        return new Finding("lock-contention", severity, "orders", "s", "a", all, size, Instant.EPOCH);
    }

    private static Finding warning(Object... evidence) {
        return finding(Severity.WARNING, OptionalInt.empty(), evidence);
    }

    @Test
    void updated_newNumbersOnly_isNoEvent() {
        listener.raised(warning("waitingWorkers", 7.0));
        listener.updated(warning("waitingWorkers", 6.0));

        assertThat(heard).extracting(FindingEvent::kind).containsExactly(Kind.FOUND);
    }

    @Test
    void updated_severityPlaceOrSize_isAChange() {
        listener.raised(warning());
        listener.escalated(finding(Severity.CRITICAL, OptionalInt.empty()));
        listener.updated(finding(Severity.CRITICAL, OptionalInt.empty(), "place", "Orders.load(Orders.java:1)"));
        listener.updated(finding(Severity.CRITICAL, OptionalInt.of(4), "place", "Orders.load(Orders.java:1)"));
        listener.updated(finding(Severity.CRITICAL, OptionalInt.of(4), "place", "Orders.load(Orders.java:1)"));

        assertThat(heard)
                .extracting(FindingEvent::why)
                .containsExactly("", "severity warning to critical", "another place", "another recommended size");
    }

    @Test
    void updated_notChecked_isUnknownOnceAndStillStands() {
        listener.raised(warning());
        listener.updated(warning(FindingLife.NOT_CHECKED, Duration.ofMinutes(1)));
        listener.updated(warning(FindingLife.NOT_CHECKED, Duration.ofMinutes(2)));
        listener.updated(warning());

        assertThat(heard).extracting(FindingEvent::kind).containsExactly(Kind.FOUND, Kind.UNKNOWN, Kind.CHANGED);
        assertThat(heard).allMatch(FindingEvent::stands);
        assertThat(heard.get(2).why()).isEqualTo("it can be checked again");
    }

    @Test
    void resolvedAndEnded_areNotTheSame() {
        listener.raised(warning());
        listener.resolved(warning());
        listener.raised(warning());
        listener.ended(warning(), "the pool has ended");

        assertThat(heard)
                .extracting(FindingEvent::kind)
                .containsExactly(Kind.FOUND, Kind.RESOLVED, Kind.FOUND, Kind.UNKNOWN);
        assertThat(heard).extracting(FindingEvent::stands).containsExactly(true, false, true, false);
        assertThat(heard.get(3).why()).isEqualTo("the pool has ended");
    }

    /** Otherwise somebody who comes late would hear of its end only. */
    @Test
    void updated_raisedBeforeTheListenerCame_isFound() {
        listener.updated(warning());

        assertThat(heard).extracting(FindingEvent::kind).containsExactly(Kind.FOUND);
    }
}
