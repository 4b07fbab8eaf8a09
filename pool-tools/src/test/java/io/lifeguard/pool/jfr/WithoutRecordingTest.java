package io.lifeguard.pool.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.report.LastMinute;
import io.lifeguard.pool.report.PoolPage;
import io.lifeguard.pool.tools.recording.RecordingReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that records nothing loads no class of the flight recorder but one, and one without the recorder works. */
class WithoutRecordingTest {

    @TempDir
    Path directory;

    @Test
    void jvm_thatRecordsNothing_loadsOneClassOfTheFlightRecorder() throws Exception {
        List<String> loaded = run("-Xlog:class+load", "-Xshare:off").stream()
                .filter(line -> line.contains("] jdk.jfr."))
                .map(line -> line.replaceAll(".*] (jdk\\.jfr\\.[\\w.$]+).*", "$1"))
                .toList();

        assertThat(loaded).containsOnly("jdk.jfr.FlightRecorder");
    }

    @Test
    void jvm_withoutTheModule_watchesPoolsAndWritesTheBlackBox() throws Exception {
        List<String> output = run("--limit-modules", "java.management,java.naming,java.xml");

        assertThat(output)
                .contains(
                        "has the flight recorder: false",
                        "windows: true",
                        "dumped: true",
                        "drawn: true",
                        "served: true");
        assertThat(RecordingReader.read(directory.resolve("box.jfr"))).isNotEmpty();
    }

    @Test
    void jvm_thatRecordsFromItsStart_writesEvents() throws Exception {
        Path file = directory.resolve("start.jfr");

        run("-XX:StartFlightRecording=filename=" + file + ",settings=none,dumponexit=true");

        assertThat(RecordingReader.read(file)).isNotEmpty();
    }

    private List<String> run(String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Arrays.asList(options));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")); // it lives for seconds
        command.addAll(List.of("-Xmx128m", "-cp", System.getProperty("java.class.path")));
        command.addAll(
                List.of(Program.class.getName(), directory.resolve("box.jfr").toString()));
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int code = process.waitFor();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(code).as(text).isZero();
        return text.lines().toList();
    }

    /** Runs in a JVM of its own: watches a pool for some windows, and writes the black box. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) throws Exception {
            Path file = Path.of(arguments[0]);
            InstrumentedThreadPoolExecutor pool =
                    InstrumentedThreadPoolExecutor.named("program").size(1).build();
            PoolMonitor.global().window(Duration.ofMillis(50));
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
                pool.submit(FlightRecordingTest::takeLong).get(20, TimeUnit.SECONDS); // an idle pool has few windows
                return PoolMonitor.global().windows("program").size() > 3;
            });
            System.out.println("has the flight recorder: "
                    + ModuleLayer.boot().findModule("jdk.jfr").isPresent());
            System.out.println(
                    "windows: " + !PoolMonitor.global().windows("program").isEmpty());
            PoolMonitor.global().dump(file);
            System.out.println("dumped: " + Files.exists(file));
            Path page = Path.of(file + ".html");
            LastMinute.of(PoolMonitor.global()).report(page);
            System.out.println("drawn: " + Files.readString(page).startsWith("<!DOCTYPE html>"));
            System.out.println("served: " + serve());
            pool.shutdown();
        }

        private static String serve() throws IOException {
            try (PoolPage.Server server = PoolPage.serve(0)) {
                return String.valueOf(server.port() > 0);
            }
        }
    }
}
