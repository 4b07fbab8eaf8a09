package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A JVM whose heap is full for a moment: its pools go on afterwards. */
@EnabledIfSystemProperty(named = "lifeguard.test.long", matches = "true") // takes minutes
@Tag("slow")
@Tag("soak")
class HeapExhaustionTest {

    @TempDir
    Path directory;

    /** With an earlier version every pool stood still after one to four exhaustions. */
    @RepeatedTest(3)
    void pool_heapIsExhaustedAgainAndAgain_goesOnAndLosesNoTask() throws Exception {
        assertGoesOn();
    }

    @RepeatedTest(3)
    void pool_heapIsExhaustedWhileAllIsRecorded_goesOnAndLosesNoTask() throws Exception {
        assertGoesOn("recorded");
    }

    private void assertGoesOn(String... arguments) throws Exception {
        File output = directory.resolve("output.txt").toFile();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx48m",
                "-cp",
                System.getProperty("java.class.path"),
                HeapExhaustion.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as("see %s", output).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
