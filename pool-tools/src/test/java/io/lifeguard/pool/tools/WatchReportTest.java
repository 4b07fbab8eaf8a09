package io.lifeguard.pool.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.tools.watch.Child;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The page that watch draws at its end. */
@EnabledOnOs(OS.LINUX)
class WatchReportTest {

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void run_withReportOfOneSecond_drawsThePoolsAndSaysThatItWasTooShort() throws Exception {
        Path page = directory.resolve("page.html");
        String process;
        try (Child child = Child.tell("idle")) {
            process = "process " + child.pid();
            assertThat(run("watch", "--once", "--seconds", "1", "--report", page.toString(), "" + child.pid()))
                    .as(err.toString(StandardCharsets.UTF_8))
                    .isEqualTo(ExitCode.COULD_NOT_LOOK);
        }
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("the watch was too short: it saw 1 window");
        assertThat(out.toString(StandardCharsets.UTF_8)).endsWith("Report: " + page + System.lineSeparator());
        assertThat(ReportCommandTest.recordingIn(page))
                .contains("\"idle\"", "idle-4")
                .containsPattern("\"title\":\"Story, " + process);
    }

    @Test
    void run_pageThatCannotBeWritten_saysSoAtOnce() throws Exception {
        Path page = directory.resolve("none").resolve("page.html");
        try (Child child = Child.tell("idle")) {
            assertThat(run("watch", "--report", page.toString(), "" + child.pid()))
                    .isEqualTo(ExitCode.COULD_NOT_LOOK);
        }
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("cannot write " + page + ": no such file or directory" + System.lineSeparator());
    }

    private int run(String... arguments) {
        return Lifeguard.run(
                InputStream.nullInputStream(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
    }
}
