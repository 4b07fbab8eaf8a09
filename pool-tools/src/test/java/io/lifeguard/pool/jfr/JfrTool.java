package io.lifeguard.pool.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the command {@code jfr} of the JDK that runs the tests. */
final class JfrTool {

    private JfrTool() {}

    /** {@return what the command prints} It must succeed. */
    static String run(Object... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "jfr").toString());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tool.waitFor()).as(text).isZero();
        return text;
    }
}
