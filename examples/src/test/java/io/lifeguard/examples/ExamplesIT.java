package io.lifeguard.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The examples as processes of their own: exit status, streams and signals. */
final class ExamplesIT {

    /** Seconds; on a busy machine a virtual machine may take long to start. */
    private static final long PATIENCE = 120;

    @TempDir
    Path directory;

    @Test
    void main_missingDirectory_exitsWithOneAndSaysWhy() throws Exception {
        Path missing = directory.resolve("missing");
        Process process = start("jar-audit", missing.toString());
        assertThat(process.waitFor(PATIENCE, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(text(process.getErrorStream())).contains("there is no directory " + missing);
        assertThat(text(process.getInputStream())).isEmpty();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void main_terminatedWhileAuditing_stopsCleanlyAndSaysSo() throws Exception {
        for (int i = 0; i < 100; i++) {
            try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(directory.resolve(i + ".jar")))) {
                zip.putNextEntry(new ZipEntry("entry"));
            }
        }
        Path log = directory.resolve("log");
        // Far longer than the test may take, so that it can only end by the signal.
        Process process = start(log, "jar-audit", "--catalogue-ms", "5000", "--workers", "2", directory.toString());
        try {
            Awaitility.await()
                    .atMost(PATIENCE, TimeUnit.SECONDS)
                    .until(() -> Files.readString(log).contains("audits, "));
            process.destroy();
            assertThat(process.waitFor(PATIENCE, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(128 + 15);
            assertThat(Files.readString(log)).endsWith(String.format("jar-audit: interrupted%n"));
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start(String... arguments) throws IOException {
        return builder(arguments).start();
    }

    private static Process start(Path log, String... arguments) throws IOException {
        return builder(arguments)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static ProcessBuilder builder(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Examples.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
}
