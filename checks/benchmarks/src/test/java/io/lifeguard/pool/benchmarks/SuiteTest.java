package io.lifeguard.pool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    @Test
    void run_help_explainsAndSucceeds() {
        assertThat(run("--help")).isEqualTo(Suite.OK);
        assertThat(text(out)).contains("--quick", "--scenario", "--rival", "--rounds", "--out");
    }

    @Test
    void run_list_namesEverything() {
        assertThat(run("--list")).isEqualTo(Suite.OK);
        assertThat(text(out)).contains("bounded-1us", "wake-up", "tpe-lbq", "dropwizard");
    }

    @Test
    void run_unknownOption_saysSoInOneLine() {
        assertThat(run("--fast")).isEqualTo(Suite.WRONG_USAGE);
        assertThat(text(progress)).isEqualTo("unknown option '--fast' (try --help)\n");
    }

    @Test
    void run_noSuchJava_saysSo(@TempDir Path directory) {
        int exit = run("--java", "no-such-java", "--out", directory.toString());

        assertThat(exit).isEqualTo(Suite.FAILED);
        assertThat(text(progress)).contains("cannot run fork 'calibrate'", "no-such-java");
    }

    @Test
    void run_outIsAFile_saysSoBeforeMeasuring(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");

        assertThat(run("--out", file.toString())).isEqualTo(Suite.FAILED);
        assertThat(text(progress)).contains("cannot create the directory", "--out");
    }

    /** The whole way once, with real forks. */
    @Tag("slow")
    @Test
    void run_oneScenario_writesTheTables(@TempDir Path directory) throws IOException {
        int exit = run(
                "--quick",
                "--rounds",
                "1",
                "--scenario",
                "bounded-1us",
                "--rival",
                "tpe-abq",
                "--out",
                directory.toString());

        assertThat(exit).isEqualTo(Suite.OK);
        Path table =
                directory.resolve("quick-java%d.md".formatted(Runtime.version().feature()));
        assertThat(Files.readString(table))
                .contains("## bounded-1us", "tpe-abq")
                .isEqualTo(text(out));
        Path raw =
                directory.resolve("quick-java%d.csv".formatted(Runtime.version().feature()));
        assertThat(Files.readAllLines(raw)).hasSize(1 + 2 * 4);
    }

    @Test
    void run_appendToSomethingElse_saysSoBeforeMeasuring(@TempDir Path directory) throws IOException {
        Path raw =
                directory.resolve("quick-java%d.csv".formatted(Runtime.version().feature()));
        Files.writeString(raw, "not ours");

        assertThat(run("--quick", "--append", "--out", directory.toString())).isEqualTo(Suite.WRONG_USAGE);
        assertThat(text(progress)).contains("--append");
        assertThat(raw).hasContent("not ours");
    }

    private int run(String... arguments) {
        return new Suite(print(out), print(progress)).run(arguments);
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
