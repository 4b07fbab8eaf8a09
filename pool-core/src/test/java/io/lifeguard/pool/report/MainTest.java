package io.lifeguard.pool.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private InputStream in = InputStream.nullInputStream();
    private String file;

    @BeforeEach
    void writeDump() throws IOException {
        file = directory.resolve("dump.txt").toString();
        Files.writeString(Path.of(file), ThreadDumpsTest.text("jdk8.txt"));
    }

    @Test
    void run_file_printsWhatThreadsDo() {
        assertThat(run("dumps", file)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("blocked on monitor", "held by \"orders-1\"");
        assertThat(err.size()).isZero();
    }

    @Test
    void run_nameOrPool_filters() {
        assertThat(run("dumps", "--name", "s-1$", "--top", "3", file)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("1.0 threads in each", "waiting for io")
                .doesNotContain("blocked on");
        out.reset();
        assertThat(run("dumps", "--pool", "orders", file)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("2.0 threads in each");
    }

    @Test
    void run_nameAndPool_areRefusedTogether() {
        assertThat(run("dumps", "--name", "a", "--pool", "b", file)).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("--name and --pool exclude each other");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--pool Sick:16", "--name ^nobody$"})
    void run_nameThatNoThreadHas_saysWhichThereAre(String option) {
        assertThat(run(("dumps " + option).split(" "), file)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("0.0 threads in each")
                .contains(option.substring(option.indexOf(' ') + 1))
                .endsWith("names that --pool would find, most threads first:\n  orders\n");
    }

    @Test
    void run_nothing_printsTheUsageAlone() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("usage: dumps");
    }

    @Test
    void run_unreadableFile_failsAndReadsTheOthers() {
        assertThat(run("dumps", directory.resolve("none").toString(), directory.toString(), file))
                .isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("1 dump, 2.0 threads");
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("none: no such file")
                .contains("cannot read " + directory + ":");
    }

    @Test
    void run_fileWithoutDump_fails() throws IOException {
        Path other = Files.writeString(directory.resolve("other.txt"), "nothing\n");

        assertThat(run("dumps", other.toString())).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("other.txt:1: no thread dump in it");
    }

    @Test
    void run_oneFileOfTwoWithoutDump_failsAndReadsTheOther() throws IOException {
        Path other = Files.writeString(directory.resolve("other.txt"), "nothing\n");

        assertThat(run("dumps", other.toString(), file)).isEqualTo(1);
        assertThat(run("dumps", file, other.toString())).isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("1 dump, 2.0 threads");
    }

    /** To {@code jcmd} it means all JVMs. */
    @Test
    void run_processZero_isNone() {
        assertThat(run("dumps", "0")).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("cannot read 0: no such file");
        assertThat(out.size()).isZero();
    }

    @Test
    void run_dash_readsTheStandardInput() throws IOException {
        in = new ByteArrayInputStream(Files.readAllBytes(Path.of(file)));

        assertThat(run("dumps", "-", file)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("2 dumps, 2.0 threads");
    }

    @Test
    void run_process_takesItsDump() {
        long here = ProcessHandle.current().pid();

        assertThat(run("dumps", "--name", "^" + Thread.currentThread().getName() + "$", "" + here))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("1 dump, 1.0 threads", "io.lifeguard.pool.report.");
    }

    @Test
    void run_noSuchProcess_failsAndSaysSo() {
        assertThat(run("dumps", "999999999999")).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("cannot read 999999999999", "is it a running JVM");
    }

    @Test
    void run_help_prints() {
        assertThat(run("dumps", "--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("usage: dumps", "--name PATTERN", "--top N");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "other",
                "dumps",
                "dumps --top",
                "dumps --top 0 x",
                "dumps --top x x",
                "dumps --name [ x",
                "dumps --what x"
            })
    void run_wrongArguments_saysWhich(String arguments) {
        assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" ")))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("usage: dumps");
        assertThat(out.size()).isZero();
    }

    private int run(String[] first, String last) {
        String[] all = Arrays.copyOf(first, first.length + 1);
        all[first.length] = last;
        return run(all);
    }

    private int run(String... arguments) {
        return Main.run(in, new PrintStream(out, true), new PrintStream(err, true), arguments);
    }
}
