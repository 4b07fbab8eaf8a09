package io.lifeguard.pool.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command: what it prints and writes, and how it ends. */
class CorpusTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    @Test
    void run_list_namesWorkloads() {
        assertThat(corpus().run("--list")).isEqualTo(Corpus.OK);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("hash-on-too-many-threads");
    }

    @Test
    void run_nonsense_isWrongUsage() {
        assertThat(corpus().run("--fast")).isEqualTo(Corpus.WRONG_USAGE);
        assertThat(progress.toString(StandardCharsets.UTF_8)).contains("--fast");
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
