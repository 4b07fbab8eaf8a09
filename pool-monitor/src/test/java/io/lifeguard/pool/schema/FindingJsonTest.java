package io.lifeguard.pool.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** What programs ask of every finding has one name each. */
class FindingJsonTest {

    private static Finding finding(Map<String, Object> evidence) {
        return new Finding(
                "lock-contention", Severity.WARNING, "orders", "s", "a", evidence, OptionalInt.of(4), Instant.EPOCH);
    }

    @Test
    void of_evidenceOfARule_isRepeatedUnderCommonNames() {
        Map<String, Object> evidence = new LinkedHashMap<>();
        evidence.put("place", "Orders.load(Orders.java:42)");
        evidence.put("gainWithoutLock", 4.19);
        evidence.put("sizeLow", 3);
        evidence.put("sizeHigh", 6);
        evidence.put("standsStillFor", Duration.ofMillis(2500));

        assertThat(FindingJson.of(finding(evidence)))
                .containsEntry("severity", "warning")
                .containsEntry("certainty", "measured")
                .containsEntry("place", "Orders.load(Orders.java:42)")
                .containsEntry("gain", 4.19)
                .containsEntry("recommendedSize", 4)
                .containsEntry("sizeLow", 3)
                .containsEntry("sizeHigh", 6)
                .containsEntry("since", "1970-01-01T00:00:00Z")
                .extractingByKey("evidence")
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("standsStillForSeconds", new BigDecimal("2.5"));
    }

    @Test
    void of_evidenceThatSaysNoNumber_leavesItOut() {
        assertThat(FindingJson.of(finding(Map.of("gain", Double.NaN, "place", "", "sizeLow", "few"))))
                .doesNotContainKeys("gain", "place", "sizeLow", "sizeHigh");
    }
}
