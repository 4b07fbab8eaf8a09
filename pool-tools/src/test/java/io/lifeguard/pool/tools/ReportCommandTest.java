package io.lifeguard.pool.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.tools.recording.RecordingReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import jdk.jfr.Recording;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void run_blackBox_drawsItsPools() throws Exception {
        Path recording = blackBox("orders", "one.jfr");
        Path page = directory.resolve("page.html");

        assertThat(run("report", recording.toString(), "-o", page.toString())).isEqualTo(ExitCode.HEALTHY);

        assertThat(out()).isEqualTo("Report: " + page + System.lineSeparator());
        assertThat(recordingIn(page)).contains("\"orders\"");
        assertThat(err()).isEmpty();
    }

    @Test
    void run_flightRecording_namesItsProcess() throws Exception {
        Path file = directory.resolve("flight.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.JVMInformation");
            recording.start();
            InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("named")
                    .size(1)
                    .queueCapacity(4)
                    .build();
            try {
                pool.execute(() -> {}); // while a flight recording runs, the monitor starts with the first task
                Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
                    recording.dump(file);
                    return !RecordingReader.read(file).isEmpty();
                });
            } finally {
                pool.shutdown();
            }
        }
        Path page = directory.resolve("page.html");

        assertThat(run("report", file.toString(), "-o", page.toString())).isEqualTo(ExitCode.HEALTHY);

        assertThat(recordingIn(page))
                .contains("process " + ProcessHandle.current().pid(), ": flight.jfr\"");
    }

    @Test
    void run_twoRecordings_drawsBoth() throws Exception {
        Path before = blackBox("orders", "before.jfr");
        Path after = blackBox("mails", "after.jfr");
        Path page = directory.resolve("page.html");

        assertThat(run("report", "--output", page.toString(), before.toString(), after.toString()))
                .isEqualTo(ExitCode.HEALTHY);

        assertThat(recordingIn(page)).contains("\"before.jfr\"", "\"after.jfr\"", "\"orders\"", "\"mails\"");
    }

    @Test
    void run_pageIsTheRecording_leavesItAlone() throws Exception {
        Path recording = blackBox("orders", "one.jfr");
        byte[] content = Files.readAllBytes(recording);

        assertThat(run("report", recording.toString(), "-o", recording.toString()))
                .isEqualTo(ExitCode.COULD_NOT_LOOK);

        assertThat(err()).contains("cannot write " + recording + ": it is the recording");
        assertThat(Files.readAllBytes(recording)).isEqualTo(content);
    }

    @Test
    void run_noSuchRecording_namesIt() {
        Path missing = directory.resolve("none.jfr");

        assertThat(run(
                        "report",
                        missing.toString(),
                        "-o",
                        directory.resolve("page.html").toString()))
                .isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err()).contains("cannot read " + missing);
    }

    @Test
    void run_noRecording_saysSo() throws Exception {
        Path file = Files.writeString(directory.resolve("text.jfr"), "no flight recording");

        assertThat(run(
                        "report",
                        file.toString(),
                        "-o",
                        directory.resolve("page.html").toString()))
                .isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err()).contains("cannot read " + file);
        assertThat(directory.resolve("page.html")).doesNotExist();
    }

    @Test
    void run_directoryOfPageMissing_saysSo() throws Exception {
        Path recording = blackBox("orders", "one.jfr");
        Path page = directory.resolve("none").resolve("page.html");

        assertThat(run("report", recording.toString(), "-o", page.toString())).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err()).contains("cannot write " + page + ": no such file or directory");
    }

    @Test
    void run_threeRecordings_isRefused() {
        assertThat(run("report", "1.jfr", "2.jfr", "3.jfr", "-o", "page.html")).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err()).contains("3.jfr");
    }

    @Test
    void run_withoutPage_isRefused() {
        assertThat(run("report", "one.jfr")).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err()).contains("--output");
    }

    /** Writes the black box of a monitor that has closed a window of a pool. */
    private Path blackBox(String pool, String file) throws Exception {
        Path path = directory.resolve(file);
        InstrumentedThreadPoolExecutor executor =
                InstrumentedThreadPoolExecutor.named(pool).size(1).build();
        try (PoolMonitor monitor =
                PoolMonitor.builder().window(Duration.ofMillis(20)).build()) {
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
                monitor.dump(path); // without the windows that were not judged for want of time
                return !RecordingReader.read(path).isEmpty();
            });
        } finally {
            executor.shutdown();
        }
        return path;
    }

    /** Returns the JSON that the page draws. */
    static String recordingIn(Path page) throws Exception {
        Matcher packed = Pattern.compile("id=\"recording\">([^<]*)<").matcher(Files.readString(page));
        assertThat(packed.find()).isTrue();
        byte[] bytes = Base64.getDecoder().decode(packed.group(1));
        try (InputStream json = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return new String(json.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private int run(String... arguments) {
        PrintStream outStream = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream errStream = new PrintStream(err, true, StandardCharsets.UTF_8);
        return Lifeguard.run(InputStream.nullInputStream(), outStream, errStream, arguments);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
