package io.lifeguard.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TerminalTest {

    @Test
    void print_charsetThatCan_keepsTheText() {
        RecordedTerminal terminal = RecordedTerminal.plain();
        terminal.terminal().print("5 µs …");
        assertThat(terminal.out()).isEqualTo("5 µs …");
    }

    @Test
    void print_charsetThatCannot_spellsInAscii() {
        RecordedTerminal terminal = RecordedTerminal.ascii();
        terminal.terminal().print("5 µs …");
        assertThat(terminal.out()).isEqualTo("5 us ...");
    }
}
