package io.lifeguard.pool.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.schema.Document;
import io.lifeguard.pool.schema.SchemaCheck;
import io.lifeguard.pool.tools.watch.Child;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every command prints with --json follows the published schema, and exit codes mean the same everywhere. */
@EnabledOnOs(OS.LINUX)
class SchemaTest {

    private static final String RECORDING = Path.of("src", "test", "resources", "recordings", "async-profiler-4.0.jfr")
            .toString();
    private static final String DUMP =
            Path.of("src", "test", "resources", "dumps", "jdk21.json").toString();

    @Test
    void watch_sickPool_isFoundAndFollowsTheSchema() throws Exception {
        try (Child child = Child.tell("line")) {
            CommandRun run = CommandRun.of("watch", "--once", "--json", Long.toString(child.pid()));

            assertThat(run.exitCode()).as(run.toString()).isEqualTo(ExitCode.FINDINGS);
            SchemaCheck.document(Document.WATCH, run.out());
            assertThat(run.out())
                    .contains(
                            "\"id\":\"downstream-saturated\"",
                            "\"place\":\"",
                            "Story.withPermit",
                            "\"notLookedAt\":[]");
        }
    }

    /** Seven of eight workers stand in line, and one window is too few to say that they always do. */
    @Test
    void watch_tooShort_couldNotLookAndSaysWhy() throws Exception {
        try (Child child = Child.tell("line")) {
            CommandRun run = CommandRun.of("watch", "--once", "--seconds", "1", "--json", Long.toString(child.pid()));

            assertThat(run.exitCode()).as(run.toString()).isEqualTo(ExitCode.COULD_NOT_LOOK);
            SchemaCheck.document(Document.WATCH, run.out());
            assertThat(run.out())
                    .contains("\"notLookedAt\":[{\"what\":\"process " + child.pid() + "\",\"why\":\"the watch was");
            assertThat(run.err()).contains("not enough was seen");
        }
    }

    /** The JVM itself must not be looked at, and others may run here, so only the child's row is known. */
    @Test
    void ps_workersInLineForAPermit_areSuspicious() throws Exception {
        try (Child child = Child.tell("line")) {
            CommandRun run = CommandRun.of("ps", "--json");

            SchemaCheck.document(Document.PS, run.out());
            assertThat(run.out())
                    .containsPattern(
                            "\"pid\":" + child.pid() + ",\"name\":\"[^\"]*Story\",\"pools\":1,\"threads\":\\d+,"
                                    + "\"suspicion\":\\{\"pool\":\"orders\",\"threads\":\\d,\"doing\":\"waiting-in-line\","
                                    + "\"waitsFor\":\"a permit of java.util.concurrent.Semaphore\",\"place\":\"[^\"]*withPermit");
            assertThat(run.exitCode())
                    .isEqualTo(run.out().contains("\"notLookedAt\":[]") ? ExitCode.FINDINGS : ExitCode.COULD_NOT_LOOK);
        }
    }

    /** Consumers wait in line as well, but for a message. */
    @Test
    void ps_consumersInLineForAMessage_areNotSuspicious() throws Exception {
        try (Child child = Child.tell("healthy")) {
            CommandRun run = CommandRun.of("ps", "--json");

            SchemaCheck.document(Document.PS, run.out());
            assertThat(run.out()).containsPattern("\"pid\":" + child.pid() + ",\"name\":\"[^\"]*Story\",\"pools\":4,");
            assertThat(run.out()).doesNotContain("\"pool\":\"consumers\"");
        }
    }

    @Test
    void analyze_recording_isFoundAndFollowsTheSchema() {
        CommandRun run = CommandRun.of("analyze", "--json", RECORDING);

        assertThat(run.exitCode()).isEqualTo(ExitCode.FINDINGS);
        SchemaCheck.document(Document.ANALYZE, run.out());
        assertThat(run.out())
                .contains("\"id\":\"lock-contention\"", "\"place\":\"com.example.Orders.underMonitor")
                .contains("\"certainty\":\"certain\"", "thread dumps (jdk.ThreadDump)");
        assertThat(run.err()).isEmpty();
    }

    /** A program reads the output, and what people are told of the page must not be in it. */
    @Test
    void analyze_withPage_printsNothingButTheDocument(@TempDir Path directory) {
        Path page = directory.resolve("page.html");

        CommandRun run = CommandRun.of("analyze", "--json", "-o", page.toString(), RECORDING);

        assertThat(run.exitCode()).isEqualTo(ExitCode.FINDINGS);
        assertThat(run.out().lines()).hasSize(1);
        SchemaCheck.document(Document.ANALYZE, run.out());
        assertThat(run.err()).isEqualTo("Report: " + page + System.lineSeparator());
        assertThat(page).isNotEmptyFile();
    }

    @Test
    void watch_withReport_printsNothingButDocuments(@TempDir Path directory) throws Exception {
        Path page = directory.resolve("page.html");
        try (Child child = Child.tell("line")) {
            CommandRun run = CommandRun.of(
                    "watch", "--once", "--seconds", "1", "--json", "--report", page.toString(), "" + child.pid());

            assertThat(run.out().lines()).hasSize(1);
            SchemaCheck.document(Document.WATCH, run.out());
            assertThat(run.err()).endsWith("Report: " + page + System.lineSeparator());
        }
    }

    @Test
    void dumps_file_followsTheSchema() {
        CommandRun run = CommandRun.of("dumps", "--json", DUMP);

        assertThat(run.exitCode()).isEqualTo(ExitCode.HEALTHY);
        SchemaCheck.document(Document.DUMPS, run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"analyze", "dumps"})
    void command_fileThatIsNotThere_couldNotLookAndSaysSoInTheJson(String command) {
        CommandRun run = CommandRun.of(command, "--json", "none");

        assertThat(run.exitCode()).isEqualTo(ExitCode.COULD_NOT_LOOK);
        SchemaCheck.document(command.equals("analyze") ? Document.ANALYZE : Document.DUMPS, run.out());
        assertThat(run.out().replaceAll("\\s", ""))
                .contains("\"notLookedAt\":[{\"what\":\"none\",\"why\":\"nosuchfile");
        assertThat(run.err()).contains("none: no such file");
    }
}
