package io.lifeguard.pool.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service is looked at from a container of its own, as {@code kubectl debug} makes it: the same process namespace,
 * other mounts, a read-only root and no capabilities. Needs root, and a JDK from 23 on: an older {@code jcmd} looks for
 * the socket in its own {@code /tmp}.
 */
@EnabledOnOs(OS.LINUX)
@EnabledForJreRange(minVersion = 23)
class DebugContainerIT {

    private static final String SERVICE_USER = "10001";

    @TempDir
    Path directory;

    @BeforeEach
    void fill() throws IOException, InterruptedException {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
        Assumptions.assumeTrue(
                run(List.of("unshare", "--mount", "--pid", "--fork", "setpriv", "--version")) == 0,
                "needs unshare and setpriv, and a system that allows namespaces");
        Files.copy(Path.of("target", "lifeguard.jar"), directory.resolve("lifeguard.jar"));
        Path classes = Path.of("target", "test-classes", "io", "lifeguard", "pool", "tools", "watch");
        Path to = Files.createDirectories(directory.resolve("classes/io/lifeguard/pool/tools/watch"));
        try (Stream<Path> stories = Files.list(classes)) {
            for (Path story : stories.toList()) {
                if (story.getFileName().toString().startsWith("Story")) {
                    Files.copy(story, to.resolve(story.getFileName()));
                }
            }
        }
    }

    @Test
    void watch_sameUserReadOnlyRoot_findsWhatIsWrong() throws Exception {
        assertThat(play(SERVICE_USER)).isEqualTo(ExitCode.FINDINGS);
        assertThat(output()).contains("downstream-saturated", "Story.withPermit(Story.java:");
    }

    @Test
    void watch_otherUser_saysWhichUserIsNeeded() throws Exception {
        assertThat(play("10002")).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(output()).contains("belongs to '10001', and this program runs as '10002'");
    }

    private int play(String debugUser) throws IOException, InterruptedException {
        return run(List.of(
                Path.of("src", "test", "resources", "containers", "debug-container")
                        .toAbsolutePath()
                        .toString(),
                directory.toString(),
                SERVICE_USER,
                debugUser,
                Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    }

    private int run(List<String> command) throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("output").toFile())
                    .start();
            assertThat(process.waitFor(120, TimeUnit.SECONDS))
                    .as("%s ends", command)
                    .isTrue();
            return process.exitValue();
        } catch (IOException e) { // there is no such program
            Assumptions.abort(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private String output() throws IOException {
        return Files.readString(directory.resolve("output"), StandardCharsets.UTF_8);
    }
}
