package io.lifeguard.examples.jaraudit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.examples.Command;
import io.lifeguard.examples.RecordedTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, on directories made for the test. */
final class JarAuditIT {

    @TempDir
    Path directory;

    private final RecordedTerminal terminal = RecordedTerminal.plain();

    @AfterEach
    void noThreadIsLeft() {
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(threads())
                        .noneMatch(name -> name.startsWith("audit-")
                                || name.startsWith("catalogue-")
                                || name.startsWith("HTTP-Dispatcher")
                                || name.equals("progress")));
    }

    @Test
    void run_goodAndBadJars_reportsAllAndEndsWell() throws IOException {
        for (int i = 0; i < 40; i++) {
            TestJars.goodWithChecksum(directory.resolve("org/good/" + i + "/good-" + i + ".jar"));
        }
        TestJars.good(directory.resolve("org/plain/plain.jar"));
        TestJars.truncate(TestJars.good(directory.resolve("org/cut/cut.jar")));
        TestJars.checksum(TestJars.good(directory.resolve("org/wrong/wrong.jar")), "0".repeat(40) + "  wrong.jar");
        TestJars.bomb(directory.resolve("org/bomb/bomb.jar"), 40_000_000);
        Files.createSymbolicLink(directory.resolve("org/gone.jar"), directory.resolve("nowhere"));
        Files.createSymbolicLink(directory.resolve("org/loop"), directory);

        assertThat(run("--rounds", "2", "--workers", "8", "--queue", "4", "--catalogue-ms", "3", directory.toString()))
                .isEqualTo(Command.OK);

        assertThat(terminal.out())
                .contains(
                        "Audited 45 jars in ",
                        "Checksums of the jars: 40 right, 1 wrong, 3 without a .sha1 file, 1 unreadable")
                .contains("Bad jars: 4")
                .contains(
                        line("org/bomb/bomb.jar"),
                        line("zip bomb: inflates to more than 100 times its length"),
                        line("org/cut/cut.jar"),
                        line("org/gone.jar"),
                        line("unreadable: a symbolic link that leads nowhere"),
                        line("org/wrong/wrong.jar"))
                .doesNotContain(line("org/plain/plain.jar"))
                .containsPattern("round 1 +\\d+\\.\\d\\d s +\\d+\\.\\d\\d s +\\d+\\.\\d\\d")
                .containsPattern("shorter +\\d+\\.\\d\\d s +\\d+\\.\\d\\d s +\\d+\\.\\d\\d")
                .contains("The sample is too small for the ratio to mean anything")
                .containsPattern("\\RReport: .*jar-audit-3-ms\\.html\\R$");
        assertThat(terminal.err()).contains("warm-up", "caller-runs, 3 ms, round 1", "waiting, 3 ms, round 2");
    }

    @Test
    void run_jarsThatFitIntoThePool_saysThatTheRatioMeansNothing() throws IOException {
        TestJars.goodWithChecksum(directory.resolve("a.jar"));
        assertThat(run("--rounds=1", "--catalogue-ms=1", directory.toString())).isEqualTo(Command.OK);
        assertThat(terminal.out())
                .contains("Bad jars: none")
                .contains("The ratio means nothing: 1 audit fits into 16 workers and 8 places in the queue");
    }

    @Test
    void run_limit_auditsASampleAndSaysSo() throws IOException {
        for (int i = 0; i < 10; i++) {
            TestJars.good(directory.resolve(i + ".jar"));
        }
        assertThat(run("--limit=5", "--rounds=1", "--catalogue-ms=0,1", directory.toString()))
                .isEqualTo(Command.OK);
        assertThat(terminal.out())
                .contains("Audited 5 jars in ", "of the 10 jars there")
                .contains("Catalogue answers in about 0 ms", "Catalogue answers in about 1 ms");
    }

    @Test
    void run_directoryWithoutJars_fails() throws IOException {
        Files.createDirectory(directory.resolve("x.jar"));
        assertThat(run(directory.toString())).isEqualTo(Command.FAILED);
        assertThat(terminal.err()).contains("there are no jars in " + directory);
        assertThat(terminal.out()).isEmpty();
    }

    @Test
    void run_file_fails() throws IOException {
        Path file = TestJars.good(directory.resolve("a.jar"));
        assertThat(run(file.toString())).isEqualTo(Command.FAILED);
        assertThat(terminal.err()).contains(file + " is not a directory");
    }

    @Test
    void run_wrongArgument_isNamedWithItsValue() {
        assertThat(run("--workers", "0")).isEqualTo(Command.USAGE);
        assertThat(terminal.err()).contains("--workers must be a whole number from 1 to 1000 (was \"0\")", "--help");
    }

    @Test
    void run_help_namesEveryOption() {
        assertThat(run("--help")).isEqualTo(Command.OK);
        assertThat(terminal.out())
                .contains("--workers", "--queue", "--limit", "--catalogue-ms", "--rounds", "--help", "Exit status");
    }

    /** Interrupts the dispatcher while it runs a task or waits for room: no jar is done for seconds. */
    @Test
    void run_interrupted_stopsSoon() throws Exception {
        for (int i = 0; i < 20; i++) {
            TestJars.good(directory.resolve(i + ".jar"));
        }
        CompletableFuture<Integer> status = new CompletableFuture<>();
        Thread dispatcher = new Thread(
                () -> status.complete(run("--workers=2", "--queue=2", "--catalogue-ms=10000", directory.toString())));
        dispatcher.start();
        Awaitility.await()
                .until(() ->
                        threads().filter(name -> name.startsWith("catalogue-")).count() >= 2);
        dispatcher.interrupt();
        assertThat(status.get(20, TimeUnit.SECONDS)).isEqualTo(Command.INTERRUPTED);
        assertThat(terminal.err()).endsWith(String.format("jar-audit: interrupted%n"));
        dispatcher.join(Duration.ofSeconds(10).toMillis());
    }

    private int run(String... arguments) {
        return new JarAuditCommand().run(List.of(arguments), terminal.terminal());
    }

    private static String line(String text) {
        return " " + text + System.lineSeparator();
    }

    private static Stream<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName);
    }
}
