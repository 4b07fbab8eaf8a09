package io.lifeguard.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The program in the README logs what the README says. It runs in a JVM of its own, with the monitor of that JVM. */
final class OrdersIT {

    private static final Pattern NUMBER = Pattern.compile("\\d[\\d,.]*\\d|\\d");

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void program_run_logsTheLineInTheReadmeButForItsNumbers() throws Exception {
        String promised = Readme.block("");
        assertThat(firstWarning())
                .hasValueSatisfying(warning -> assertThat(form(warning)).isEqualTo(form(promised)));
    }

    private static Optional<String> firstWarning() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dfile.encoding=UTF-8",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Orders.class.getName())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader log = process.inputReader(StandardCharsets.UTF_8)) {
            return log.lines().filter(line -> line.startsWith("WARN")).findFirst();
        } finally {
            process.destroyForcibly();
        }
    }

    /** The same text on one line, with each number and each unit of time replaced. */
    private static String form(String logged) {
        String oneLine = logged.strip().replaceAll("\\s+", " ");
        return NUMBER.matcher(oneLine)
                .replaceAll("N")
                .replaceAll("N (?:ns|µs|ms|s)\\b", "N s")
                .replaceAll("N min N s", "N s");
    }
}
