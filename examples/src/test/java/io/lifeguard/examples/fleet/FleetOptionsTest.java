package io.lifeguard.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.examples.Command;
import io.lifeguard.examples.RecordedTerminal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FleetOptionsTest {

    @Test
    void parse_nothing_isHealthy() {
        assertThat(FleetOptions.parse(List.of())).isEqualTo(new FleetOptions(9401, List.of(), 1, "1.0.0", false));
    }

    @Test
    void parse_all_inBothForms() {
        assertThat(FleetOptions.parse(
                        List.of("--port", "0", "--haste=4", "--release=2.1", "--sickness", "stuck,overfed")))
                .isEqualTo(new FleetOptions(0, List.of(Sickness.STUCK, Sickness.OVERFED), 4, "2.1", false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--port=70000 | --port must be a whole number from 0 to 65535 (was \"70000\")",
                "--haste=x    | --haste must be a whole number from 1 to 10 (was \"x\")",
                "--sickness=flu | --sickness must be one of caller-runs, stuck, overfed, oversized, full (was \"flu\")",
                "--sickness   | --sickness needs a value",
                "--nonsense   | there is no option \"--nonsense\"",
            })
    void run_argumentThatMakesNoSense_isNamedWithItsValue(String argument, String complaint) {
        RecordedTerminal terminal = RecordedTerminal.plain();
        assertThat(new FleetMember().run(List.of(argument), terminal.terminal()))
                .isEqualTo(Command.USAGE);
        assertThat(terminal.err()).isEqualTo(String.format("fleet-member: %s%nTry: fleet-member --help%n", complaint));
    }

    @Test
    void run_help_namesEverySickness() {
        RecordedTerminal terminal = RecordedTerminal.plain();
        assertThat(new FleetMember().run(List.of("--help"), terminal.terminal()))
                .isEqualTo(Command.OK);
        for (Sickness sickness : Sickness.values()) {
            assertThat(terminal.out()).contains(sickness.id(), sickness.pool(), sickness.summary());
        }
    }
}
