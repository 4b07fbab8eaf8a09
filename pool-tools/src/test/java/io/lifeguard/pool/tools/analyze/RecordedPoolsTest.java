package io.lifeguard.pool.tools.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.Load;
import io.lifeguard.pool.recording.Observation.Process;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The table says which pools of a recording were not seen entirely. */
class RecordedPoolsTest {

    private static Observation window(int second, String pool, String blind) {
        return new WindowSummary(
                second * 1_000_000_000L,
                1_000_000_000L,
                pool,
                new Load(2, 2, OptionalInt.of(2), OptionalInt.of(2), OptionalInt.of(0), OptionalInt.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                "NONE",
                new Process(
                        2, OptionalDouble.empty(), OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty()),
                Optional.empty(),
                blind);
    }

    @Test
    void table_mostWindowsAreBlind_saysWhyInALineOfTheirPool() {
        List<String> lines = RecordedPools.table(
                "a.jfr",
                List.of(
                        window(1, "mails", ""),
                        window(2, "mails", "its threads may be any of 'x'"),
                        window(3, "mails", "its threads may be any of 'y'"),
                        window(1, "orders", ""),
                        window(2, "orders", "everything stood still")));

        assertThat(lines)
                .hasSize(5)
                .last()
                .isEqualTo("  not all of 'mails' is known, because its threads may be any of 'y'");
    }

    /** A pool that has ended before the recording did has no workers in its last window. */
    @Test
    void json_severalPools_areThoseOfTheTable() {
        List<Map<String, Object>> pools = RecordedPools.json(
                List.of(window(1, "orders", ""), window(2, "orders", ""), window(1, "mails", "not found")));

        assertThat(pools)
                .containsExactly(
                        Map.of(
                                "name",
                                "mails",
                                "kind",
                                "watched",
                                "judged",
                                true,
                                "blind",
                                "not found",
                                "threads",
                                2,
                                "window",
                                Map.of("lengthSeconds", 1.0, "doing", Map.of(), "limit", "none")),
                        Map.of(
                                "name",
                                "orders",
                                "kind",
                                "watched",
                                "judged",
                                true,
                                "threads",
                                2,
                                "window",
                                Map.of("lengthSeconds", 2.0, "doing", Map.of(), "limit", "none")));
    }
}
