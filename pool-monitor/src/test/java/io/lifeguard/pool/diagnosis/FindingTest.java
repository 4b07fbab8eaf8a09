package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What programs ask of every finding has a method, whatever the rule calls it in the evidence. */
class FindingTest {

    private static Finding finding(Map<String, Object> evidence) {
        return new Finding("i", Severity.INFO, "p", "s", "a", evidence, OptionalInt.empty(), Instant.EPOCH);
    }

    @Test
    void parts_ofEvidence_areTyped() {
        Finding finding = finding(Map.of(
                "place",
                "Orders.load(Orders.java:42)",
                "gainWithoutLock",
                4.5f,
                "sizeLow",
                3,
                "sizeHigh",
                6,
                "stack",
                List.of("waiter"),
                "ownerStack",
                List.of("holder")));

        assertThat(finding.place()).contains("Orders.load(Orders.java:42)");
        assertThat(finding.gain()).hasValue(4.5);
        assertThat(finding.sizeLow()).hasValue(3);
        assertThat(finding.sizeHigh()).hasValue(6);
        assertThat(finding.stack()).containsExactly("holder");
    }

    @Test
    void parts_ofEvidenceOfAnotherType_areEmpty() {
        Finding finding = finding(Map.of("place", "", "gain", Double.NaN, "sizeLow", "few", "stack", "none"));

        assertThat(finding.place()).isEmpty();
        assertThat(finding.gain()).isEmpty();
        assertThat(finding.sizeLow()).isEmpty();
        assertThat(finding.sizeHigh()).isEmpty();
        assertThat(finding.stack()).isEmpty();
    }
}
