package io.lifeguard.pool.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OptionsTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    @Test
    void parse_all_areTaken() throws UsageException {
        Options options = Options.parse(
                "--only",
                "a,b",
                "--quick",
                "--runs",
                "5",
                "--foreign-load",
                "2",
                "--no-sizing",
                "--window",
                "500",
                "--tolerate",
                "2");
        assertThat(options.tolerated()).isEqualTo(2);
        assertThat(options.only()).containsExactlyInAnyOrder("a", "b");
        assertThat(options.runs()).isEqualTo(5);
        assertThat(options.foreignLoad()).isEqualTo(2);
        assertThat(options.sizing()).isFalse();
        assertThat(options.findings()).isTrue();
        assertThat(options.length()).isEqualTo(Duration.ofMillis(3_500));
        assertThat(options.window()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void parse_nonsense_namesItAndItsValue() {
        assertThatThrownBy(() -> Options.parse("--runs", "none"))
                .hasMessageContaining("--runs")
                .hasMessageContaining("none");
        assertThatThrownBy(() -> Options.parse("--runs")).hasMessageContaining("needs a value");
        assertThatThrownBy(() -> Options.parse("--fast")).hasMessageContaining("--fast");
        assertThatThrownBy(() -> Options.parse("--sizing", "--no-sizing")).hasMessageContaining("nothing to do");
    }

    @Test
    void run_list_namesWorkloads() {
        assertThat(corpus().run("--list")).isEqualTo(Corpus.OK);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("hash-on-too-many-threads");
    }

    @Test
    void run_nonsense_isWrongUsage() {
        assertThat(corpus().run("--fast")).isEqualTo(Corpus.WRONG_USAGE);
    }

    @Test
    void run_oneHealthyWorkload_writesTheReport(@TempDir Path directory) {
        int status =
                corpus().run("--only", "idle-night", "--no-sizing", "--seconds", "1", "--out", directory.toString());
        assertThat(status).isEqualTo(Corpus.OK);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("idle-night").contains("in 0 of 1 healthy runs");
        assertThat(directory.resolve("corpus.md")).content().contains("Label against finding");
    }

    private Corpus corpus() {
        return new Corpus(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(progress, true, StandardCharsets.UTF_8));
    }
}
