package io.lifeguard.pool.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.tools.watch.Child;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code attach} says when a JVM does not take the agent. */
class AttachCommandTest {

    @TempDir
    Path directory;

    /** The answers are those of JDK 17 and 25. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            libinstrument.so: cannot open shared object file | jlink --add-modules java.instrument,java.management
            Dynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch target VM. | it runs with -XX:-EnableDynamicAgentLoading
            return code: 102 | its standard error says why (return code: 102)
            """)
    void reason_answerOfTheJvm_saysWhatToChange(String answer, String words) {
        assertThat(AttachCommand.reason("4711:\n" + answer, Long.MAX_VALUE)).contains(words);
    }

    @Test
    void attach_agentThatLeftItsReason_isQuoted() throws Exception {
        Path noAgent = Files.writeString(directory.resolve("no.jar"), "");
        try (Child child = Child.tell("idle", "-Dlifeguard.agent.refusal=there is no key \"windows\": choose window")) {
            CommandRun run = CommandRun.of("attach", Long.toString(child.pid()), "--agent", noAgent.toString());

            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err())
                    .isEqualTo("process %d did not take the agent: there is no key \"windows\": choose window%n"
                            .formatted(child.pid()));
        }
    }

    @Test
    void attach_jvmThatTakesNoCommands_saysWhyAndWhatWorks() throws Exception {
        Path noAgent = Files.writeString(directory.resolve("no.jar"), "");
        try (Child child = Child.tell("idle", "-XX:+DisableAttachMechanism")) {
            CommandRun run = CommandRun.of("attach", Long.toString(child.pid()), "--agent", noAgent.toString());

            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err())
                    .contains("It runs with -XX:+DisableAttachMechanism, so it takes no commands.")
                    .endsWith("Start it with -javaagent instead.%n".formatted());
        }
    }
}
