package io.lifeguard.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every sickness of the catalogue, begun and cured over HTTP, is seen in the log, in the endpoint, in Prometheus' text
 * and in the health.
 */
@Tag("sick")
class SicknessIT {

    /** Where it is written which were missed, with commas between them, as {@code sick.only} takes them. */
    private static final Path MISSED =
            Path.of(System.getProperty("app.jar", "target/spring-boot-app.jar")).resolveSibling("missed-sicknesses");

    private static final Set<String> MISSED_NOW = new TreeSet<>();
    private static Clinic clinic;

    @BeforeAll
    static void open() throws IOException {
        Files.deleteIfExists(MISSED);
        MISSED_NOW.clear();
        clinic = Clinic.open("sickness");
    }

    @AfterAll
    static void close() throws IOException {
        Files.writeString(MISSED, String.join(",", MISSED_NOW));
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
        MISSED_NOW.add(id);
        try {
            clinic.infect(id);
        } finally {
            clinic.cure(id);
        }
        MISSED_NOW.remove(id);
    }
}
