package io.lifeguard.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

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

    static Stream<String> catalogue() {
        return Clinic.SICKNESSES.keySet().stream().sorted();
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
