package io.lifeguard.pool.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.recording.BlackBoxFixture;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observations;
import io.lifeguard.pool.schema.Document;
import io.lifeguard.pool.schema.SchemaCheck;
import io.lifeguard.pool.tools.jvm.Jcmd;
import io.lifeguard.pool.tools.watch.Child;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What analyze says about recordings of JVMs without this library. The system property {@code lifeguard.test.otherJava}
 * makes them recordings of another JDK.
 */
class AnalyzeCommandTest {

    /** Otherwise the JVM says that it records before the child says that it is ready. */
    private static final String QUIET = "-Xlog:jfr+startup=off";

    private static final String DEFAULT = "-XX:StartFlightRecording=settings=default";
    private static final String PROFILE = "-XX:StartFlightRecording=settings=profile";

    @TempDir
    Path directory;

    private String out = "";
    private String err = "";

    @Test
    void run_workersQueueForMonitor_findsPlaceAndHolderAndDrawsIt() throws Exception {
        Path page = directory.resolve("page.html");
        String process;
        try (Child child = Child.tell("monitor", QUIET, PROFILE)) {
            process = "process " + child.pid();
            Path recording = directory.resolve("monitor.jfr");
            analyzeUntil(child, recording, () -> run("analyze", recording.toString()) == ExitCode.FINDINGS);

            assertThat(run("analyze", recording.toString(), "-o", page.toString()))
                    .isEqualTo(ExitCode.FINDINGS);
        }
        assertThat(out)
                .contains("pool 'orders'", "[lock-contention]", "Story.underMonitor(Story.java:", "held", "certain:")
                .contains("Not recorded: waits of less than 10 ms", "Report: " + page);
        assertThat(err).isEmpty();
        assertThat(ReportCommandTest.recordingIn(page))
                .containsPattern("\"title\":\"Story, " + process + "[^\"]*: monitor[.]jfr\"");
    }

    /** Such a wait never ends, so it is in no event: only the thread dumps in the recording show it. */
    @Test
    @Tag("slow")
    void run_workersWaitForTheirOwnQueue_findsItInTheDumps() throws Exception {
        try (Child child = Child.tell("starved", QUIET, DEFAULT)) {
            Path recording = directory.resolve("starved.jfr");
            analyzeUntil(child, recording, () -> run("analyze", recording.toString()) == ExitCode.FINDINGS);
        }
        assertThat(out).contains("[starved-by-own-tasks]", "Story.waitForPart", "estimate: by exclusion");
    }

    @Test
    @Tag("slow")
    void run_healthyPools_isSilent() throws Exception {
        try (Child child = Child.tell("healthy", QUIET, DEFAULT)) {
            Path recording = directory.resolve("healthy.jfr");
            analyzeUntil(child, recording, () -> {
                assertThat(run("analyze", recording.toString())).isNotEqualTo(ExitCode.FINDINGS);
                return out.contains("\nlight ") && out.matches("(?s).*\nidle +4 +4\\.0.*");
            });
        }
        assertThat(out).doesNotContain("WARNING").doesNotContain("CRITICAL");
    }

    /** A real recording of the profiler, with samples of waiting threads and with waits for locks. */
    @Test
    void run_recordingOfAsyncProfiler_findsThePlace() {
        assertThat(run("analyze", resource("async-profiler-4.0.jfr"))).isEqualTo(ExitCode.FINDINGS);

        assertThat(out)
                .contains("[lock-contention]", "com.example.Orders.underMonitor(Orders.java:", "its holder is unknown")
                .contains("thread dumps (jdk.ThreadDump)");
        assertThat(out).as("three idle workers").containsPattern("\nidle +3 +3\\.0 ");
    }

    /** The library in the program knew more than a replay can, so its own words are shown. */
    @Test
    void run_recordingOfLifeguard_showsItsFindings() throws Exception {
        Path file = directory.resolve("box.jfr");
        Rule always = window -> Verdict.found(Finding.of("too-much", window)
                .summary("it is too much")
                .advice("do less")
                .build());
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("mails").size(1).build();
        try (PoolMonitor monitor = PoolMonitor.builder()
                .window(Duration.ofMillis(20))
                .grace(Duration.ZERO)
                .onlyRules(List.of(always))
                .build()) {
            Awaitility.await().atMost(Duration.ofSeconds(20)).pollInSameThread().until(() -> {
                monitor.dump(file);
                // the monitor watches the JVM's own pools, too
                return run("analyze", file.toString()) == ExitCode.FINDINGS && out.contains("'mails'");
            });
        } finally {
            pool.shutdown();
        }
        assertThat(out)
                .contains("pool 'mails': it is too much. [too-much]\n  do less\n", "measured by Lifeguard from ")
                .as("its pools, and not those of the library itself")
                .contains(", measured by Lifeguard\n", "  mails ")
                .doesNotContain("lifeguard-page", "lifeguard-monitor");

        run("analyze", "--json", file.toString());
        SchemaCheck.document(Document.ANALYZE, out);
        assertThat(out).contains("\"name\":\"mails\",\"kind\":");
        assertThat(err).isEmpty();
    }

    @Test
    void run_flightRecordingOfLifeguard_showsAFindingOnce() throws Exception {
        Path file = directory.resolve("library.jfr");
        CountDownLatch released = new CountDownLatch(1);
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("mails").size(1).build();
        try (Recording recording = new Recording();
                PoolMonitor monitor = PoolMonitor.builder()
                        .window(Duration.ofMillis(100))
                        .grace(Duration.ZERO)
                        .threshold("stuck-task.seconds", 0.2)
                        .threshold("stuck-task.firstSeconds", 0.2)
                        .build()) {
            recording.start();
            Future<Boolean> stuck = pool.submit(() -> released.await(1, TimeUnit.MINUTES));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofSeconds(1))
                    .pollInSameThread()
                    .until(() -> {
                        recording.dump(file);
                        return run("analyze", file.toString()) == ExitCode.FINDINGS && out.contains("[stuck-task]");
                    });
            assertThat(monitor.findings("mails")).isNotEmpty();
            assertThat(stuck.isDone()).isFalse();
        } finally {
            released.countDown();
            pool.shutdown();
        }
        assertThat(out)
                .containsOnlyOnce("[stuck-task]")
                .contains("'mails'", "measured by Lifeguard from ", " to the end");
        assertThat(err).isEmpty();
    }

    /** As of a program that was killed, or a disk that was full: the last chunk has no end. */
    @Test
    void run_recordingOfLifeguardThatBreaksOff_showsWhatCameBefore() throws Exception {
        OptionalInt none = OptionalInt.empty();
        FindingChange raised = new FindingChange(
                Observations.START,
                "p",
                Change.RAISED,
                "",
                "lock-contention",
                "CRITICAL",
                Observations.START,
                "its workers queue for a lock",
                "Share less",
                Map.of(),
                List.of(),
                "",
                none,
                none,
                none);
        byte[] chunk = BlackBoxFixture.written(List.of(Observations.window(Observations.START), raised));
        Path whole = Files.write(directory.resolve("whole.jfr"), chunk);
        Path cut = directory.resolve("cut.jfr");
        try (OutputStream file = Files.newOutputStream(cut)) {
            file.write(chunk);
            file.write(chunk, 0, chunk.length / 2);
        }

        run("analyze", whole.toString());
        String shown = out.replace(whole.toString(), cut.toString());
        assertThat(shown).contains("measured by Lifeguard from ");

        assertThat(run("analyze", cut.toString())).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(out).isEqualTo(shown);
        assertThat(err)
                .startsWith("cannot analyze " + cut + ": it breaks off: ")
                .contains("What could be read is shown");
    }

    @Test
    void run_recordingWithoutPools_saysWhatIsMissing() throws Exception {
        Path file = directory.resolve("nothing.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.CPULoad").with("period", "beginChunk");
            recording.start();
            recording.stop();
            recording.dump(file);
        }

        assertThat(run("analyze", file.toString())).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err)
                .startsWith("cannot analyze " + file + ": ")
                .contains("no thread works for a pool")
                .contains("CPU time of threads (jdk.ThreadCPULoad)");
    }

    /** Chunks of several recordings make one, and where the clock was set, those of one recording are as far apart. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void run_recordingsOfDifferentDaysJoined_leavesOutTheDaysBetween() throws Exception {
        Path today = directory.resolve("today.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.CPULoad").with("period", "beginChunk");
            recording.start();
            recording.stop();
            recording.dump(today);
        }
        Path joined = directory.resolve("joined.jfr");
        try (OutputStream out = Files.newOutputStream(joined)) {
            Files.copy(Path.of(resource("async-profiler-4.0.jfr")), out);
            Files.copy(today, out);
        }

        assertThat(run("analyze", joined.toString())).isEqualTo(ExitCode.FINDINGS);
        assertThat(out)
                .contains("[lock-contention]", "Not recorded: anything for ", " in between")
                .as("idle workers that are not lost in unknown days")
                .containsPattern("\nidle +3 +3\\.0 ");
    }

    /** Its events have other names, and some of their fields as well. */
    @Test
    void run_recordingOfOraclesJdk9_saysThatItsEventsAreNotRead() throws Exception {
        Path file = directory.resolve("nine.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            new ParkOfJdk9().commit();
            recording.stop();
            recording.dump(file);
        }

        assertThat(run("analyze", file.toString())).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err).contains("its events have the names of Oracle's JDK 9 and 10 (com.oracle.jdk.*)");
    }

    @Name("com.oracle.jdk.ThreadPark")
    private static final class ParkOfJdk9 extends Event {}

    @Test
    void run_noSuchFile_saysSoAndAnalyzesTheOthers() {
        Path missing = directory.resolve("none.jfr");

        assertThat(run("analyze", missing.toString(), resource("async-profiler-4.0.jfr")))
                .isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err).isEqualTo("cannot analyze " + missing + ": no such file or directory" + System.lineSeparator());
        assertThat(out).contains("[lock-contention]");
    }

    @Test
    void run_fileThatIsNoRecording_saysSo() throws Exception {
        Path text = Files.writeString(directory.resolve("text.jfr"), "no flight recording");
        Path empty = Files.createFile(directory.resolve("empty.jfr"));
        byte[] whole = Files.readAllBytes(Path.of(resource("async-profiler-4.0.jfr")));
        Path part = Files.write(directory.resolve("part.jfr"), Arrays.copyOf(whole, whole.length / 2));

        for (Path file : new Path[] {text, empty, part, directory}) {
            assertThat(run("analyze", file.toString())).isEqualTo(ExitCode.COULD_NOT_LOOK);
            assertThat(err).startsWith("cannot analyze " + file + ": it is ");
            assertThat(out).isEmpty();
        }
    }

    @Test
    void run_pageThatCannotBeWritten_saysSoBeforeReading() {
        Path page = directory.resolve("none").resolve("page.html");
        String recording = resource("async-profiler-4.0.jfr");

        assertThat(run("analyze", recording, "-o", page.toString())).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err).isEqualTo("cannot write " + page + ": no such file or directory" + System.lineSeparator());
        assertThat(run("analyze", recording, "-o", recording)).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err).contains("it is the recording");
        assertThat(run("analyze", "-o", directory.resolve("p.html").toString(), "1.jfr", "2.jfr", "3.jfr"))
                .isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err).contains("a page shows two recordings at most (were 3)");
    }

    @Test
    void run_withoutRecording_isRefused() {
        assertThat(run("analyze")).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err).contains("RECORDING");
    }

    /** The child's recording grows until it shows enough, however slow the machine is. */
    private static void analyzeUntil(Child child, Path recording, Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInSameThread()
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    Jcmd.run(Duration.ofSeconds(20), child.pid(), "JFR.dump", "filename=" + recording);
                    return condition.call();
                });
    }

    private static String resource(String name) {
        return Path.of("src", "test", "resources", "recordings", name).toString();
    }

    private int run(String... arguments) {
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        int exitCode = Lifeguard.run(
                InputStream.nullInputStream(),
                new PrintStream(outBytes, true, StandardCharsets.UTF_8),
                new PrintStream(errBytes, true, StandardCharsets.UTF_8),
                arguments);
        out = outBytes.toString(StandardCharsets.UTF_8);
        err = errBytes.toString(StandardCharsets.UTF_8);
        return exitCode;
    }
}
