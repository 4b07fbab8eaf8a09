package io.lifeguard.examples.stories;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.examples.Command;
import io.lifeguard.examples.Examples;
import io.lifeguard.examples.RecordedTerminal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stories that depend on waiting, and not on how much of the machine is free, find what they are about. */
@Tag("slow")
final class StoriesIT {

    @Test
    void dispatcherStory_told_findsTheDispatcherAndGainsByWaiting() {
        String told = tell(new DispatcherStory(), "--seconds", "4");
        assertThat(told)
                .contains("dispatcher-runs-tasks: dispatcher ran ")
                .contains("BlockingWaitPolicy.forever()")
                .containsPattern("ratio +[1-9]");
        String report = told.lines().reduce((earlier, later) -> later).orElseThrow();
        assertThat(report).startsWith("Report: ");
        assertThat(Path.of(report.substring("Report: ".length()))).content().startsWith("<!DOCTYPE html>");
    }

    @Test
    void lockStory_told_namesTheMethodThatIsLocked() {
        String told = tell(new LockStory(), "--seconds", "8");
        assertThat(told).contains("lock-contention: ").contains("SynchronizedSettings.rate(LockStory.java:");
    }

    /** In a JVM of its own, because the story sets the size of the common pool. */
    @Test
    void cacheStory_told_findsTheCommonPoolAndGainsByAPoolOfItsOwn() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Examples.class.getName(),
                        "story-cache")
                .redirectErrorStream(true)
                .start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(told).isEqualTo(Command.OK);
        assertThat(told).contains("queue-growing: ").containsPattern("ratio +[2-9]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--seconds", "--seconds 1", "--seconds x", "--call-millis 0", "--nonsense"})
    void story_argumentsThatMakeNoSense_isToldWhyAndEndsWithUsage(String arguments) {
        RecordedTerminal terminal = RecordedTerminal.plain();
        int status = new LockStory().run(List.of(arguments.split(" ")), terminal.terminal());
        assertThat(status).isEqualTo(Command.USAGE);
        assertThat(terminal.err()).startsWith("story-lock: ").contains("Try: story-lock --help");
        assertThat(terminal.out()).isEmpty();
    }

    @Test
    void story_help_namesItsOptions() {
        RecordedTerminal terminal = RecordedTerminal.plain();
        assertThat(new HiddenCallStory().run(List.of("--help"), terminal.terminal()))
                .isEqualTo(Command.OK);
        assertThat(terminal.out()).contains("--seconds N").contains("--call-millis N");
    }

    private static String tell(Story story, String... arguments) {
        RecordedTerminal terminal = RecordedTerminal.plain();
        int status = story.run(List.of(arguments), terminal.terminal());
        assertThat(status).as(terminal.out() + terminal.err()).isEqualTo(Command.OK);
        return terminal.out();
    }
}
