package io.lifeguard.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** A terminal that keeps what is printed. As thread-safe as its streams. */
public final class RecordedTerminal {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Terminal terminal;

    private RecordedTerminal(Charset charset, boolean interactive) {
        terminal = new Terminal(
                new PrintStream(out, true, charset), new PrintStream(err, true, charset), charset, interactive);
    }

    public static RecordedTerminal plain() {
        return new RecordedTerminal(StandardCharsets.UTF_8, false);
    }

    public static RecordedTerminal interactive() {
        return new RecordedTerminal(StandardCharsets.UTF_8, true);
    }

    public static RecordedTerminal ascii() {
        return new RecordedTerminal(StandardCharsets.US_ASCII, false);
    }

    public Terminal terminal() {
        return terminal;
    }

    public String out() {
        return out.toString(terminal.charset());
    }

    public String err() {
        return err.toString(terminal.charset());
    }
}
