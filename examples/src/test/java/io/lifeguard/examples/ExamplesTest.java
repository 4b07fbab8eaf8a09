package io.lifeguard.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExamplesTest {

    private final RecordedTerminal terminal = RecordedTerminal.plain();

    @Test
    void run_noArguments_printsTheUsageAsAnError() {
        assertThat(run()).isEqualTo(Command.USAGE);
        assertThat(terminal.err()).startsWith("Usage: ").contains("jar-audit");
        assertThat(terminal.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "help"})
    void run_help_printsTheUsage(String argument) {
        assertThat(run(argument)).isEqualTo(Command.OK);
        assertThat(terminal.out()).startsWith("Usage: ").contains("jar-audit");
    }

    @Test
    void run_unknownCommand_isNamed() {
        assertThat(run("jar\u001baudit")).isEqualTo(Command.USAGE);
        assertThat(terminal.err()).startsWith("There is no example named \"jar?audit\".");
    }

    @Test
    void run_command_getsTheOtherArguments() {
        assertThat(run("jar-audit", "--help")).isEqualTo(Command.OK);
        assertThat(terminal.out()).contains("--catalogue-ms");
    }

    private int run(String... arguments) {
        return Examples.run(List.of(arguments), terminal.terminal());
    }
}
