package io.lifeguard.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every sickness of the catalogue, begun and cured over HTTP, is seen in the log, in the endpoint, in Prometheus' text and in the health. */
@Tag("sick")
class SicknessIT {

    private static Clinic clinic;

    @BeforeAll
    static void open() {
        clinic = Clinic.open("sickness");
    }

    @AfterAll
    static void close() {
        clinic.close();
    }

    /** All of them, or those that {@code sick.only} names. */
    static Stream<String> catalogue() {
        List<String> only = Stream.of(System.getProperty("sick.only", "").split(","))
                .filter(id -> !id.isBlank())
                .toList();
        assertThat(Clinic.SICKNESSES.keySet()).containsAll(only);
        return Clinic.SICKNESSES.keySet().stream()
                .filter(id -> only.isEmpty() || only.contains(id))
                .sorted();
    }

    @ParameterizedTest
    @MethodSource("catalogue")
    void sickness_begunAndCured_isSeenEverywhere(String id) {
        if (id.equals("cpu-throttled") && !clinic.canBeThrottled()) {
            assertThat(clinic.application().post("/sickness/" + id, "").statusCode())
                    .as("no control group can be made here, and that is said")
                    .isEqualTo(501);
            return;
        }
        try {
            clinic.infect(id);
        } finally {
            clinic.cure(id);
        }
    }
}
