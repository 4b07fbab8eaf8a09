package io.lifeguard.pool.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.tools.watch.Child;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Where the output of watch goes. */
@EnabledOnOs(OS.LINUX)
class WatchOutputTest {

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void run_readerOfTheOutputHasEnded_endsAndSaysSo() throws Exception {
        try (Child child = Child.tell("idle");
                PrintStream out = new PrintStream(new BrokenPipe(), true, StandardCharsets.UTF_8);
                PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            // the limit ends the test where the watch does not end by itself, and then the exit code is another one
            assertThat(Lifeguard.run(
                            InputStream.nullInputStream(), out, errors, "watch", "--seconds", "20", "" + child.pid()))
                    .isEqualTo(ExitCode.COULD_NOT_LOOK);
        }
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("the output can no longer be written");
    }

    /** As an uncaught error it would end the JVM with 1, which means that there were findings. */
    @Test
    void run_memoryIsFull_saysSoAndIsNoFinding() throws Exception {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) {
                throw new OutOfMemoryError("Java heap space");
            }
        };
        PrintStream out = new PrintStream(full, true, StandardCharsets.UTF_8);
        try (Child child = Child.tell("idle");
                PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            assertThat(Lifeguard.run(
                            InputStream.nullInputStream(), out, errors, "watch", "--seconds", "20", "" + child.pid()))
                    .isEqualTo(ExitCode.COULD_NOT_LOOK);
        }
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("The memory of this command is full (Java heap space).");
    }

    /** Otherwise a pipe shows the first second only, while nothing is found. */
    @Test
    void run_limitedAndNoTerminal_printsATableAtTheEndToo() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Child child = Child.tell("idle");
                PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
                PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            Lifeguard.run(InputStream.nullInputStream(), out, errors, "watch", "--seconds", "10", "" + child.pid());
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines().filter(line -> line.startsWith("pool ")))
                .hasSize(2);
    }

    /** A program that reads the output gets a document in any case. */
    @Test
    void run_processIsGone_jsonSaysWhy() throws Exception {
        long pid;
        try (Child child = Child.tell("idle")) {
            pid = child.pid();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
                PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            assertThat(Lifeguard.run(InputStream.nullInputStream(), out, errors, "watch", "--json", "" + pid))
                    .isEqualTo(ExitCode.COULD_NOT_LOOK);
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .startsWith("{")
                .contains("\"pid\":" + pid, "\"pools\":[]", "\"notLookedAt\":[{", "there is no process " + pid);
    }

    private static final class BrokenPipe extends OutputStream {

        @Override
        public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
        }
    }
}
