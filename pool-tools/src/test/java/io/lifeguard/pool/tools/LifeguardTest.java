package io.lifeguard.pool.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Exit codes of commands that fail in a way that was not foreseen. */
class LifeguardTest {

    /** An uncaught error would end the JVM with 1, which means that there were findings. */
    @Test
    void run_errorOfTheJvm_isNoFinding() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        InputStream broken = new InputStream() {
            @Override
            public int read() {
                throw new NoClassDefFoundError("jdk/jfr/consumer/RecordingFile");
            }
        };

        int exitCode = Lifeguard.run(
                broken,
                new PrintStream(ByteArrayOutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                "dumps",
                "-");

        assertThat(exitCode).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("jdk/jfr/consumer/RecordingFile");
    }
}
