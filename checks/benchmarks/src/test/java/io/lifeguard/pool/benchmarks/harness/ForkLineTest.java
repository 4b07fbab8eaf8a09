package io.lifeguard.pool.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.benchmarks.scenarios.Setup;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForkLineTest {
    @Test
    void find_amongOtherOutput_givesBackWhatWasWritten() {
        Map<String, String> values = Map.of("foreign", "0.03", "java", "17.0.1+2, x=y VM", "THROUGHPUT", "1.5E3");

        assertThat(ForkLine.find(List.of("a warning", ForkLine.write(values), "more")))
                .contains(values);
    }

    @Test
    void find_separatorInAValue_isReplaced() {
        String line = ForkLine.write(Map.of("java", "a|b"));

        assertThat(ForkLine.find(List.of(line))).contains(Map.of("java", "a/b"));
    }

    @Test
    void find_noSuchLine_isEmpty() {
        assertThat(ForkLine.find(List.of("Exception in thread main", ""))).isEmpty();
    }

    @Test
    void read_setup_isTheOneWritten() {
        Setup setup = new Setup(Duration.ofMillis(10), Duration.ofSeconds(2), 123.456, false, 100_000_000, -9);

        assertThat(SetupArguments.read(SetupArguments.write(setup))).isEqualTo(setup);
    }
}
